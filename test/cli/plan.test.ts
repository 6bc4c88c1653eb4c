import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { readPreview } from "../../cli/plan/preview";
import { requestOf, type StackPlan } from "../../cli/plan/report";
import { textOf } from "../../cli/plan/text";
import { plain } from "../../cli/terminal";
import type { PlanEntry, PlanSettings } from "../../provider/lifecycle/plan-file";
import {
  declared,
  fullSettings,
  held,
  line,
  planned,
  previewText,
  problem,
  report,
  step,
  update,
  updated,
} from "./previews";
import { cli, refuses } from "./run";

function lines({ domains }: StackPlan): string[] {
  return domains.flatMap((plan) => plan.lines.map(({ sign, text }) => `${sign} ${text}`));
}

const host = (name: string) => `${name}.example.com. A 192.0.2.1`;
const record = host("a");
const one = line("+", host("new"));

describe("pulumi-legacydns plan", () => {
  it("prints each zone with its figures and lines in the order of the zone", () => {
    const found = updated(
      [
        line("~", "www.example.com. A 192.0.2.2", { was: { text: host("www"), ttl: "60" } }),
        line("!", "gone.example.com. A 192.0.2.9"),
        line("=", "a.b.example.com. A 192.0.2.3"),
        line("+", "b.example.com. A 192.0.2.3", { later: true }),
        line("-", "example.com. MX 10 mx.example.com."),
      ],
      { unchanged: { "example.com": 3, "example.net": 1 }, blocked: [problem("why")] },
    );
    deepEqual(textOf(found, plain).map(String), [
      "example.com  1 to create, 1 to adopt, 1 to update, 1 to delete, 1 blocked, 3 unchanged",
      "  - example.com. MX 10 mx.example.com.         600",
      "  + b.example.com. A 192.0.2.3                 600 (compared at the update)",
      "  = a.b.example.com. A 192.0.2.3               600 (live already)",
      "  ! gone.example.com. A 192.0.2.9              600 (blocked: stays as it is)",
      "  ~ www.example.com. A 192.0.2.1 => 192.0.2.2  60 => 600",
      "",
      "example.net  1 unchanged",
      "",
      "Blocked",
      "  * why [live.ttl]",
      "",
      "1 to create, 1 to adopt, 1 to update, 1 to delete, 1 blocked, 4 unchanged. The up makes every other change, then fails. Caches can keep old answers for 600 s after the change.",
    ]);
  });

  it("asks for the zones of deleted resources and pending deletions only", () => {
    const preview = readPreview(previewText([step("same", "a"), step("delete", "b"), step("update", "c")]));
    ok(preview);
    const domainsOf = (names: string, asked = preview) => {
      const entries = [...names].map((name) => held(name, [], { domains: [name] }));
      return requestOf(asked, entries)?.domains;
    };
    deepEqual(domainsOf("abc"), ["b"]);
    deepEqual(domainsOf("abcc"), ["b", "c"]);
    equal(domainsOf("abc", { ...preview, steps: [] }), undefined);
  });

  it("lists the records of a deleted resource that no other resource declares", () => {
    const found = report(
      [step("delete", "old"), update],
      [held("old", [record, host("b"), host("c")]), declared([line("=", record)], { declares: [host("b")] })],
    );
    deepEqual([lines(found), found.domains[0]?.unchanged], [[`! ${host("c")}`], 1]);
  });

  it("names a blocked record of a deleted resource by its id, because its data may be secret", () => {
    const secret = line("!", "k.example.com. TXT (secret)");
    const lines = ["7", "8"].map((id) => ({ ...secret, refs: [`account example.com ${id}`] }));
    const share = "share with mate@example.org";
    const all = [...lines, { ...secret, text: share, refs: [`account example.com ${share}`] }];
    const { blocked } = report([step("delete", "old")], [held("old", [], { lines: all })]);
    const shown = blocked.join("\n").matchAll(/^ {2}(?:\S+ TXT .*(record \d+)|(share .*))$/gm);
    deepEqual(
      [...shown].map(([, number, text]) => number ?? text),
      ["record 7", "record 8", share],
    );
  });

  it("names the command that fits where the resource's removal is set", () => {
    const fits = (own: object, explicit: boolean): boolean => {
      const all = {
        lines: [line("!", host("c"))],
        settings: { ...fullSettings, full: false, explicit },
        ...own,
      };
      const { blocked } = report([step("delete", "old")], [held("old", [], all)]);
      return blocked.join("\n").includes("LEGACYDNS_REMOVAL=retain pulumi up");
    };
    deepEqual([fits({}, false), fits({}, true), fits({ removal: "verify" }, false)], [true, false, false]);
  });

  it("names the command that fits for a replaced resource, which the program still declares", () => {
    const pending = held("old", [host("c")], { removal: "verify" });
    const { blocked } = report([step("update", "old")], [held("old", []), pending]);
    match(blocked.join("\n"), /: set removal: "retain" on the resource, then run `pulumi up`/);
  });

  it("decides a deletion with the settings of the program's provider, or the resource's own removal", () => {
    const signs = (own: object, next: object): string[] =>
      lines(
        report(
          [step("delete", "old"), update],
          [held("old", [record], own), declared([], { settings: fullSettings, ...next })],
        ),
      ).map(([sign = ""]) => sign);
    deepEqual(signs({}, {}), ["-"]);
    deepEqual(signs({ removal: "retain" }, {}), ["."]);
    deepEqual(signs({ removal: "verify" }, {}), ["!"]);
    deepEqual(lines(report([step("delete", "old")], [held("old", [record])])), [`! ${record}`]);
    const kept = step("delete", "old", { retainOnDelete: true });
    deepEqual(lines(report([kept], [held("old", [record])])), [`. ${record}`]);
  });

  it("shows a record that moves between resources as unchanged", () => {
    // A program of Python has a line for the resource that gives the record away.
    for (const leaving of [[], [line("-", record)]]) {
      const from = declared(leaving, { given: [record] }, "from");
      const found = report([step("update", "from"), update], [from, declared([line("=", record)])]);
      deepEqual([lines(found), found.domains[0]?.unchanged], [[], 1]);
    }
  });

  it("shows a live record once that leaves a resource and blocks a declared record", () => {
    const refs = ["example.com 1"];
    const was = { text: record, ttl: "600" };
    const alias = line("!", "a.example.com. CNAME b.example.com.", { was, refs });
    const leaving = line("!", record, { refs });
    equal(lines(updated([leaving, alias])).length, 1);
  });

  it("hides the e-mail of a share that is secret, so that its key fits no step", () => {
    const share = line("+", "share with mate@example.org", { ttl: "r" });
    deepEqual(lines(report([], [declared([share])])), ["+ share with (secret)"]);
  });

  it("keeps the deletion of a duplicate", () => {
    const found = updated([line("-", record, { duplicate: true })], { declares: [record] });
    deepEqual(lines(found), [`- ${record}`]);
  });

  it("uses the first of two checks of a replacement, and the last total of a safety gate", () => {
    const gate = (text: string) =>
      problem("gated", { code: "zone.gated", key: "zone.gated example.com", records: [{ text }] });
    const found = report(
      [update],
      [declared([one], { errors: [gate("3 of 10")] }), declared([], { errors: [gate("4 of 10")] })],
    );
    deepEqual(
      [lines(found).length, found.errors.map(({ text }) => text)],
      [1, ["gated [zone.gated]\n  4 of 10"]],
    );
  });

  it("merges equal problems of several resources, and names the resource of a problem without records", () => {
    const limit = (name: string) =>
      problem("example.com: TTL below 60", { code: "limit.ttl", records: [{ text: name }], help: ["more"] });
    const found = report(
      ["a", "b"].map((name) => step("create", name)),
      [
        declared([], { errors: [limit("a"), limit("b"), problem("wrong", { code: "ttl.unfit" })] }, "a"),
        declared([], { errors: [limit("c")], blocked: [limit("d")] }, "b"),
        declared([], { blocked: [limit("e")] }, "c"),
      ],
    );
    deepEqual(found.errors, [
      { code: "ttl.unfit", text: 'RecordBatch "a": wrong [ttl.unfit]' },
      { code: "limit.ttl", text: "example.com: TTL below 60 [limit.ttl]\n  a\n  b\n  c\n  help: more" },
    ]);
    deepEqual(found.blocked, ["example.com: TTL below 60 [limit.ttl]\n  d\n  e\n  help: more"]);
  });

  it("lists changes only, and with --unchanged the adopted and the unchanged records, too", async () => {
    const adopted = Array.from({ length: 295 }, (_, n) => line("=", host(`h${n}`)));
    const all = [...adopted, line(" ", "quiet.example.com. A 192.0.2.2")];
    const entries = [declared([one, ...all], { unchanged: { "example.com": 1, "example.net": 9 } })];
    const shown = async (...args: string[]): Promise<string> => (await planned({ entries }, ...args)).out;
    deepEqual((await shown()).split("\n"), [
      "example.com  1 to create, 295 to adopt, 1 unchanged",
      "  + new.example.com. A 192.0.2.1  600",
      "",
      "example.net  9 unchanged",
      "",
      "1 to create, 295 to adopt, 10 unchanged.",
      "",
    ]);
    equal((await shown("--unchanged")).match(/^ {2}= h/gm)?.length, 295);
    for (const format of ["text", "markdown", "html"]) {
      doesNotMatch(await shown("--format", format), /h0\.example/);
      match(await shown("--unchanged", "--format", format), /= h0\.example[^]* {2}quiet\.example/);
    }
    const { domains } = JSON.parse(await shown("--json")) as StackPlan;
    equal(domains[0]?.lines.filter(({ sign }) => sign === "=").length, 295);
  });

  it("shows every record of the checks that warn, and the checks that refuse in JSON", async () => {
    const checks = Array.from({ length: 13 }, (_, n) => ({
      code: "private-address",
      level: n === 12 ? ("refuse" as const) : ("warn" as const),
      domain: "example.com",
      record: { text: `a${n}.example.com. A 10.0.0.${n}` },
      message: "an address is private",
      help: [],
    }));
    const shown = async (format: string) =>
      (await planned({ entries: [declared([], { checks })] }, "--format", format)).out;
    const text = await shown("text");
    match(text, /^Checks\n {2}\* example\.com: an address is private \[private-address\]$/m);
    equal(text.match(/^ +a\d+\.example\.com\. A 10\./gm)?.length, 12, text);
    match(await shown("markdown"), /<summary>Checks: 1<\/summary>/);
    deepEqual(JSON.parse(await shown("json")).checks, checks);
  });

  it("names the gates that may stop a deletion, and the command that lets it pass", () => {
    const records = Array.from({ length: 7 }, (_, n) => host(`h${n}`));
    const warnings = (texts: readonly string[], more: Partial<PlanSettings> = {}, live = 20) =>
      report(
        [step("delete", "old")],
        [held("old", texts, { settings: { ...fullSettings, ...more }, live: { "example.com": live } })],
      ).warnings;
    const [many = ""] = warnings(records, { confirmedDomains: ["example.org"] });
    match(many, /: many changes \[zone\.gated\]\n {2}7 to delete, 20 live {2}maxChangeShare 30 %/);
    match(many, / LEGACYDNS_CONFIRMED_DOMAINS=example\.org,example\.com pulumi up$/);
    match(warnings(records, { explicit: true })[0] ?? "", /help: .*confirmedDomains on the Provider/);
    match(warnings(records, {}, 7)[0] ?? "", /: every record of the zone \[zone\.gated\]\n/);
    const confirmed = warnings(records, { confirmedDomains: ["example.com"] });
    // A zone under ten records has no gate for its share.
    deepEqual([warnings(records.slice(2)), confirmed, warnings(records, {}, 9)], [[], [], []]);
  });

  it("contains each warning and error of the diagnostics once, without marks and stack traces", () => {
    const messages = [
      ...Array<string>(2).fill("warning: example.com is paused"),
      "error: pulumi-nodejs:dynamic/legacydns:Record resource 'www' has a problem: value: no",
      "error: legacydns:index:RecordBatch resource 'x' has a problem: Zone \"x\": there is no file absent.zone",
      "error: Running program 'index.js' failed:\nError: bang\n    at Object.<anonymous> \u001b[90m(/x/\u001b[39mindex.js:3:7)",
    ];
    const found = report(
      [],
      [],
      messages.map((text) => ({ severity: text.split(":")[0], message: `${text}\n` })),
    );
    equal(found.ok, false);
    deepEqual(found.warnings, ["example.com is paused"]);
    deepEqual(
      found.errors.map(({ text }) => text),
      [
        'Record "www": value: no',
        'Zone "x": there is no file absent.zone',
        "Running program 'index.js' failed:\nError: bang",
      ],
    );
  });

  it("ends with 0, 2 for changes and 3 for blocked changes", async () => {
    const codes = async (entries: readonly PlanEntry[], ...args: string[]) =>
      (await planned({ entries }, ...args)).code;
    const blocked = [declared([line("!", record)])];
    const unchanged = [declared([], { unchanged: { "example.com": 2 } })];
    const changed = [declared([one])];
    equal(await codes(changed), 0);
    equal(await codes(changed, "--fail-on-changes"), 2);
    equal(await codes(unchanged, "--fail-on-changes"), 0);
    equal(await codes(changed, "--fail-on-blocked"), 0);
    equal(await codes(blocked, "--fail-on-blocked", "--fail-on-changes"), 3);
    const { out } = await planned({ entries: unchanged });
    equal(out, "example.com  2 unchanged\n\nNo change to any zone.\n");
  });

  it("counts an update that failed as a change", async () => {
    const failed = previewText([step("update", "web", { initErrors: ["no"] })]);
    const { code, out } = await planned({ out: failed }, "--fail-on-changes");
    equal(code, 2);
    match(out, /RecordBatch "web": the last update failed/);
  });

  it("prints a failed preview in each format, and ends with 1", async () => {
    const failed = { out: "", err: "error: no stack named 'nosuch' found\n", code: 6 };
    const text = await planned(failed, "--stack", "nosuch");
    equal(text.code, 1);
    match(
      text.out,
      / \[engine\.failed\]\n +no stack named 'nosuch' found\n( +help: .*\n)+\nThe up writes nothing: .*\n$/,
    );
    const { ok: isFine, errors } = JSON.parse((await planned(failed, "--json")).out);
    deepEqual([isFine, errors.length], [false, 1]);
    match(errors[0].text, /^`pulumi preview` .* \[engine\.failed\]\n/);
    const silent = await planned({ out: "", code: 6 });
    match(silent.out, /\[engine\.failed\]\n +it ended with 6 and no output\n +help: /);
    for (const format of ["markdown", "html"])
      match((await planned(failed, "--format", format)).out, /no stack named/);
    const none = await cli(["plan", "--json"], { PATH: "/nowhere" });
    deepEqual([none.code, JSON.parse(none.out).ok], [1, false]);
  });

  refuses(
    "plan",
    {
      "an unknown format": [["--format", "pdf"], "command.usage", "'pdf'", "text, markdown, html, json"],
      "a file without a form": [
        ["--out", "plan.pdf"],
        "command.usage",
        "'plan.pdf'",
        ".txt, .md, .html, .json",
      ],
      "two formats": [["--json", "--format", "markdown"], "command.usage", "'--json'", "'--format <format>'"],
    },
    { PATH: "/nowhere" },
  );
});
