/** Recorded answers (service-notes, How the service has really answered), and samples with each field changed. */
import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import { LegacyDnsError, type OperationName, ProtocolError } from "../../provider/api";
import { entryOf } from "../../provider/reconcile/zones/zone";
import { callSample, operationNames, samples } from "./samples";
import { change } from "../support/mutations";
import { cleanUp, clientOn, listing, scripted, settingsFor, said } from "./support";

after(cleanUp);

const needed: Partial<Record<OperationName, string[]>> = {
  "Domain.List": ["domains"],
  "Domain.Purview": ["purview"],
  "Record.List": ["records", "records.0.id", "records.0.name", "records.0.type", "records.0.value"],
  "Record.Info": ["record", "record.sub_domain", "record.record_type", "record.value"],
  "Batch.Record.Create": ["job_id"],
  "Batch.Detail": ["detail"],
  "Batch.Record.Modify": ["job_id"],
  "Domainshare.List": ["share", "share.0.share_to"],
};

function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const own = path.length === 0 ? [] : [path];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, each]) => placesOf(each, [...path, key]))];
}

function flip(value: unknown) {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return /^\d+$/.test(value) ? Number(value) : 7;
  return typeof value === "boolean" ? (value ? "yes" : "no") : value;
}

const changes: Record<string, (old: unknown) => unknown> = {
  dropped: () => undefined,
  null: () => null,
  "of the other type": flip,
  "a text that says nothing": (old) => (typeof old === "number" ? "?" : old),
};

const escaped = (name: string) => name.replaceAll(".", "\\.");

describe("An answer", () => {
  for (const operation of operationNames) {
    for (const [how, by] of Object.entries(changes)) {
      it(`of ${operation} is read, or names the needed field, if a field is ${how}`, async () => {
        const full = samples[operation].reply;
        for (const path of placesOf(full)) {
          const changed = change(full, path, by);
          const client = clientOn(scripted(said("1", changed as object)), {
            settings: settingsFor({ undocumentedOperations: true, stateDir: "/dev/null/none" }),
          });
          const place = path.join(".");
          const isNeeded =
            (needed[operation]?.includes(place) === true && (how === "dropped" || how === "null")) ||
            (how === "null" && /\.\d+$/.test(place) && !place.includes("_ns."));
          try {
            await callSample(client, operation);
            ok(!isNeeded, `${place} cannot be done without`);
          } catch (error) {
            ok(isNeeded && error instanceof ProtocolError, `${place}: ${String(error)}`);
            equal(error.outcome, "uncertain");
            const missing = `^${escaped(operation)}.*\\b${escaped(place)}: (expected|Invalid)`;
            match(error.message, new RegExp(missing));
          }
        }
      });
    }
  }

  it("of Record.List needs the line's name or its number, which is 0 for the default line", async () => {
    const bare = { id: "1", name: "www", type: "A", value: "192.0.2.1" };
    const lineOf = async (fields: object) => {
      const client = clientOn(scripted(said("1", { records: [{ ...bare, ...fields }] })));
      return (await client.call("Record.List", { domain: "example.com" })).records[0]?.line;
    };
    equal(await lineOf({ line: "电信" }), "电信");
    for (const fields of [{ line_id: 0 }, { line_id: "0", line: null }]) equal(await lineOf(fields), "");
    for (const fields of [{}, { line_id: "10=0" }, { line: null, line_id: null }])
      await rejects(lineOf(fields), /records\.0\.line: expected a text, found nothing/);
  });
});

describe("A record", () => {
  const mx = { id: "7", name: "@", type: "MX", line: "默认", value: "mx.example.com." };
  const live = { ...mx, priority: 10, ttl: 600, enabled: true };
  for (const [key, what] of [
    ["priority", "the priority (mx)"],
    ["ttl", "the TTL (ttl)"],
    ["enabled", "the state (enabled)"],
  ] as const) {
    it(`without ${key} is an error that names the field`, () => {
      const { [key]: _left, ...rest } = live;
      equal(entryOf("example.com", live, "默认", "Record.List").ttl, 600);
      throws(
        () => entryOf("example.com", rest, "默认", "Record.List"),
        (error) =>
          error instanceof LegacyDnsError &&
          error.message.startsWith(`Record.List of example.com: the answer lacks ${what} of record 7, `),
      );
    });
  }
});

describe("The shapes on record", () => {
  const www = {
    id: "2",
    name: "www",
    line: "默认",
    type: "A",
    ttl: "600",
    value: "192.0.2.1",
    mx: "0",
    enabled: "1",
    status: "enabled",
    monitor_status: "",
    remark: "",
    updated_on: "2016-01-18 12:00:00",
  };
  const unmarked = { ...www, id: "1", name: "@", type: "NS", ttl: "86400", value: "ns1.service.example." };
  const own = { ...unmarked, hold: "hold" };
  const short = {
    id: "2059079",
    name: "example.com",
    punycode: "example.com",
    grade: "D_Free",
    owner: "o@example.com",
  };
  const uncounted = { sub_domains: "2", record_total: "2" };
  const info = { ...uncounted, records_num: "2" };
  const eras: Record<string, object> = {
    "2016": { domain: short, info: uncounted, records: [own, { ...www, weight: null }] },
    "2018": {
      domain: {
        ...short,
        ext_status: "",
        ttl: 600,
        min_ttl: 600,
        status: "enable",
        service_ns: ["ns1.service.example"],
        can_handle_at_ns: true,
      },
      info,
      records: [
        { ...own, line_id: "0", use_aqb: "no" },
        { ...www, line_id: "0", weight: null, use_aqb: "no" },
      ],
    },
    "an English account": {
      domain: short,
      info: uncounted,
      records: [own, www].map((each) => ({ ...each, line: "Default" })),
    },
    "name servers without hold": {
      domain: { ...short, brand_ns: ["NS1.service.example"] },
      info,
      records: [unmarked, www],
    },
    "no counter at all": { domain: short, records: [own, www] },
  };
  for (const [era, reply] of Object.entries(eras)) {
    it(`of ${era} make a whole zone with one call`, async () => {
      const { domain, records, transport } = await listing(said("1", reply, "Action completed successful"));
      equal(transport.requests.length, 1);
      deepEqual([domain.id, domain.name, domain.grade], ["2059079", "example.com", "D_Free"]);
      const entries = records.map((each) => {
        const { key, ttl, enabled } = entryOf("example.com", each, "默认");
        return [each.id, each.hold, key, ttl, enabled];
      });
      deepEqual(entries, [
        ["1", true, "example.com example.com. NS ns1.service.example.", 86400, true],
        ["2", false, "example.com www.example.com. A 192.0.2.1", 600, true],
      ]);
    });
  }

  it("without hold and name servers count the NS records of the apex as the service's", async () => {
    const reply = {
      domain: short,
      info: { record_total: 3 },
      records: [unmarked, www, { ...unmarked, id: "3", name: "sub" }],
    };
    const { records } = await listing(said("1", reply));
    deepEqual(
      records.map((each) => [each.hold, entryOf("example.com", each, "默认").hold]),
      [
        [undefined, true],
        [false, false],
        [false, false],
      ],
    );
  });

  it("without counters are complete when a page is not full", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ ...www, id: String(i + 10), name: `h${i}` }));
    const pages = [many, [www]].map((records) => said("1", { domain: short, records }));
    const whole = await listing(...pages);
    deepEqual([whole.records.length, whole.transport.requests.length], [3001, 2]);
    const forced = await listing(said("1", { domain: short, records: many.slice(0, 100) }), said("10"));
    deepEqual([forced.records.length, forced.transport.requests.length], [100, 2]);
  });

  it("without a domain id need Domain.Info, and end with an error if it has none", async () => {
    const { id: _id, ...nameless } = short;
    const page = said("1", { domain: nameless, info: { record_total: 1 }, records: [www] });
    equal((await listing(page, said("1", { domain: short }))).domain.id, "2059079");
    await rejects(
      listing(page, said("1", { domain: nameless })),
      /^ProtocolError: Domain\.Info of example\.com: the answer lacks the domain's id \(domain\.id\)/,
    );
  });
});
