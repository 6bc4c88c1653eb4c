import { deepEqual, equal, match, notEqual, rejects, throws } from "node:assert/strict";
import { Box, type FaultSpec } from "../../emulator";
import {
  a,
  calls as undocumented,
  each,
  everything,
  example,
  friend,
  get,
  ids,
  inLab,
  list,
  on,
  start,
  token,
  type Lab,
  type Params,
} from "./lab";

const operations: Record<string, Params> = {
  "Domain.Info": {},
  "Domain.List": {},
  "Domain.Purview": {},
  "Domainshare.Modify": { email: friend, mode: "rw" },
  "Record.List": {},
  "Record.Info": { record_id: "501", remark: "touched" },
  "Batch.Record.Create": { domain_id: example, records: JSON.stringify([a("fault")]) },
  "Batch.Detail": { job_id: "1" },
  "Monitor.Gethistory": { monitor_id: "77" },
  "Custom.Line.List": {},
  ...undocumented,
};

const writes: ReadonlySet<string> = new Set([
  ...["Domainshare.Modify", "Record.Info", "Batch.Record.Create"],
  ...Object.keys(undocumented).filter((operation) => operation !== "Domainshare.List"),
]);
const state = (lab: Lab) =>
  JSON.stringify([everything(lab), lab.emulator.service.world.domains.get(ids.example)?.remark]);

async function see(lab: Lab, operation: string) {
  try {
    const response = await lab.raw(operation, operations[operation] ?? {});
    return `${response.status} ${response.headers.get("retry-after") ?? ""} ${await response.text()}`;
  } catch {
    return "broken";
  }
}

const kinds: [name: string, spec: FaultSpec, seen: RegExp][] = [
  ["refused", { kind: "refused" }, /^broken$/],
  ["dropped", { kind: "dropped" }, /^broken$/],
  ["HTTP 500", { kind: "http" }, /^500 /],
  ["HTTP 429 with Retry-After", { kind: "http", status: 429, retryAfter: 7 }, /^429 7 /],
  ["code -2", { kind: "code", code: -2 }, /^200  \{"status":\{"code":"-2"/],
  ["truncated JSON", { kind: "garbage" }, /^200  \{"status"[^]*[^}]$/],
  ["HTML", { kind: "garbage", form: "html" }, /^200  <html>/],
  ["an empty body", { kind: "garbage", form: "empty" }, /^200  $/],
  ["a slow answer", { kind: "slow", ms: 5 }, /^200  \{"status"/],
];

describe("emulator faults, before and after the effect of each operation:", () => {
  for (const when of ["before", "after"] as const) {
    for (const [name, spec, seen] of kinds) {
      it(`${name}, ${when}`, async () => {
        const executed = when === "after" || spec.kind === "slow";
        // The form of the fault is the same for every operation, and the effect for every fault.
        const hit =
          spec.kind === "dropped" ? Object.keys(operations) : ["Record.List", "Batch.Record.Create"];
        const changing = hit.filter((operation) => executed && writes.has(operation));
        const others = hit.filter((operation) => !changing.includes(operation));
        for (const group of [others, ...changing.map((operation) => [operation])])
          await inLab(on(), async (lab) => {
            for (const operation of group) {
              const before = state(lab);
              lab.admin.addFault({ ...spec, operation, when, count: 1 });
              lab.admin.clearCalls();
              match(await see(lab, operation), seen);
              equal(state(lab) !== before, changing.includes(operation), `${operation}: the effect`);
              const [logged] = lab.admin.calls();
              equal(logged?.fault, `${when} ${spec.kind}`);
              equal(logged.code !== null, executed, `${operation}: the log`);
              match(await see(lab, operation), /^200 /);
            }
          });
      });
    }
  }
});

describe("emulator faults", () => {
  it("hit their own operation only, or every operation with *", () =>
    inLab({}, async (lab) => {
      lab.admin.addFault({ kind: "http", operation: "Record.List" });
      equal(await lab.code("Domain.List"), "1");
      lab.admin.addFault({ kind: "code", code: "83" });
      equal(await lab.code("Domain.List"), "83");
    }));

  it("skip the configured calls, then hit the configured number", () =>
    inLab({}, async (lab) => {
      lab.admin.addFault({ kind: "code", code: "-99", skip: 2, count: 2 });
      for (const expected of ["1", "1", "-99", "-99", "1", "1"])
        equal(await lab.code("Domain.List"), expected);
      deepEqual([lab.admin.faults()[0]?.hits], [2]);
    }));

  it("refuse connections on a closed port, then answer again on the same port", () =>
    inLab({}, async (lab) => {
      await lab.emulator.mute();
      await rejects(lab.raw("Domain.List"), (error) => get(error, "cause.code") === "ECONNREFUSED");
      await lab.emulator.listen();
      equal(await lab.code("Domain.List"), "1");
    }));

  it("are refused if the spec is empty", () =>
    inLab({}, ({ emulator }) => {
      throws(() => emulator.admin.addFault({ kind: "http", status: 200 }));
      for (const wrong of ['"kind":"meteor"', '"kind":"code","code":""', '"kind":"code","code":1.5'])
        throws(() => emulator.admin.addFault(JSON.parse(`{${wrong}}`) as FaultSpec), wrong);
    }));

  it("decide the same for the same seed, without I/O", () => {
    const run = (seed: number) => {
      const box = new Box({ seed });
      box.faults.add({ kind: "dropped", when: "after", probability: 0.5 });
      return Array.from({ length: 40 }, () => box.begin("Domain.List", {}).run().kind.charAt(0)).join("");
    };
    equal(run(5), run(5));
    notEqual(run(5), run(6));
    match(run(5), /a.*d|d.*a/);
  });

  it("delay the effect of a call that is slow before it", () => {
    let now = start;
    const box = new Box({ domains: [{ name: "example.com", id: ids.example }], token, now: () => now });
    box.faults.add({ kind: "slow", ms: 5_000, when: "before" });
    box.faults.add({ kind: "slow", ms: 700, when: "after" });
    const params = { login_token: token, domain_id: example, records: JSON.stringify([a("x")]) };
    const pending = box.begin("Batch.Record.Create", params);
    deepEqual([pending.verdict.delayBefore, pending.verdict.delayAfter], [5_000, 700]);
    now += pending.verdict.delayBefore;
    pending.run();
    equal([...box.service.world.jobs.values()][0]?.createdAt, start + 5_000);
  });
});

describe("emulator log of calls", () => {
  it("contains operation, parameters without the token, time, code and User-Agent", () =>
    inLab({}, async (lab) => {
      await lab.call("Domain.Info", { domain: "nowhere.example" });
      deepEqual(lab.admin.calls(), [
        {
          number: 1,
          at: "2026-03-01T12:00:00.000Z",
          operation: "Domain.Info",
          code: "13",
          fault: null,
          params: { login_token: "(redacted)", format: "json", domain: "nowhere.example" },
          userAgent: "lab/1.0 (lab@example.com)",
          goodUserAgent: true,
        },
      ]);
    }));

  it("counts calls by operation, filters them and can be cleared", () =>
    inLab({}, async ({ admin, call }) => {
      for (const operation of ["Domain.List", "Domain.Info", "Domain.List"]) await call(operation);
      deepEqual(admin.counts(), { "Domain.List": 2, "Domain.Info": 1 });
      equal(admin.calls("Domain.List").length, 2);
      admin.clearCalls();
      deepEqual(admin.counts(), {});
      equal(list(await call("Domain.List"), "domains").length, 9);
    }));
});

describe("emulator faults of a group of operations", () => {
  it("hit each operation of the group, and no other", () =>
    inLab(on(), async ({ admin, call }) => {
      for (const group of ["writes", "reads"]) {
        const id = admin.addFault({ kind: "code", operation: group, code: 4711 });
        for (const [operation, params] of Object.entries(operations)) {
          const kind = writes.has(operation) && operation !== "Record.Info" ? "writes" : "reads";
          const seen = get(await call(operation, params), "status.code");
          equal(seen === "4711", kind === group, `${operation}: ${String(seen)}`);
        }
        admin.clearFaults(id);
      }
    }));
});

describe("emulator messages that repeat the request's values", () => {
  const secret = 'pä"ss/w\\rd +1';
  const txt = (name: string) => a(name, secret, { record_type: "TXT" });

  it("have the values of a job or of a single call in a fault's message", () =>
    inLab(on(), async (lab) => {
      lab.admin.addFault({ kind: "code", code: "3", message: "No: {sent}." });
      const answer = await lab.create([txt("x"), txt("y")]);
      equal(get(answer, "status.message"), `No: ${secret}, ${secret}.`);
      equal(get(await lab.modify({ value: secret }), "status.message"), `No: ${secret}.`);
    }));

  it("have the values of a job in the error of the record that a test's rule refuses, and of no other", () =>
    inLab({ settings: { refuse: [{ name: "y", message: "{sent}!" }] } }, async (lab) => {
      const answer = await lab.batch([txt("x,y")]);
      deepEqual(each(answer, "detail.0.records", "err_msg"), [null, `${secret}, ${secret}!`]);
    }));
});
