import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPreview } from "../../cli/plan/preview";
import { requestOf, type StackPlan } from "../../cli/plan/report";
import { textOf } from "../../cli/plan/text";
import { plain } from "../../cli/terminal";
import type { PlanEntry, PlanSettings } from "../../provider/lifecycle/plan-file";
import { declared, fileText, fullSettings, held, line, previewText, problem, report, step } from "./previews";
import { cli, fakePulumi, inFolder, refuses, type CliRun } from "./run";

function lines({ domains }: StackPlan): string[] {
  return domains.flatMap((plan) => plan.lines.map(({ sign, text }) => `${sign} ${text}`));
}

/** Runs `plan` with a `pulumi` that prints a text and writes entries as provider processes do. */
async function planned(
  { out = "", err = "", code = 0, entries = [] as readonly PlanEntry[] },
  ...args: readonly string[]
): Promise<CliRun> {
  const runs: CliRun[] = [];
  await inFolder(async (folder) => {
    const texts = { out, err, entries: fileText(entries).split("\n").slice(1).join("\n") };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    const script = `cat ${folder}/entries >> "$PULUMI_LEGACYDNS_PLAN"; cat ${folder}/out; cat ${folder}/err >&2; exit ${code}`;
    runs.push(await cli(["plan", ...args], fakePulumi(folder, script)));
  });
  return runs[0] ?? assert.fail();
}

const update = step("update", "web");
const one = line("+", "new.example.com. A 192.0.2.1");

describe("pulumi-legacydns plan", () => {
  it("prints each zone with its figures and lines in the order of the zone", () => {
    const found = report(
      [update],
      [
        declared(
          [
            line("~", "www.example.com. A 192.0.2.2", {
              was: { text: "www.example.com. A 192.0.2.1", ttl: "60" },
            }),
            line("!", "gone.example.com. A 192.0.2.9"),
            line("=", "a.b.example.com. A 192.0.2.3"),
            line("+", "b.example.com. A 192.0.2.3", { later: true }),
            line("-", "example.com. MX 10 mx.example.com."),
          ],
          { unchanged: { "example.com": 3, "example.net": 1 }, blocked: [problem("why")] },
        ),
      ],
    );
    assert.deepEqual(textOf(found, plain).map(String), [
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
    assert.ok(preview);
    const [a, b, c] = ["a", "b", "c"].map((name) => held(name, [], { domains: [`${name}.example`] }));
    assert.ok(a && b && c);
    assert.deepEqual(requestOf(preview, [a, b, c])?.domains, ["b.example"]);
    assert.deepEqual(requestOf(preview, [a, b, c, c])?.domains, ["b.example", "c.example"]);
    assert.equal(requestOf({ ...preview, steps: [] }, [a, b, c]), undefined);
  });

  it("lists the records of a deleted resource that no other resource declares", () => {
    const records = [
      "a.example.com. A 192.0.2.1",
      "b.example.com. A 192.0.2.1",
      "c.example.com. A 192.0.2.1",
    ];
    const found = report(
      [step("delete", "old"), update],
      [held("old", records), declared([line("=", records[0] ?? "")], { declares: [records[1] ?? ""] })],
    );
    assert.deepEqual(lines(found), [`! ${records[2]}`]);
    assert.deepEqual(found.domains[0]?.unchanged, 1);
  });

  it("decides a deletion with the settings of the program's provider, or the resource's own removal", () => {
    const record = "a.example.com. A 192.0.2.1";
    const signs = (own: object, next: object): string[] =>
      lines(
        report(
          [step("delete", "old"), update],
          [held("old", [record], own), declared([], { settings: fullSettings, ...next })],
        ),
      ).map(([sign = ""]) => sign);
    assert.deepEqual(signs({}, {}), ["-"]);
    assert.deepEqual(signs({ removal: "retain" }, {}), ["."]);
    assert.deepEqual(signs({ removal: "verify" }, {}), ["!"]);
    assert.deepEqual(lines(report([step("delete", "old")], [held("old", [record])])), [`! ${record}`]);
    const kept = step("delete", "old", { retainOnDelete: true });
    assert.deepEqual(lines(report([kept], [held("old", [record])])), [`. ${record}`]);
  });

  it("shows a record that moves between resources as unchanged", () => {
    const record = "a.example.com. A 192.0.2.1";
    const found = report(
      [step("update", "from"), update],
      [declared([], { given: [record] }, "from"), declared([line("=", record)])],
    );
    assert.deepEqual([lines(found), found.domains[0]?.unchanged], [[], 1]);
    const python = report(
      [step("update", "from"), update],
      [declared([line("-", record)], { given: [record] }, "from"), declared([line("=", record)])],
    );
    assert.deepEqual([lines(python), python.domains[0]?.unchanged], [[], 1]);
  });

  it("shows a live record once that leaves a resource and blocks a declared record", () => {
    const alias = line("!", "a.example.com. CNAME b.example.com.", {
      was: { text: "a.example.com. A 192.0.2.1", ttl: "600" },
      refs: ["example.com 1"],
    });
    const leaving = line("!", "a.example.com. A 192.0.2.1", { refs: ["example.com 1"] });
    assert.equal(lines(report([update], [declared([leaving, alias])])).length, 1);
  });

  it("hides the e-mail of a share that is secret, so that its key fits no step", () => {
    const share = line("+", "share with mate@example.org", { ttl: "r" });
    assert.deepEqual(lines(report([], [declared([share])])), ["+ share with (secret)"]);
  });

  it("keeps the deletion of a duplicate", () => {
    const record = "a.example.com. A 192.0.2.1";
    const found = report(
      [update],
      [declared([line("-", record, { duplicate: true })], { declares: [record] })],
    );
    assert.deepEqual(lines(found), [`- ${record}`]);
  });

  it("uses the first of two checks of a replacement, and the last total of a safety gate", () => {
    const gate = (text: string) =>
      problem("gated", { code: "zone.gated", key: "zone.gated example.com", records: [{ text }] });
    const found = report(
      [update],
      [declared([one], { errors: [gate("3 of 10")] }), declared([], { errors: [gate("4 of 10")] })],
    );
    assert.deepEqual(
      [lines(found).length, found.errors.map(({ text }) => text)],
      [1, ["gated [zone.gated]\n  4 of 10"]],
    );
  });

  it("merges equal problems of several resources, and names the resource of a problem without records", () => {
    const limit = (name: string) =>
      problem("example.com: TTL below 60", { code: "limit.ttl", records: [{ text: name }], help: ["more"] });
    const [a, b] = ["a", "b"].map((name) => step("create", name));
    assert.ok(a && b);
    const found = report(
      [a, b],
      [
        declared([], { errors: [limit("a"), limit("b"), problem("wrong", { code: "ttl.unfit" })] }, "a"),
        declared([], { errors: [limit("c")], blocked: [limit("d")] }, "b"),
        declared([], { blocked: [limit("e")] }, "c"),
      ],
    );
    assert.deepEqual(found.errors, [
      { code: "ttl.unfit", text: 'RecordBatch "a": wrong [ttl.unfit]' },
      { code: "limit.ttl", text: "example.com: TTL below 60 [limit.ttl]\n  a\n  b\n  c\n  help: more" },
    ]);
    assert.deepEqual(found.blocked, ["example.com: TTL below 60 [limit.ttl]\n  d\n  e\n  help: more"]);
  });

  it("lists changes only, and with --all the adopted and the unchanged records, too", async () => {
    const adopted = Array.from({ length: 295 }, (_, n) => line("=", `h${n}.example.com. A 192.0.2.1`));
    const all = [...adopted, line(" ", "quiet.example.com. A 192.0.2.2")];
    const entries = [declared([one, ...all], { unchanged: { "example.com": 1, "example.net": 9 } })];
    const shown = async (...args: string[]): Promise<string> =>
      (await planned({ out: previewText([update]), entries }, ...args)).out;
    assert.deepEqual((await shown()).split("\n"), [
      "example.com  1 to create, 295 to adopt, 1 unchanged",
      "  + new.example.com. A 192.0.2.1  600",
      "",
      "example.net  9 unchanged",
      "",
      "1 to create, 295 to adopt, 10 unchanged.",
      "",
    ]);
    const whole = await shown("--unchanged");
    assert.equal(whole.match(/^ {2}= h/gm)?.length, 295);
    assert.match(whole, /^ {4}quiet\.example\.com\. A 192\.0\.2\.2 +600$/m);
    for (const format of ["markdown", "html"]) {
      assert.doesNotMatch(await shown("--format", format), /h0\.example/);
      assert.match(await shown("--unchanged", "--format", format), /= h0\.example[^]*quiet\.example/);
    }
    const { domains } = JSON.parse(await shown("--json")) as StackPlan;
    assert.equal(domains[0]?.lines.filter(({ sign }) => sign === "=").length, 295);
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
    const shown = (format: string): Promise<CliRun> =>
      planned({ out: previewText([update]), entries: [declared([], { checks })] }, "--format", format);
    const { out } = await shown("text");
    assert.match(out, /^Checks\n {2}\* example\.com: an address is private \[private-address\]$/m);
    assert.equal(out.match(/^ +a\d+\.example\.com\. A 10\./gm)?.length, 12, out);
    assert.doesNotMatch(out, /more/);
    assert.match((await shown("markdown")).out, /<summary>Checks: 1<\/summary>/);
    const json = await shown("json");
    assert.deepEqual((JSON.parse(json.out) as StackPlan).checks, checks);
    assert.match(json.out, /"level": "refuse"/);
  });

  it("names the gates that may stop a deletion, and the command that lets it pass", () => {
    const records = Array.from({ length: 7 }, (_, n) => `h${n}.example.com. A 192.0.2.1`);
    const warnings = (texts: readonly string[], more: Partial<PlanSettings> = {}, live = 20) =>
      report(
        [step("delete", "old")],
        [held("old", texts, { settings: { ...fullSettings, ...more }, live: { "example.com": live } })],
      ).warnings;
    const [many = ""] = warnings(records, { confirmedDomains: ["example.org"] });
    assert.match(many, /: many changes \[zone\.gated\]\n {2}7 to delete, 20 live {2}maxChangeShare 30 %/);
    assert.match(many, /help: .*LEGACYDNS_CONFIRMED_DOMAINS=example\.org,example\.com pulumi up$/);
    assert.match(warnings(records, { explicit: true })[0] ?? "", /help: .*confirmedDomains on the Provider/);
    assert.match(warnings(records, {}, 7)[0] ?? "", /: every record of the zone \[zone\.gated\]\n/);
    const confirmed = warnings(records, { confirmedDomains: ["example.com"] });
    // A zone under ten records has no gate for its share.
    assert.deepEqual([warnings(records.slice(2)), confirmed, warnings(records, {}, 9)], [[], [], []]);
  });

  it("contains each warning and error of the diagnostics once, without marks and stack traces", () => {
    const found = report(
      [],
      [],
      [
        { severity: "warning", message: "warning: example.com is paused\n" },
        { severity: "warning", message: "warning: example.com is paused\n" },
        {
          severity: "error",
          message: "error: pulumi-nodejs:dynamic/legacydns:Record resource 'www' has a problem: value: no\n",
        },
        {
          severity: "error",
          message:
            "error: legacydns:index:RecordBatch resource 'x' has a problem: Zone \"x\": there is no file absent.zone\n",
        },
        {
          severity: "error",
          message:
            "error: Running program 'index.js' failed:\nError: bang\n    at Object.<anonymous> \u001b[90m(/x/\u001b[39mindex.js:3:7)\n",
        },
      ],
    );
    assert.equal(found.ok, false);
    assert.deepEqual(found.warnings, ["example.com is paused"]);
    assert.deepEqual(
      found.errors.map(({ text }) => text),
      [
        'Record "www": value: no',
        'Zone "x": there is no file absent.zone',
        "Running program 'index.js' failed:\nError: bang",
      ],
    );
  });

  it("ends with 0, 2 for changes and 3 for blocked changes", async () => {
    const out = previewText([update]);
    const codes = async (entries: readonly PlanEntry[], ...args: string[]): Promise<number> =>
      (await planned({ out, entries }, ...args)).code;
    const blocked = [declared([line("!", "a.example.com. A 192.0.2.1")])];
    assert.deepEqual(
      [
        await codes([declared([one])]),
        await codes([declared([one])], "--fail-on-changes"),
        await codes([declared([], { unchanged: { "example.com": 2 } })], "--fail-on-changes"),
        await codes([declared([one])], "--fail-on-blocked"),
        await codes(blocked, "--fail-on-blocked", "--fail-on-changes"),
      ],
      [0, 2, 0, 0, 3],
    );
    const quiet = await planned({ out, entries: [declared([], { unchanged: { "example.com": 2 } })] });
    assert.equal(quiet.out, "example.com  2 unchanged\n\nNo change to any zone.\n");
  });

  it("counts an update that failed as a change", async () => {
    const out = previewText([step("update", "web", { initErrors: ["no"] })]);
    const run = await planned({ out }, "--fail-on-changes");
    assert.deepEqual([run.code, /RecordBatch "web": the last update failed/.test(run.out)], [2, true]);
  });

  it("prints a failed preview in each format, and ends with 1", async () => {
    const failed = { err: "error: no stack named 'nosuch' found\n", code: 6 };
    const text = await planned(failed, "--stack", "nosuch");
    assert.match(
      text.out,
      /`pulumi preview` failed \[engine\.failed\]\n +no stack named 'nosuch' found\n +help: correct the engine's error, .*\n +help: name the stack: --stack NAME\n\nThe up writes nothing: fix the errors first\.\n$/,
    );
    assert.equal(text.code, 1);
    const json = await planned(failed, "--json");
    const { ok, errors } = JSON.parse(json.out) as { ok: boolean; errors: { text: string }[] };
    const firstLines = errors.map((each) => each.text.split("\n")[0]);
    assert.deepEqual([ok, firstLines], [false, ["`pulumi preview` failed [engine.failed]"]]);
    const silent = await planned({ code: 6 });
    assert.match(silent.out, /\[engine\.failed\]\n +it ended with 6 and no output\n +help: /);
    for (const format of ["markdown", "html"])
      assert.match((await planned(failed, "--format", format)).out, /no stack named/);
    const none = await cli(["plan", "--json"], { PATH: "/nowhere" });
    assert.deepEqual([none.code, (JSON.parse(none.out) as { ok: boolean }).ok], [1, false]);
  });

  refuses(
    "plan",
    [
      [
        "an unknown format",
        ["--format", "pdf"],
        /argument 'pdf' is invalid \[command\.usage\]\n {2}help: Allowed choices are text, markdown, html, json/,
      ],
      [
        "a file without a form",
        ["--out", "plan.pdf"],
        /argument 'plan\.pdf' is invalid \[command\.usage\]\n {2}help: its name ends in \.txt/,
      ],
      [
        "two formats",
        ["--json", "--format", "markdown"],
        /'--json' cannot be used with option '--format <format>'/,
      ],
    ],
    { PATH: "/nowhere" },
  );
});
