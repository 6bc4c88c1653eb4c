import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import type { TransportRequest } from "../../provider/api";
import { full, of, Process, wwwLine } from "./lab";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  scripted,
  settingsFor,
  skippingClock,
  said,
} from "../api/support";
import type { Settings } from "../../provider/settings";

after(cleanUp);

type Listed = Record<string, unknown>;
const www: Listed = { id: "7", name: "www", type: "A", value: "192.0.2.1", ttl: "600", enabled: "1" };
const telecom: Listed = { ...www, line: "Telecom", line_id: "10=0" };
const ns = (id: string, value: string) => ({ ...www, id, name: "@", type: "NS", value, line: "默认" });

interface ShapedOptions {
  readonly header?: object;
  readonly settings?: Partial<Settings>;
  readonly zones?: Readonly<Record<string, readonly Listed[]>>;
  readonly refuse?: string;
}

const listedAs = ({ sub_domain: name, record_type: type, record_line: line, ...rest }: Listed) => ({
  ...rest,
  ...{ name, type, line, enabled: 1 },
});

const outcomeOf = (each: Listed, { refuse }: ShapedOptions) => ({
  ...each,
  ...{ area: each["record_line"], mx: null },
  ...(refuse === undefined ? { status: "ok", record_id: each["id"] } : { status: "error", err_msg: refuse }),
});

const listing = (domain: object, records?: readonly Listed[]) =>
  answer(enveloped("1", { domain, info: { record_total: records?.length ?? 0 }, records }));

/** A service of some zones, with every record that it is sent and the number of every record that it removes. */
function shapedService(records: readonly Listed[], options: ShapedOptions) {
  const zones: Record<string, Listed[]> = Object.fromEntries(
    Object.entries({ "example.com": records, ...options.zones }).map(([name, all]) => [name, [...all]]),
  );
  const names = Object.keys(zones);
  const sent: Listed[] = [];
  const removed: string[] = [];
  const create = (form: URLSearchParams) => {
    const asked = JSON.parse(form.get("records") ?? "[]") as Listed[];
    const made = asked.map((each, i) => ({ ...each, id: String(100 + sent.length + i) }));
    sent.push(...made);
    for (const each of options.refuse === undefined ? made : [])
      zones[names[Number(form.get("domain_id")) - 1] ?? ""]?.push(listedAs(each));
  };
  const reply = (request: TransportRequest) => {
    const form = new URLSearchParams(request.body);
    const name = form.get("domain") ?? "";
    switch (request.operation) {
      case "Record.List": {
        const domain = { id: names.indexOf(name) + 1, name, ...options.header };
        return listing(domain, zones[name]);
      }
      case "Batch.Record.Create":
        create(form);
        return said("1", { job_id: "1" });
      case "Batch.Detail": {
        const detail = [
          { domain: names[0], status: "ok", records: sent.map((each) => outcomeOf(each, options)) },
        ];
        return answer(enveloped("1", { type: "record_add", detail }));
      }
      case "Record.Remove":
        removed.push(form.get("record_id") ?? "");
        return said("1");
      default:
        return said("-7");
    }
  };
  return { reply, sent, removed };
}

function shaped(records: readonly Listed[], options: ShapedOptions = {}) {
  const { reply, sent, removed } = shapedService(records, options);
  const clock = skippingClock();
  const settings = settingsFor({ limits: "off", indexDelay: 0, maxChangeShare: 100, ...options.settings });
  const client = clientOn(scripted(reply), { settings, clock });
  const by = new Process({ client, settings, clock });
  return { by, sent, lines: () => sent.map((each) => each["record_line"]), removed };
}

describe("The default line", () => {
  const both = of(wwwLine, "new 600 A 192.0.2.2");
  const norm = { defaultLine: "Norm" };
  const shapes: readonly [title: string, live: Listed & { line: string }, settings?: Partial<Settings>][] = [
    ["is what an English account lists", { line: "Default" }],
    ["is so in lower case", { line: "default" }],
    ["is the line with number 0, whatever its name", { line: "Standard", line_id: "0" }],
    ["is the one of the setting, where a listing names no other", { line: "Norm" }, norm],
    ["is what the listing says, and not the setting", { line: "Default" }, norm],
    ["is 默认 by itself", { line: "默认", line_id: 0 }],
  ];
  for (const [title, live, settings = {}] of shapes)
    it(`${title}: its records are adopted, and new ones are sent on it, once`, async () => {
      const service = shaped([{ ...www, ...live }], { settings });
      const first = await service.by.must(both);
      deepEqual([service.lines(), first.held.length], [[live.line], 2]);
      equal(service.sent[0]?.["sub_domain"], "new");
      await service.by.must(both, first);
      equal(service.sent.length, 1);
    });

  it("declared by any of its names is the same record", () => {
    for (const line of ["默认", "Default", "default"]) deepEqual(of(`${wwwLine} [${line}]`), of(wwwLine));
  });

  it("of a zone without a record on it has the name that another zone shows", async () => {
    const service = shaped([telecom], { zones: { "example.net": [{ ...www, line: "Default" }] } });
    await service.by.reconciler.zones.get("example.net");
    await service.by.up(of("new 600 A 192.0.2.2"));
    deepEqual(service.lines(), ["Default"]);
  });
});

describe("A line that is refused", () => {
  for (const [title, live, declared, text] of [
    [
      "is named with the setting if no listing shows the default line's name",
      telecom,
      "new 600 A 192.0.2.2",
      /Record line invalid; it was sent on the line "默认", .*set defaultLine \(pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine\)/,
    ],
    [
      "is named as it is declared",
      { ...www, line: "Default" },
      "new 600 A 192.0.2.2 [Telecomm]",
      /no record of example\.com is on line "Telecomm"$/,
    ],
  ] as const)
    it(title, async () => {
      const { by } = shaped([live], { refuse: "Record line invalid" });
      match((await by.up(of(declared))).text, text);
    });
});

describe("NS records of the apex without a mark", () => {
  const own = [ns("1", "ns1.service.example."), ns("2", "NS2.service.example")];
  const records = [...own, ns("3", "ns.elsewhere.example."), { ...www, line: "默认" }];
  const settings = {
    undocumentedOperations: true,
    removal: "delete" as const,
    confirmedDomains: ["example.com"],
  };
  const declaration = full([wwwLine], { undeclared: "remove" });

  it("with the service's targets are neither reported nor deleted, unlike unmanaged ones", async () => {
    const header = { brand_ns: ["ns1.service.example", "ns2.service.example."] };
    const service = shaped(records, { header, settings });
    const { undeclared } = await service.by.observe(declaration);
    deepEqual(
      undeclared.map(({ id }) => id),
      ["3"],
    );
    doesNotMatch(service.by.said(), /service\.example/);
    match(service.by.said(), /\[live\.undeclared-goes\]\n.*ns\.elsewhere\.example/);
  });

  it("without the service's targets are never deleted or reported as unmanaged", async () => {
    const service = shaped(records, { settings });
    const { undeclared, ledger } = await service.by.observe(declaration);
    deepEqual(undeclared, []);
    await service.by.must(declaration, { ledger, records: declaration.records });
    deepEqual(service.removed, []);
  });
});
