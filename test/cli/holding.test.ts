import assert from "node:assert/strict";
import { digest } from "../../provider/dns";
import type { ReportOptions } from "../../cli/plan/report";
import { batch, report, step, type Props } from "./previews";

const own = (...lines: readonly string[]): string => ["ledger 2", ...lines].join("\n");
const key = (text: string): string => digest(`example.com ${text}`);
const texts = ["a.example.com. A 192.0.2.1", "b.example.com. A 192.0.2.2"] as const;
const lines = ["a.example.com. 600 A 192.0.2.1", "b.example.com. 600 A 192.0.2.2"];

/** What is shown as removed with a resource. */
function gone(
  inputs: Props,
  outputs: Props,
  zones: object = {},
  more: readonly object[] = [],
  type = "RecordBatch",
): string[] {
  const { domains } = report(
    [
      ...more,
      step("delete", type, "web", undefined, undefined, {
        oldState: { type: `pulumi-nodejs:dynamic/legacydns:${type}`, inputs, outputs },
      }),
    ],
    [],
    { removal: "delete", full: true, ...zones },
  );
  return domains.flatMap(({ lines: all }) => all.filter(({ sign }) => sign === "-").map(({ text }) => text));
}

describe("what goes with a resource", () => {
  it("is what its ledger answers for, made, adopted or in doubt, and not what the service refused", () => {
    const of = (...ledger: readonly string[]): string[] =>
      gone(batch(lines), batch(lines, undefined, { __ledger: own(...ledger) }));
    assert.deepEqual(of(`+ 0 ${key(texts[0])}:11`), [texts[0]]);
    assert.deepEqual(of(`= 0 ${key(texts[1])}:12`), [texts[1]]);
    assert.deepEqual(of(`@ 7 1 ${key(texts[0])}`, `? 1 ${key(texts[1])}`), texts);
    assert.deepEqual(of(), []);
    // Of a resource with secrets the engine hides the ledger.
    assert.deepEqual(gone(batch(lines), batch(lines, undefined, { __ledger: "[secret]" })), texts);
  });

  it("is what of it is live, where a host has read the zone", () => {
    const ledger = own(`+ 5 ${key(texts[0])}:11 ${key(texts[1])}:12`);
    const read = (records: Readonly<Record<string, string>>, lists = 10): object => ({
      zones: [{ zone: "example.com", records, lists }],
    });
    const of = (zone: object, more?: readonly object[]): string[] =>
      gone(batch(lines), batch(lines, undefined, { __ledger: ledger }), zone, more);
    assert.deepEqual(of(read({ 11: key(texts[0]) })), [texts[0]]);
    // What was made a moment before the reading need not be listed.
    assert.deepEqual(of(read({}, 4)), texts);
    // Beside another provider's resource a zone counts where it lists something of this one: another account has other numbers.
    const elsewhere = batch(["d.example.com. 600 A 192.0.2.4"]);
    const beside = [
      step("update", "RecordBatch", "other", elsewhere, elsewhere, {
        provider: "urn:pulumi:dev::zones::pulumi:providers:pulumi-nodejs::other::1",
      }),
    ];
    assert.deepEqual(
      [of(read({ 11: key(texts[0]) }), beside), of(read({ 77: key(texts[0]) }), beside)],
      [[texts[0]], texts],
    );
    // What has become another resource's record in the console is that one's.
    const other = batch(["c.example.com. 600 A 192.0.2.3"]);
    assert.deepEqual(
      of(read({ 11: key(texts[0]), 12: key("c.example.com. A 192.0.2.3") }), [
        step("same", "RecordBatch", "other", other, other),
      ]),
      [texts[0]],
    );
  });

  it("has the TTL that is live, and none where a declared one may never have been", () => {
    const half = {
      initErrors: ["a.example.com. A 192.0.2.1: not changed"],
      inputs: batch(lines),
      outputs: batch(lines, undefined, { __ledger: own(`+ 0 ${key(texts[0])}:11`) }),
    };
    const ttls = (state: object, ...zones: readonly object[]): string[] => {
      const oldState = { type: "pulumi-nodejs:dynamic/legacydns:RecordBatch", ...half, ...state };
      return report([step("delete", "RecordBatch", "web", undefined, undefined, { oldState })], [], {
        removal: "delete",
        full: true,
        zones: zones as ReportOptions["zones"] & object,
      }).domains.flatMap(({ lines: all }) => all.map(({ ttl }) => ttl));
    };
    const read = {
      zone: "example.com",
      records: { 11: key(texts[0]) },
      ttls: { 11: "300 (disabled)" },
      lists: 10,
    };
    assert.deepEqual(
      [ttls({}, read), ttls({}), ttls({ initErrors: [] })],
      [["300 (disabled)"], [""], ["600"]],
    );
  });

  it("is named where its inputs, or what a refresh found, name it, and else counted", () => {
    const ledger = { __ledger: own(`+ 0 ${key(texts[1])}:12`, "- example.com 11") };
    const last = (more: readonly string[] = []): Props =>
      batch([...lines.slice(1), ...more], undefined, ledger);
    assert.deepEqual(gone(batch(lines), last()), texts);
    const found = "a.example.com. 600 A 192.0.2.99 ; not declared";
    assert.deepEqual(gone(batch([...lines.slice(1), found]), last([found])), [
      "a.example.com. A 192.0.2.99",
      texts[1],
    ]);
    assert.deepEqual(gone(batch([...lines, "c.example.com. 600 A 192.0.2.3"]), last()), [
      texts[1],
      "a record that an earlier up has left over (record 11)",
    ]);
    assert.deepEqual(gone(batch(lines.slice(1)), last()), [
      texts[1],
      "a record that an earlier up has left over (record 11)",
    ]);
    const read = {
      zones: [
        {
          zone: "example.com",
          records: { 11: "other", 12: key(texts[1]) },
          places: { 11: "t.example.com. TXT [电信]", 12: "b.example.com. A" },
          lists: 10,
        },
      ],
    };
    assert.deepEqual(gone(batch(lines.slice(1)), last(), read), [
      texts[1],
      "t.example.com. TXT [not shown] [电信]",
    ]);
  });

  it("is a single record also where its value is secret or a refresh found another", () => {
    const api = { domain: "example.com", name: "a", type: "A", value: "192.0.2.99", ttl: 600 };
    const of = (value: string, zone: object = {}): string[] =>
      gone(
        { ...api, value },
        { ...api, value, __ledger: own(`+ 0 ${key(texts[0])}:11`) },
        zone,
        [],
        "Record",
      );
    assert.deepEqual(
      [of("192.0.2.99"), of("[secret]")],
      [["a.example.com. A 192.0.2.99"], ["a.example.com. A [secret]"]],
    );
    assert.deepEqual(of("192.0.2.99", { zones: [{ zone: "example.com", records: {}, lists: 10 }] }), []);
  });
});
