import { deepEqual, equal, match } from "node:assert/strict";
import {
  asIs,
  calls,
  code,
  everything,
  facts,
  get,
  heldId,
  on,
  pick,
  refusals,
  unwritable,
  type Fact,
  type Params,
} from "./lab";

facts("Record.Modify", [
  [
    "record {id int, name, value, status, weight null}; the record keeps its id, and Record.Info tells the present",
    async (lab) => {
      const moved = { sub_domain: "moved", record_type: "CNAME", value: "Example.org", ttl: "900" };
      const record = { id: 501, name: "moved", value: "Example.org.", status: "enable", weight: null };
      deepEqual(get(await lab.modify(moved), "record"), record);
      deepEqual(lab.live("moved"), ["moved 900 CNAME Example.org."]);
      const info = await lab.call("Record.Info", { record_id: "501" });
      deepEqual(pick(info, "record.value", "record.ttl"), ["Example.org.", "900"]);
    },
    on({ indexDelay: 30 }),
  ],
  [
    "sub_domain omitted is the apex, not the record's own name",
    async (lab) => {
      const txt = { record_id: "507", record_type: "TXT", record_line: "默认", value: "v=spf1 -all" };
      await lab.call("Record.Modify", txt);
      deepEqual([lab.live("txt"), lab.live("@")[2]], [[], "@ 600 TXT v=spf1 -all"]);
    },
    on(),
  ],
  [
    "ttl omitted stays; weight omitted is dropped, status omitted is enable (thin evidence)",
    async (lab) => {
      lab.admin.setRecord("example.com", 506, { ttl: 1200, enabled: false });
      const geo = { record_id: "506", sub_domain: "geo", record_type: "A", value: "192.0.2.23" };
      for (const [params, line, weight] of [
        [
          { record_line_id: "10=0", weight: "9", status: "disable" },
          "geo 1200 A 192.0.2.23 [电信] (disabled)",
          9,
        ],
        [{ record_line: "电信" }, "geo 1200 A 192.0.2.23 [电信]", null],
      ] as const) {
        await lab.call("Record.Modify", { ...geo, ...params });
        equal(lab.live("geo")[0], line);
        equal(get(await lab.call("Record.Info", { record_id: "506" }), "record.weight"), weight);
      }
    },
    on(),
  ],
  [
    "has a code for each refusal: record, value, label, line, type, priority, conflict, TTL, status and domain",
    refusals(
      "Record.Modify",
      [
        ["8", { record_id: "999" }],
        ["8", { record_id: "x" }],
        ["8", { domain: "plan.example" }],
        ["17", { value: "192.0.2.300" }],
        ["22", { sub_domain: "-x" }],
        ["24", { sub_domain: "*.b.c.d.e.f" }],
        ["26", { record_line: "" }],
        ["27", { record_type: "" }],
        ["30", { record_id: "503", record_type: "MX", value: "mx1.example.com" }],
        ["31", { sub_domain: "geo", record_type: "CNAME", value: "example.org" }],
        ["32", { ttl: "1" }],
        ["34", { status: "1" }],
        ["104", { record_id: "505" }],
        ["6", { domain: "" }],
        ...unwritable,
      ],
      asIs,
    ),
    on(),
  ],
  [
    "the service's own NS records cannot be modified or removed (code 3: none is known)",
    async (lab) => {
      const ns = { record_id: heldId(lab), record_type: "NS", value: "ns.example.org", status: "disable" };
      for (const operation of ["Record.Modify", "Record.Remove"])
        equal(await lab.code(operation, { ...asIs, ...ns }), "3", operation);
      equal(lab.admin.zone("example.com", { hold: true }).length, 9);
    },
    on(),
  ],
]);

facts("updates that change nothing", [
  [
    "succeed, and more than five in an hour lock the record for an hour: 21, a change too",
    async (lab) => {
      for (const expected of ["1", "1", "1", "1", "1", "1", "21"])
        equal(code(await lab.modify({})), expected);
      lab.tick(59 * 60_000);
      equal(code(await lab.modify({ value: "192.0.2.2" })), "21");
      deepEqual(lab.live("@")[0], "@ 600 A 192.0.2.1");
      lab.tick(60_000);
      equal(code(await lab.modify({ value: "192.0.2.2" })), "1");
    },
    on(),
  ],
]);

facts("Record.Remove", [
  [
    "Record.Remove takes the record away and answers status only; a second time it is 8, as any bad id",
    async (lab) => {
      const answer = await lab.call("Record.Remove", { record_id: "502" });
      deepEqual(Object.keys(answer as object), ["status"]);
      deepEqual(lab.live("www"), []);
      for (const record_id of ["502", "1", "x", ""])
        equal(await lab.code("Record.Remove", { record_id }), "8");
      equal(await lab.code("Record.Info", { record_id: "502" }), "8");
    },
    on(),
  ],
  [
    "Record.Remove is refused for a domain that is banned, locked, not the caller's, or not named",
    refusals("Record.Remove", [...unwritable, ["6", { domain: "" }]], { record_id: "501" }),
    on(),
  ],
]);

facts("Record.List after a call that changes or removes", [
  [
    "shows the old data until the index has caught up, as with a new record; Record.Info tells the present",
    async (lab) => {
      await lab.modify({ record_id: "505", sub_domain: "geo", value: "192.0.2.20", status: "disable" });
      lab.tick(20_000);
      await lab.modify({ record_id: "505", sub_domain: "geo", value: "192.0.2.24", ttl: "900" });
      const seen: string[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        seen.push((await lab.listed("geo"))[0] ?? "");
        lab.tick(10_000);
      }
      const off = "600 A 192.0.2.20 off";
      deepEqual(seen, ["600 A 192.0.2.20", off, off, "900 A 192.0.2.24"]);
      equal(get(await lab.call("Record.Info", { record_id: "505" }), "record.value"), "192.0.2.24");
    },
    on({ indexDelay: 30 }),
  ],
  [
    "still lists a removed record, in its place and in the counts, until then; Record.Info says it is gone",
    async (lab) => {
      await lab.call("Record.Remove", { record_id: "502" });
      equal(await lab.code("Record.Info", { record_id: "502" }), "8");
      const seen = async () => pick(await lab.call("Record.List"), "info.sub_domains", "records.3.id");
      deepEqual(await seen(), ["9", "502"]);
      lab.tick(30_000);
      deepEqual(await seen(), ["8", "503"]);
    },
    on({ indexDelay: 30 }),
  ],
  [
    "modifyDelay and removeDelay are switches of their own",
    async (lab) => {
      await lab.modify({ record_id: "505", sub_domain: "geo", value: "192.0.2.24" });
      await lab.call("Record.Remove", { record_id: "502" });
      deepEqual([(await lab.listed("geo"))[0], await lab.listed("www")], ["600 A 192.0.2.20", []]);
      lab.tick(5_000);
      equal((await lab.listed("geo"))[0], "600 A 192.0.2.24");
    },
    on({ indexDelay: 30, modifyDelay: 5, removeDelay: 0 }),
  ],
]);

facts(
  "operations outside api.md: the switch",
  Object.entries(calls).map(([operation, params]): Fact => [
    `${operation} is as unknown as any word by default but names the option, and is answered when the setting is on`,
    async (lab) => {
      const before = everything(lab);
      const unknown = get(await lab.call("No.Such"), "status") as Params;
      const status = get(await lab.call(operation, params), "status") as Params;
      deepEqual({ ...status, message: "" }, { ...unknown, code: "3", message: "" });
      match(status["message"] ?? "", new RegExp(`^Unknown operation ${operation}.*--undocumented`));
      equal(everything(lab), before);
      lab.admin.set({ undocumented: true });
      equal(await lab.code(operation, params), "1");
      lab.admin.set({ undocumented: false });
      equal(await lab.code(operation, params), "3");
    },
  ]),
);
