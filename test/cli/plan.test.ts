import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gateSettings } from "../../cli/plan/gate-notes";
import { readTold } from "../../cli/plan/outlooks";
import { readPreview } from "../../cli/plan/preview";
import { markdownOf } from "../../cli/plan/markdown";
import { pendingDeletions } from "../../cli/plan/pending";
import { hasChanges, type PlanReport } from "../../cli/plan/report";
import { pageOf } from "../../cli/plan/page";
import { textOf } from "../../cli/plan/text";
import { coloursOf } from "../../cli/terminal";
import { systemClock } from "../../provider/clock";
import type { OutlookZone } from "../../provider/lifecycle/outlook";
import { reason } from "../../provider/problems";
import { newSealingKey } from "../../provider/sealing";
import { batch, report, step, type Props } from "./previews";
import { cli, type CliRun } from "./run";

const plainColours = coloursOf(
  { env: {}, out: { write: () => true }, err: { write: () => true }, clock: systemClock, exitCode: 0 },
  { write: () => true },
);

/** The lines of all domains, as text prints them. */
function lines(of: PlanReport): string[] {
  return of.domains.flatMap(({ domain, lines: own }) =>
    own.map(({ sign, text, ttl, was }) =>
      `${domain}: ${sign} ${text} ${was === undefined ? ttl : `${was} => ${ttl}`}`.trimEnd(),
    ),
  );
}

/** Runs `plan` with a `pulumi` that prints what is given. */
async function planned(out: string, code: number, args: readonly string[] = [], err = ""): Promise<CliRun> {
  const folder = mkdtempSync(join(tmpdir(), "legacydns-plan-"));
  try {
    writeFileSync(join(folder, "out"), out);
    writeFileSync(join(folder, "err"), err);
    writeFileSync(
      join(folder, "pulumi"),
      `#!/bin/sh\n[ "$4" = config ] && { echo retain; exit 0; }\ncat ${folder}/out; cat ${folder}/err >&2; exit ${code}\n`,
    );
    chmodSync(join(folder, "pulumi"), 0o755);
    return await cli(["plan", ...args], { PATH: `${folder}:/usr/bin:/bin` });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const web = batch(["example.com. 600 A 192.0.2.1", "www.example.com. A 192.0.2.2"]);

describe("pulumi-legacydns plan", () => {
  it("counts and shows additions, changes, removals and what stays, per domain, in the order of a zone", () => {
    const before = batch([
      "example.com. 600 A 192.0.2.1",
      "old.example.com. 600 A 192.0.2.1",
      "a.b.example.com. 60 A 192.0.2.1",
      "same.example.com. A 192.0.2.1",
    ]);
    const after = batch([
      "example.com. 300 A 192.0.2.1",
      "a.b.example.com. 60 A 192.0.2.1",
      "b.example.com. 600 A 192.0.2.1",
      "same.example.com. A 192.0.2.1",
    ]);
    const found = report([
      step("update", "RecordBatch", "web", before, after),
      step("create", "Record", "net", undefined, {
        domain: "example.net",
        name: "www",
        type: "MX",
        value: "mx.example.net.",
        priority: 10,
        ttl: 900,
      }),
    ]);
    assert.deepEqual(lines(found), [
      "example.com: ! example.com. A 192.0.2.1 600 => 300",
      "example.com: + b.example.com. A 192.0.2.1 600",
      "example.com: ! old.example.com. A 192.0.2.1 600",
      "example.net: + www.example.net. MX 10 mx.example.net. 900",
    ]);
    assert.deepEqual(
      found.domains.map(({ add, change, remove, stays, fails, unchanged }) => [
        add,
        change,
        remove,
        stays,
        fails,
        unchanged,
      ]),
      [
        [1, 0, 0, 2, 2, 2],
        [1, 0, 0, 0, 0, 0],
      ],
    );
    const full = report([step("update", "RecordBatch", "web", before, after)], [], {
      removal: "delete",
      full: true,
    });
    assert.deepEqual(
      full.domains.map(({ add, change, remove, stays, unchanged }) => [
        add,
        change,
        remove,
        stays,
        unchanged,
      ]),
      [[1, 1, 1, 0, 2]],
    );
    assert.equal(
      textOf(found, plainColours).at(-1),
      "2 to add, 0 to change, 0 to remove, 2 stay (the up fails).",
    );
  });

  it("says what the engine does where the up fails before other resources, and nothing of it where a refusal comes first", () => {
    const failing = [
      step(
        "update",
        "RecordBatch",
        "web",
        web,
        batch(["example.com. 600 A 192.0.2.1", "new.example.com. A 192.0.2.3"]),
      ),
    ];
    const another = step(
      "create",
      "RecordBatch",
      "other",
      undefined,
      batch(["other.example.com. 600 A 192.0.2.9"]),
    );
    const isTold = (
      steps: readonly object[],
      refusals: readonly { code: string; text: string }[] = [],
    ): boolean => {
      const refused = {
        of: "example.net www.example.net. A 192.0.2.1",
        entries: [],
        unchanged: {},
        refusals,
        limits: [],
        checks: [],
      };
      return report(steps, [], { outlooks: [refused] }).warnings.some((text) =>
        text.includes("--continue-on-error"),
      );
    };
    assert.deepEqual(
      [
        isTold(failing),
        isTold([...failing, another]),
        isTold([...failing, another], [{ code: "line.unknown", text: "no such line" }]),
      ],
      [false, true, false],
    );
  });

  it("shows what was before what is to be, in the data and in the TTL", () => {
    const change = (text: string, ttl: string, was: { text: string; ttl: string }) => ({
      outcome: "change" as const,
      domain: "example.com",
      text,
      ttl,
      was,
    });
    const outlook = {
      of: "example.com example.com. A 192.0.2.1",
      entries: [
        change("www.example.com. CNAME new.example.net.", "600", {
          text: "www.example.com. CNAME old.example.net.",
          ttl: "600",
        }),
        change("a.example.com. A 192.0.2.2", "300", {
          text: "a.example.com. CNAME old.example.net.",
          ttl: "600",
        }),
        change("b.example.com. A 192.0.2.2", "300", { text: "b.example.com. A 192.0.2.2", ttl: "600" }),
        change("new.example.com. A 192.0.2.2", "600", { text: "old.example.com. A 192.0.2.2", ttl: "600" }),
      ],
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [],
    };
    const found = report([step("update", "RecordBatch", "web", web, web)], [], { outlooks: [outlook] });
    assert.deepEqual(
      textOf(found, plainColours)
        .slice(1, 5)
        .map((line) => line.trim().replace(/ {2,}/g, " ")),
      [
        "~ a.example.com. CNAME old.example.net. => A 192.0.2.2 600 => 300",
        "~ b.example.com. A 192.0.2.2 600 => 300",
        "~ old.example.com. A 192.0.2.2 => new.example.com. A 192.0.2.2 600",
        "~ www.example.com. CNAME old.example.net. => new.example.net. 600",
      ],
    );
  });

  it("counts what is adopted and what is refused by itself, and shows no TTL that stays as it is", () => {
    const of = (
      outcome: "add" | "adopt" | "change" | "refuse",
      text: string,
      ttl: string,
      was?: { text: string; ttl: string },
    ) => ({ outcome, domain: "example.com", text, ttl, ...(was === undefined ? {} : { was }) });
    const outlook = {
      of: "example.com a.example.com. A 192.0.2.1",
      entries: [
        of("adopt", "a.example.com. A 192.0.2.1", "default"),
        of("refuse", "b.example.com. A 192.0.2.1 [天空]", "default"),
        of("refuse", "c.example.com. A 192.0.2.1", "300", { text: "c.example.com. A 192.0.2.1", ttl: "600" }),
      ],
      unchanged: {},
      refusals: [{ code: "line.unknown", text: "no such line" }],
      limits: [],
      checks: [],
    };
    const net = (ttl: string): Props =>
      batch([`www.example.net. ${ttl} 192.0.2.1`, "api.example.net. 600 A 192.0.2.1"], ["example.net"]);
    const steps = [
      step("create", "RecordBatch", "web", undefined, batch(["a.example.com. A 192.0.2.1"])),
      step("update", "RecordBatch", "net", net("600 A"), net("A")),
    ];
    const found = report(steps, [], { outlooks: [outlook] });
    assert.deepEqual(
      found.domains.map(({ add, adopt, change, stays, fails, refused, unchanged, lines: own }) => [
        add,
        adopt,
        change,
        stays,
        fails,
        refused,
        unchanged,
        own.map(({ sign }) => sign).join(""),
      ]),
      [
        [0, 1, 0, 0, 0, 2, 0, "=xx"],
        [0, 0, 0, 0, 0, 0, 2, ""],
      ],
    );
    const text = textOf(found, plainColours);
    assert.deepEqual(text.slice(0, 4), [
      "example.com  = 1 to adopt  x 2 refused  0 unchanged",
      "  = a.example.com. A 192.0.2.1         default (live already: adopted)",
      "  x b.example.com. A 192.0.2.1 [天空]  default (refused)",
      "  x c.example.com. A 192.0.2.1         600 => 300 (refused)",
    ]);
    assert.match(
      text.at(-1) ?? "",
      /^Partial figures, since something is refused: 0 to add, 1 to adopt, 0 to change, 0 to remove, 2 refused\. /,
    );
    const comment = markdownOf(found);
    assert.match(
      comment,
      /\| zone \| \+ add \| = adopt \| ~ change \| - remove \| ! stays \| x refused \| unchanged \|\n.*\n\| example\.com \| 0 \| 1 \| 0 \| 0 \| 0 \| 2 \| 0 \|\n/,
    );
    assert.match(
      comment,
      /\nx b\.example\.com\. A 192\.0\.2\.1 \[天空\] ; refused\nx c\.example\.com\. 600 A 192\.0\.2\.1 ; TTL 300 is declared: refused\n/,
    );
  });

  it("counts a live record that stays once, though two declared records ask for its place and none declares it", () => {
    const alias = { text: "www.example.com. CNAME old.example.net.", ttl: "600" };
    const differ = (value: string) => ({
      outcome: "differ" as const,
      domain: "example.com",
      text: `www.example.com. A ${value}`,
      ttl: "600",
      was: alias,
    });
    const outlook = {
      of: "example.com www.example.com. A 192.0.2.1",
      entries: [
        differ("192.0.2.1"),
        differ("192.0.2.2"),
        { outcome: "leave" as const, domain: "example.com", ...alias },
      ],
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [],
    };
    const after = batch(["www.example.com. 600 A 192.0.2.1", "www.example.com. 600 A 192.0.2.2"]);
    const found = report(
      [step("update", "RecordBatch", "web", batch([`www.example.com. 600 CNAME old.example.net.`]), after)],
      [],
      { outlooks: [outlook] },
    );
    assert.deepEqual(
      found.domains.map(({ stays, fails, lines: own }) => [
        stays,
        fails,
        own.map(({ sign }) => sign).join(""),
      ]),
      [[1, 1, "!!"]],
    );
  });

  it("counts each declared record that is refused, though one live record is in the way of two", () => {
    const refuse = (value: string) => ({
      outcome: "refuse" as const,
      domain: "example.com",
      text: `www.example.com. A ${value}`,
      ttl: "600",
      was: { text: "www.example.com. CNAME old.example.net.", ttl: "600" },
    });
    const refusals = ["192.0.2.1", "192.0.2.2"].map((value) => ({
      code: "live.blocked",
      text: `www.example.com. A ${value}: in its way`,
    }));
    const outlook = {
      of: "example.com www.example.com. A 192.0.2.1",
      entries: [refuse("192.0.2.1"), refuse("192.0.2.2")],
      unchanged: {},
      refusals,
      limits: [],
      checks: [],
    };
    const after = batch(["www.example.com. 600 A 192.0.2.1", "www.example.com. 600 A 192.0.2.2"]);
    const found = report(
      [step("update", "RecordBatch", "web", batch(["www.example.com. 600 CNAME old.example.net."]), after)],
      [],
      { outlooks: [outlook] },
    );
    assert.deepEqual(
      found.domains.map(({ refused, stays, lines: own }) => [
        refused,
        stays,
        own.map(({ sign }) => sign).join(""),
      ]),
      [[2, 0, "xx"]],
    );
    assert.equal(found.refusals.length, 2);
    assert.equal(textOf(found, plainColours)[0], "example.com  x 2 refused  0 unchanged");
    assert.match(markdownOf(found), /\n\| example\.com \| 0 \| 0 \| 0 \| 0 \| 0 \| 2 \| 0 \|\n/);
  });

  it("shows nothing of a record that moves from one resource to another", () => {
    const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.2", ttl: "default" };
    const found = report([
      step("delete", "Record", "www", record, undefined),
      step("create", "RecordBatch", "web", undefined, web),
    ]);
    assert.deepEqual(lines(found), ["example.com: + example.com. A 192.0.2.1 600"]);
    assert.deepEqual(found.limits, []);
  });

  it("compares the state of an older version with the text of today", () => {
    const old = {
      domains: ["example.com"],
      records: {
        "example.com. A 192.0.2.1": 600,
        "www.example.com. A 192.0.2.2": "default",
        "old.example.com. A 192.0.2.1": "600 (disabled)",
      },
    };
    assert.deepEqual(lines(report([step("update", "RecordBatch", "web", old, web)])), [
      "example.com: ! old.example.com. A 192.0.2.1 600 (disabled)",
    ]);
  });

  it("takes no notice of refresh steps, and shows what a refresh found as the update has it", () => {
    const live = batch([
      "example.com. 60 A 192.0.2.1 ; drifted, declared 600",
      "www.example.com. A 192.0.2.2",
    ]);
    const found = report([
      step("refresh", "RecordBatch", "web", web, live),
      step("update", "RecordBatch", "web", live, web),
    ]);
    assert.deepEqual(lines(found), ["example.com: ! example.com. A 192.0.2.1 60 (drifted) => 600"]);
  });

  it("shows a secret record without its value, and that the value changes, and the others as they are", () => {
    const more = { secrets: "[secret]", sensitive: true };
    const open = ["a.example.com. 600 A 192.0.2.1", "; b.example.com. TXT (secret same)"];
    const before = batch([...open, "; k.example.com. 600 TXT (secret one) ; line=电信"], undefined, more);
    const after = batch([...open, "; k.example.com. 600 TXT (secret two) ; line=电信"], undefined, more);
    const found = report([step("update", "RecordBatch", "web", before, after)]);
    assert.deepEqual(lines(found), [
      "example.com: ! k.example.com. TXT [secret] [电信] 600",
      "example.com: + k.example.com. TXT [secret] [电信] 600",
    ]);
    assert.equal(found.domains[0]?.unchanged, 2);
  });

  it("never shows what is secret as a whole, but that it changes", () => {
    const secret = { domains: ["example.com"], records: "[secret]" };
    const diff = { detailedDiff: { records: { kind: "update" } } };
    const record = { domain: "example.com", name: "k", type: "TXT", value: "[secret]", ttl: 600 };
    const found = report([
      step("update", "RecordBatch", "changed", secret, secret, diff),
      step("same", "RecordBatch", "same", secret, secret),
      step("replace", "Record", "k", record, record, { detailedDiff: { value: { kind: "update" } } }),
      step("same", "Record", "same", { ...record, name: "s" }, { ...record, name: "s" }),
    ]);
    assert.deepEqual(lines(found), [
      "example.com: ! k.example.com. TXT [secret] 600",
      "example.com: + k.example.com. TXT [secret] 600",
      'example.com: ~ RecordBatch "changed": its records are secret',
    ]);
  });

  it("shows what is not known before the update as such", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const found = report([
      step(
        "create",
        "RecordBatch",
        "late",
        undefined,
        batch([
          "; www.example.com. 600 A (known after the update)",
          "; www.example.com. (TTL known after the update) A 192.0.2.1",
        ]),
      ),
      step("create", "Record", "k", undefined, {
        domain: "example.com",
        name: "@",
        type: "TXT",
        value: unknown,
        ttl: "default",
      }),
    ]);
    assert.deepEqual(lines(found), [
      "example.com: + example.com. TXT (known after the update) default",
      "example.com: + www.example.com. A (known after the update) 600",
      "example.com: + www.example.com. A 192.0.2.1 (known after the update)",
    ]);
    // A host that was asked about the resource tells of what it knows alone.
    const some = batch([
      "a.example.com. 600 A 192.0.2.1",
      "; (known after the update).example.com. 600 CNAME (known after the update)",
      "; (a record known after the update)",
    ]);
    const outlook = {
      of: "example.com a.example.com. A 192.0.2.1",
      entries: [
        { outcome: "add" as const, domain: "example.com", text: "a.example.com. A 192.0.2.1", ttl: "600" },
      ],
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [],
    };
    const asked = report([step("create", "RecordBatch", "some", undefined, some)], [], {
      outlooks: [outlook],
    });
    assert.deepEqual(
      asked.domains.map(({ add, later }) => [add, later]),
      [[3, 2]],
    );
    assert.equal(
      textOf(asked, plainColours).at(-1),
      "3 to add (2 known at the update), 0 to change, 0 to remove.",
    );
    for (const form of [markdownOf(asked), pageOf(asked, { at: 0, version: "1" })])
      assert.match(form, /3 to add \(2 known at the update\)/);
  });

  it("shows no change of a TTL where a record known later declares none", () => {
    const entry = (text: string, ttl: string, unknown: number) => ({
      outcome: "undecided" as const,
      domain: "example.com",
      text,
      ttl,
      unknown,
    });
    const entries = [
      entry("a.example.com. A 192.0.2.1", "600", 0),
      entry("b.example.com. A 192.0.2.1", "600 (disabled)", 1),
      entry("c.example.com. A 192.0.2.1", "600", 2),
    ];
    const outlook = {
      of: "example.com example.com. A 192.0.2.9",
      entries,
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [],
    };
    const late = [
      "; a.example.com. A (known after the update)",
      "; b.example.com. A (known after the update)",
      "; c.example.com. 300 A (known after the update)",
    ];
    const found = report(
      [
        step(
          "update",
          "RecordBatch",
          "web",
          batch(["example.com. A 192.0.2.9"]),
          batch(["example.com. A 192.0.2.9", ...late]),
        ),
      ],
      [],
      { outlooks: [outlook] },
    );
    assert.deepEqual(textOf(found, plainColours).slice(1, 4), [
      "  ? a.example.com. A 192.0.2.1 => (known after the update)  600 (stays, unless the update finds another)",
      "  ? b.example.com. A 192.0.2.1 => (known after the update)  600 (disabled) => 600 (stays, unless the update finds another)",
      "  ? c.example.com. A 192.0.2.1 => (known after the update)  600 => 300 (stays, unless the update finds another)",
    ]);
  });

  it("shows shares, and counts other resources in a line", () => {
    const share = { domain: "example.com", email: "mate@example.com", mode: "r" };
    const found = report([
      step("create", "pulumi:pulumi:Stack", "zones-dev", undefined, {}),
      step("create", "legacydns:index:Zone", "example.com", undefined, {}),
      step("update", "DomainShare", "mate", share, { ...share, mode: "rw", subDomain: "www" }),
      step("create", "aws:s3/bucket:Bucket", "b", undefined, {}),
      step("delete", "aws:s3/bucket:Bucket", "c", {}, undefined),
      step("same", "aws:s3/bucket:Bucket", "d", {}, {}),
    ]);
    assert.deepEqual(lines(found), ["example.com: ~ share with mate@example.com r => rw on www"]);
    assert.deepEqual([found.others, found.limits], [{ create: 1, delete: 1 }, []]);
  });

  it("says what the gates may refuse of what is taken out of the program, where the share can be too large", () => {
    const hosts = (count: number, more: readonly string[] = []): Props =>
      batch([...Array.from({ length: count }, (_, n) => `h${n}.example.com. 600 A 192.0.2.${n}`), ...more]);
    const warned = (records: Props, more: object[] = [], options = {}): string[] =>
      report([step("delete", "RecordBatch", "web", records, undefined), ...more], [], {
        removal: "delete",
        full: true,
        ...options,
      }).warnings.map((text) => text.replace(/ and may refuse it\. If .*$/, ""));
    const checks = (removal: string, against: string): string[] => [
      `example.com: the up checks the removal of ${removal} against ${against}`,
    ];
    // Three of ten records are not more than 30 %, whatever else the zone holds.
    assert.deepEqual(warned(hosts(3)), []);
    assert.deepEqual(warned(hosts(4)), checks("4 records", "maxChangeShare (30 %)"));
    const mail = ["example.com. 600 MX 10 mx.example.net.", "example.com. 600 NS ns1.example.net."];
    assert.deepEqual(
      warned(hosts(0, mail)),
      checks("2 records", "the NS records of the apex and the last MX record"),
    );
    // A domain is confirmed however it is written.
    const idn = batch(["xn--bcher-kva.example. 600 NS ns1.example.net."], ["xn--bcher-kva.example"]);
    assert.deepEqual(
      ["other.example", "Bücher.Example", '["bücher.example"]'].map(
        (domains) => warned(idn, [], { gates: gateSettings("30", domains) }).length,
      ),
      [1, 0, 0],
    );
    const other = batch([
      "example.com. 600 MX 20 mx.example.org.",
      ...Array.from({ length: 10 }, (_, n) => `k${n}.example.com. 600 A 192.0.2.${n}`),
    ]);
    const rest = [step("same", "RecordBatch", "rest", other, other)];
    assert.deepEqual(warned(hosts(4, mail.slice(0, 1)), rest), checks("5 records", "maxChangeShare (30 %)"));
    assert.deepEqual(warned(hosts(3, mail.slice(0, 1)), rest), []);
    const gates = (maxChangeShare: number, ...confirmedDomains: string[]): object => ({
      gates: { maxChangeShare, confirmedDomains },
    });
    assert.deepEqual(
      [
        warned(hosts(4), [], gates(40)),
        warned(hosts(9), [], gates(30, "example.com")),
        warned(hosts(9), [], { removal: "retain" }),
      ],
      [[], [], []],
    );
    assert.deepEqual(warned(hosts(2), [], gates(10)), checks("2 records", "maxChangeShare (10 %)"));
    // Where a host has read the zone, the share is known.
    const changed = step(
      "update",
      "RecordBatch",
      "rest",
      batch(["a.example.com. 600 A 192.0.2.1"]),
      batch(["a.example.com. 60 A 192.0.2.1"]),
    );
    const zone = (live: number): OutlookZone => ({
      zone: "example.com",
      records: Object.fromEntries(Array.from({ length: live }, (_, n) => [String(n), `digest${n}`])),
      lists: 0,
    });
    const outlook = (live: number): object => ({
      zones: [zone(live)],
      outlooks: [
        {
          of: "example.com a.example.com. A 192.0.2.1",
          entries: [],
          unchanged: {},
          refusals: [],
          limits: [],
          checks: [],
        },
      ],
    });
    assert.deepEqual(
      [9, 13, 14].map((live) => warned(hosts(4), [changed], outlook(live)).length),
      [0, 1, 0],
    );
    assert.match(
      warned(hosts(4), [changed], outlook(13)).join("\n"),
      /^example\.com: the up checks the removal of 4 records against maxChangeShare \(30 %\) and refuses it\. If it is meant, /,
    );
    // What is refused for certain stays, and the up fails; what else the run does there counts as it is.
    const refused = report([step("delete", "RecordBatch", "web", hosts(4), undefined), changed], [], {
      removal: "delete",
      full: true,
      ...outlook(13),
    });
    assert.deepEqual(
      refused.domains.map(({ remove, stays, fails, lines: own }) => [
        remove,
        stays,
        fails,
        own.map(({ sign }) => sign).join(""),
      ]),
      [[0, 4, 4, "!!!!"]],
    );
    assert.deepEqual(refused.limits, []);
    // Single records go a few at a time.
    const singles = Array.from({ length: 5 }, (_, n) =>
      step(
        "delete",
        "Record",
        `h${n}`,
        { domain: "example.com", name: `h${n}`, type: "A", value: "192.0.2.1", ttl: 600 },
        undefined,
      ),
    );
    const few = (parallel: number): string =>
      report([...singles, changed], [], { removal: "delete", full: true, parallel, ...outlook(16) })
        .domains.map(({ remove, fails }) => `${remove} ${fails}`)
        .join();
    assert.deepEqual([few(5), few(4), few(8)], ["0 5", "5 0", "0 5"]);
    assert.match(
      report([...singles, changed], [], {
        removal: "delete",
        full: true,
        parallel: 4,
        ...outlook(16),
      }).warnings.join(),
      /and refuses it after a part: the engine hands over the deletions of single `Record`s a few at a time/,
    );
    // A record more may be there by then.
    const added = step("create", "Record", "more", undefined, {
      domain: "example.com",
      name: "more",
      type: "A",
      value: "192.0.2.1",
      ttl: 600,
    });
    assert.deepEqual(
      warned(hosts(4), [changed, added], outlook(13)),
      checks("4 records", "maxChangeShare (30 %)"),
    );
    assert.deepEqual(
      warned(hosts(4), [changed, added], outlook(9)),
      checks("4 records", "maxChangeShare (30 %)"),
    );
    // Each provider's process counts by itself.
    const beside = step(
      "delete",
      "RecordBatch",
      "beside",
      batch(["z.example.com. 600 A 192.0.2.1"]),
      undefined,
      { provider: "urn:pulumi:dev::zones::pulumi:providers:legacydns::other::1234" },
    );
    assert.deepEqual(
      warned(hosts(4), [changed, beside], outlook(13)),
      checks("5 records", "maxChangeShare (30 %)"),
    );
    // Other removals and changes of the run count, and so does what stopped runs removed as far as it is still missing.
    const otherwise = batch(["a.example.com. 600 A 192.0.2.1", "b.example.com. 600 A 192.0.2.1"]);
    const less = step("update", "RecordBatch", "rest", otherwise, batch(["a.example.com. 60 A 192.0.2.1"]));
    assert.deepEqual(
      warned(hosts(2), [less], gates(35)),
      checks("2 records, beside 2 other records that it removes or changes,", "maxChangeShare (35 %)"),
    );
    const stopped = (removed: number, found: number): object => ({
      stopped: () => (domain: string, left: number) =>
        domain === "example.com" ? Math.min(removed, found - left) : 0,
    });
    assert.deepEqual(
      warned(hosts(1), [], stopped(3, 13)),
      checks(
        "1 record, beside 3 that runs of the last day removed before this gate stopped them,",
        "maxChangeShare (30 %)",
      ),
    );
    assert.deepEqual(warned(hosts(1), [], stopped(2, 13)), []);
    assert.match(
      warned(hosts(1), [changed], { ...outlook(9), ...stopped(3, 12) }).join("\n"),
      /^example\.com: the up checks the removal of 1 record, beside 3 that .*, against maxChangeShare \(30 %\) and refuses it\./,
    );
    // What is made by then stands in for what is missing.
    assert.deepEqual(
      warned(hosts(1), [changed, added], { ...outlook(9), ...stopped(3, 12) }),
      checks(
        "1 record, beside 3 that runs of the last day removed before this gate stopped them,",
        "maxChangeShare (30 %)",
      ),
    );
    assert.match(
      warned(hosts(1, mail), [changed], outlook(290)).join(),
      /^example\.com: the up checks the removal of 3 records against the NS records of the apex and the last MX record and refuses it\./,
    );
    // Which MX records are live is known by then, too.
    const withMail = (...places: readonly string[]): object => {
      const read = outlook(290) as { zones: readonly OutlookZone[]; outlooks: readonly object[] };
      return {
        ...read,
        zones: read.zones.map((each) => ({
          ...each,
          places: Object.fromEntries(places.map((place, i) => [String(i), place])),
          ttls: { 1: "600 (disabled)" },
        })),
      };
    };
    const one = hosts(0, mail.slice(0, 1));
    // A text that speaks of MX is none.
    const speaks = batch(['example.com. 600 TXT "the MX is gone"']);
    assert.deepEqual(
      warned(one, [step("same", "RecordBatch", "speaks", speaks, speaks)]),
      checks("1 record", "the last MX record"),
    );
    assert.deepEqual(
      [
        ["example.com. MX"],
        ["example.com. MX", "example.com. MX"],
        ["example.com. MX", "a.example.com. A", "example.com. MX"],
      ].map((live) =>
        warned(one, [changed], withMail(...live)).map((text) => / and (?:may )?refuses? it/.exec(text)?.[0]),
      ),
      [[" and refuses it"], [" and refuses it"], []],
    );
    const own = step("same", "pulumi:providers:pulumi-nodejs", "other", undefined, {
      "legacydns:explicit": "true",
      "legacydns:undocumentedOperations": "true",
      "legacydns:confirmedDomains": '["example.com"]',
    });
    const byOther = step("delete", "RecordBatch", "other", hosts(9), undefined, {
      provider: "urn:pulumi:dev::zones::pulumi:providers:pulumi-nodejs::other::1234",
    });
    assert.deepEqual(report([own, byOther], [], { removal: "delete", full: true }).warnings, []);
    // One command opens all, and keeps open what is.
    const zones = ["b.example", "a.example"].map((domain) =>
      step(
        "delete",
        "RecordBatch",
        domain,
        batch(
          Array.from({ length: 9 }, (_, n) => `h${n}.${domain}. 600 A 192.0.2.${n}`),
          [domain],
        ),
        undefined,
      ),
    );
    assert.deepEqual(
      report(zones, [], { removal: "delete", full: true, ...gates(30, "c.example") }).warnings.map(
        (text) => /`.*`, /.exec(text)?.[0],
      ),
      Array(2).fill("`LEGACYDNS_CONFIRMED_DOMAINS=c.example,a.example,b.example pulumi up`, "),
    );
  });

  it("tells of a live record once that leaves one resource and is in the way of another", () => {
    const alias = "www.example.com. CNAME old.example.net.";
    const refuse = {
      outcome: "refuse" as const,
      domain: "example.com",
      text: "www.example.com. A 192.0.2.1",
      ttl: "600",
      was: { text: alias, ttl: "600" },
    };
    const outlook = {
      of: "example.com www.example.com. A 192.0.2.1",
      entries: [refuse],
      unchanged: {},
      refusals: [{ code: "live.blocked", text: "in its way" }],
      limits: [],
      checks: [],
    };
    const www = { domain: "example.com", name: "www", ttl: 600 };
    const steps = [
      step("create", "Record", "new", undefined, { ...www, type: "A", value: "192.0.2.1" }),
      step("delete", "Record", "old", { ...www, type: "CNAME", value: "old.example.net." }, undefined),
    ];
    const found = report(steps, [], { removal: "delete", full: true, outlooks: [outlook] });
    assert.deepEqual(
      found.domains.map(({ refused, remove, lines: own }) => [
        refused,
        remove,
        own.map(({ sign }) => sign).join(""),
      ]),
      [[1, 0, "x"]],
    );
  });

  it("names the duplicate that goes, and keeps the declared record among those that stay", () => {
    const outlook = {
      of: "example.com www.example.com. A 192.0.2.2",
      entries: [
        {
          outcome: "remove" as const,
          domain: "example.com",
          text: "www.example.com. A 192.0.2.2",
          ttl: "600",
          id: "12",
        },
      ],
      unchanged: { "example.com": 2 },
      refusals: [],
      limits: [],
      checks: [],
    };
    const found = report(
      [step("update", "RecordBatch", "web", batch(["www.example.com. A 192.0.2.2"]), web)],
      [],
      { removal: "delete", full: true, outlooks: [outlook] },
    );
    assert.deepEqual(lines(found), [
      "example.com: - www.example.com. A 192.0.2.2 600 (duplicate, record 12)",
    ]);
    assert.deepEqual(
      found.domains.map(({ remove, unchanged, kept }) => [remove, unchanged, kept.map(({ text }) => text)]),
      [[1, 2, ["example.com. A 192.0.2.1", "www.example.com. A 192.0.2.2"]]],
    );
    assert.match(markdownOf(found), /\n- www\.example\.com\. 600 A 192\.0\.2\.2 ; duplicate, record 12\n/);
  });

  it("shows what a check finds of several records in a line, and keeps each finding in the JSON", () => {
    const dangling = (n: number) => ({
      code: "cname-dangling",
      level: "warn" as const,
      domain: "example.com",
      record: `c${n}.example.com. CNAME h${n}.example.com.`,
      message: `c${n}.example.com. CNAME h${n}.example.com.: h${n}.example.com. is not in this zone; declare it, or correct the name`,
    });
    const outlookOf = (n: number) => ({
      of: `example.com c${n}.example.com. CNAME h${n}.example.com.`,
      entries: [],
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [dangling(n)],
    });
    const found = report([], [], { outlooks: [outlookOf(1), outlookOf(2)] });
    assert.equal(found.checks.length, 2);
    const shown = textOf(found, plainColours);
    assert.equal(
      shown[shown.indexOf("Checks") + 1],
      "  * 2 CNAMEs point to names that are not in this zone: c1.example.com. CNAME h1.example.com.; c2.example.com. CNAME h2.example.com.; declare these names, or correct the records [cname-dangling]",
    );
    assert.ok(
      textOf(report([], [], { outlooks: [outlookOf(1)] }), plainColours).includes(
        `  * ${dangling(1).message} [cname-dangling]`,
      ),
    );
  });

  describe("says what the service cannot do", () => {
    const gone = [step("delete", "RecordBatch", "web", web, undefined)];
    it("of removals, by the stack's removal mode", () => {
      const [verify] = report(gone).limits;
      assert.equal(
        verify,
        "an up will end with an error while they are live: 2 records: example.com. A 192.0.2.1; www.example.com. A 192.0.2.2: no longer declared; the documented interface can neither change nor remove a record. Meanwhile they are still answered. Ways out: remove them in the service's console and run `pulumi up` again; or declare them; or leave them where they are: `LEGACYDNS_REMOVAL=retain pulumi up`; or let the provider remove them: `pulumi config set legacydns:undocumentedOperations true` (see node_modules/pulumi-legacydns/docs/full.md)",
      );
      const moved = [
        ...gone,
        step("create", "Record", "one", undefined, {
          domain: "example.com",
          name: "www",
          type: "A",
          value: "192.0.2.9",
          ttl: 600,
        }),
      ];
      assert.match(
        report(moved).limits[0] ?? "",
        /Meanwhile they are still answered, old and new beside each other where another value is declared at the same name\./,
      );
      assert.deepEqual(report(gone, [], { removal: "delete", full: true }).limits, []);
      assert.deepEqual(report(gone, [], { removal: "retain" }).limits, [
        "2 records no longer declared, left in the zone (removal: retain): example.com. A 192.0.2.1; www.example.com. A 192.0.2.2",
      ]);
    });
    it("by the resource's own mode, its provider's, and the engine's retainOnDelete", () => {
      const provider = { provider: "urn:pulumi:dev::zones::pulumi:providers:pulumi-nodejs::other::1234" };
      const other = (inputs: Props): object =>
        step("same", "pulumi:providers:pulumi-nodejs", "other", inputs, inputs);
      const own = report([step("delete", "RecordBatch", "web", { ...web, removal: "retain" }, undefined)]);
      const byProvider = report([
        other({ "legacydns:explicit": "true", "legacydns:removal": "retain" }),
        step("delete", "RecordBatch", "web", web, undefined, provider),
      ]);
      const retained = {
        ...step("delete", "RecordBatch", "web", web, undefined),
        oldState: { type: "pulumi-nodejs:dynamic/legacydns:RecordBatch", inputs: web, retainOnDelete: true },
      };
      const kept = (removal: string): PlanReport =>
        report([retained], [], { removal, full: removal === "delete" });
      for (const found of [own, byProvider]) assert.match(found.limits[0] ?? "", /left in the zone/);
      const names =
        "no longer declared, left as it is (retainOnDelete): example.com. A 192.0.2.1; www.example.com. A 192.0.2.2";
      assert.deepEqual(kept("verify").limits, [names]);
      assert.deepEqual(kept("delete").limits, [names]);
      assert.deepEqual(
        kept("delete").domains.map(({ remove, stays }) => [remove, stays]),
        [[0, 2]],
      );
      const explicit = report(
        [
          other({ "legacydns:explicit": "true" }),
          step("delete", "RecordBatch", "web", web, undefined, provider),
        ],
        [],
        { removal: "retain" },
      );
      assert.match(explicit.limits[0] ?? "", /^an up will end with an error/);
    });
    it("of removals, with the way out that reaches them: the environment does not reach an explicit provider, nor a resource's own mode", () => {
      const provider = { provider: "urn:pulumi:dev::zones::pulumi:providers:pulumi-nodejs::other::1234" };
      const explicit = step(
        "same",
        "pulumi:providers:pulumi-nodejs",
        "other",
        { "legacydns:explicit": "true" },
        { "legacydns:explicit": "true" },
      );
      const less = batch(["example.com. 600 A 192.0.2.1"]);
      const wayOut = (steps: object[]): string | undefined =>
        report(steps).limits[0]?.replace(
          /^.*; or leave (?:it where it is|them where they are): (.*?); or let the provider.*$/,
          "$1",
        );
      const again =
        'declare the resource once more with `removal: "retain"`, run `pulumi up`, then take it out or destroy';
      assert.equal(
        wayOut([step("update", "RecordBatch", "web", web, less)]),
        "`LEGACYDNS_REMOVAL=retain pulumi up`",
      );
      assert.equal(
        wayOut([explicit, step("update", "RecordBatch", "web", web, less, provider)]),
        'set `removal: "retain"` on the Provider, or on this resource, and run `pulumi up` again',
      );
      assert.equal(wayOut([explicit, step("delete", "RecordBatch", "web", web, undefined, provider)]), again);
      const own = { removal: "verify" };
      assert.equal(
        wayOut([step("update", "RecordBatch", "web", { ...web, ...own }, { ...less, ...own })]),
        'set `removal: "retain"` on this resource, which has a `removal` of its own, and run `pulumi up` again',
      );
      assert.equal(wayOut([step("delete", "RecordBatch", "web", { ...web, ...own }, undefined)]), again);
      const both = report([
        explicit,
        step("update", "RecordBatch", "a", web, less, provider),
        step(
          "delete",
          "RecordBatch",
          "b",
          batch(["example.net. 600 A 192.0.2.1"], ["example.net"]),
          undefined,
        ),
      ]);
      assert.deepEqual(
        both.limits.map((text) => text.split(": ")[1]?.split(" is no longer declared;")[0]),
        ["www.example.com. A 192.0.2.2", "example.net. A 192.0.2.1"],
      );
    });
    it("of records that several resources leave, with the ways out once, in the same order whoever is asked first", () => {
      const how = { removalSetBy: "stack", change: false, full: false, unproven: false } as const;
      const leaves = (name: string, setBy: "stack" | "resource" = "stack") => {
        const first = `${name}.example.com. A 192.0.2.1 (record 7)`;
        return {
          of: `example.com ${name}.example.com. A 192.0.2.2`,
          entries: [],
          unchanged: {},
          refusals: [],
          checks: [],
          limits: [
            reason("live.left-over-next", {
              ...how,
              removalSetBy: setBy,
              command: "up",
              names: first,
              first,
              live: 1,
              enabled: 1,
              both: true,
              changed: 0,
            }),
          ],
        };
      };
      const gone = step(
        "delete",
        "Record",
        "gone",
        { domain: "example.com", name: "gone", type: "A", value: "192.0.2.1", ttl: 600 },
        undefined,
      );
      const outlooks = [leaves("b"), leaves("a"), leaves("c", "resource")];
      const found = report([gone], [], { outlooks }).limits;
      const both =
        "Meanwhile it is still answered, old and new beside each other where another value is declared at the same name.";
      const ways = (retain: string): string =>
        `Ways out: remove it in the service's console and run \`pulumi up\` again; or declare it; or leave it where it is: ${retain}; or let the provider remove it: \`pulumi config set legacydns:undocumentedOperations true\` (see node_modules/pulumi-legacydns/docs/full.md)`;
      const next = "an up will end with an error until this is settled";
      const limited = "the documented interface can neither change nor remove a record";
      const see = "The ways out are the same as for a.example.com. A 192.0.2.1 (record 7)";
      const own = "on this resource, which has a `removal` of its own, and run `pulumi up` again";
      assert.deepEqual(found, [
        `${next}: a.example.com. A 192.0.2.1 (record 7) still live, though not declared; ${limited}. ${both} ${ways("`LEGACYDNS_REMOVAL=retain pulumi up`")}`,
        `${next}: b.example.com. A 192.0.2.1 (record 7) still live, though not declared. ${both} ${see}`,
        `${next}: c.example.com. A 192.0.2.1 (record 7) still live, though not declared; ${limited}. ${both} ${ways(`set \`removal: "retain"\` ${own}`)}, and set \`removal: "delete"\` ${own}`,
        `an up will end with an error while it is live: gone.example.com. A 192.0.2.1 is no longer declared. Meanwhile it is still answered. ${see}`,
      ]);
      assert.deepEqual(report([gone], [], { outlooks: [...outlooks].reverse() }).limits, found);
      // As the hosts write it.
      assert.deepEqual(
        report([gone], [], {
          outlooks: readTold(outlooks.map((each) => `${JSON.stringify(each)}\n`).join(""), newSealingKey())
            .outlooks,
        }).limits,
        found,
      );
    });

    it("of records that are disabled, which no TTL would bring back", () => {
      const live = batch([
        "example.com. 600 A 192.0.2.1 ; disabled",
        "www.example.com. 600 A 192.0.2.2 ; disabled",
      ]);
      assert.deepEqual(report([step("update", "RecordBatch", "web", live, web)]).limits, [
        "2 records live, but disabled: the service's documented interface can neither change nor remove a record. Enable them in the service's console; until then an up refuses them or fails",
      ]);
    });
    it("of TTL changes, and of what the last run left half done", () => {
      const half = {
        type: "pulumi-nodejs:dynamic/legacydns:RecordBatch",
        inputs: web,
        initErrors: ["example.com. A 192.0.2.1: no"],
      };
      const found = report([
        {
          ...step(
            "update",
            "RecordBatch",
            "web",
            web,
            batch(["example.com. 60 A 192.0.2.1", "www.example.com. A 192.0.2.2"]),
          ),
          oldState: half,
        },
      ]);
      assert.match(found.limits[0] ?? "", /^1 change of a TTL: .*can neither change nor remove a record/);
      assert.match(found.unfinished[0] ?? "", /^RecordBatch "web": the last run of it ended with an error/);
    });
  });

  it("takes warnings and refusals from the diagnostics, each once, without marks, codes and stacks", () => {
    const found = report(
      [],
      [
        { severity: "warning", message: "warning: example.com is paused\n" },
        { severity: "warning", message: "warning: example.com is paused\n" },
        {
          severity: "error",
          message: 'error: RecordBatch "web": 2 problems:\n  - records[0]: bad\n  - records[1]: worse\n',
        },
        {
          severity: "error",
          message: "error: pulumi-nodejs:dynamic/legacydns:Record resource 'www' has a problem: value: no\n",
        },
        {
          severity: "error",
          message:
            "error: Running program 'index.js' failed with an unhandled exception:\nError: bang\n    at Object.<anonymous> \u001b[90m(/x/\u001b[39mindex.js:3:7)\n",
        },
      ],
    );
    assert.equal(found.ok, false);
    assert.deepEqual(found.warnings, ["example.com is paused"]);
    assert.deepEqual(found.refusals, [
      'RecordBatch "web": 2 problems:\n  - records[0]: bad\n  - records[1]: worse',
      'Record "www": value: no',
      "Running program 'index.js' failed with an unhandled exception:\nError: bang",
    ]);
  });

  it("tells what was replaced and is still to be deleted, which a preview does not", () => {
    const resource = (type: string, more: object) => ({
      urn: `urn:pulumi:dev::zones::pulumi-nodejs:dynamic/legacydns:${type}::api`,
      type: `pulumi-nodejs:dynamic/legacydns:${type}`,
      ...more,
    });
    const api = { domain: "example.com", name: "api", type: "A", value: "192.0.2.9", ttl: 600 };
    const state = JSON.stringify({
      deployment: {
        resources: [
          resource("Record", { inputs: { ...api, value: "192.0.2.10" } }),
          resource("Record", { inputs: api, delete: true }),
          resource("Record", {
            inputs: {
              ...api,
              type: "TXT",
              value: {
                "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
                ciphertext: "x",
              },
            },
            delete: true,
          }),
          resource("RecordBatch", { inputs: web, delete: true }),
          { urn: "urn:pulumi:dev::zones::other::x", type: "other", delete: true, inputs: {} },
        ],
      },
    });
    const pending = pendingDeletions(state);
    const nothing = report([], [], { pending });
    const replaced = " was replaced, and is still to be deleted: ";
    const texts = (of: PlanReport): string[] => of.unfinished.map((text) => text.split(replaced)[0] ?? "");
    const fates = (of: PlanReport): string[] => [
      ...new Set(of.unfinished.map((text) => text.split(replaced)[1] ?? "")),
    ];
    assert.deepEqual(texts(nothing), [
      'Record "api": api.example.com. A 192.0.2.9',
      'Record "api": api.example.com. TXT [secret]',
      'RecordBatch "api": example.com. A 192.0.2.1 and 1 more',
    ]);
    for (const text of ["", "{}", "no json"]) assert.deepEqual(pendingDeletions(text), []);
    // What becomes of each is what becomes of any record that is not declared any more, and is counted with these.
    const figures = (of: PlanReport): number[] =>
      of.domains.flatMap(({ remove, stays, fails }) => [remove, stays, fails]);
    assert.deepEqual(
      [fates(nothing), figures(nothing)],
      [
        [
          "each up tries at its end, and fails as long as it is live and cannot be removed. This plan has not read its zone: it may be gone already",
        ],
        [0, 4, 4],
      ],
    );
    const retained = report([], [], { pending, removal: "retain" });
    assert.deepEqual(
      [fates(retained), figures(retained)],
      [["an up lets go of it, and leaves it in the zone"], [0, 4, 0]],
    );
    const byEngine = report([], [], {
      pending: pendingDeletions(state.replaceAll('"delete":true', '"delete":true,"retainOnDelete":true')),
      removal: "delete",
      full: true,
    });
    assert.deepEqual(
      [fates(byEngine), figures(byEngine)],
      [["an up lets go of it, and leaves it in the zone"], [0, 4, 0]],
    );
    const full = report([], [], { pending, removal: "delete", full: true });
    assert.deepEqual(
      [fates(full), figures(full)],
      [["an up removes it at its end, unless a safety gate refuses that (see the warnings)"], [4, 0, 0]],
    );
    const confirmed = report([], [], {
      pending,
      removal: "delete",
      full: true,
      gates: { maxChangeShare: 30, confirmedDomains: ["example.com"] },
    });
    assert.deepEqual([fates(confirmed), figures(confirmed)], [["an up removes it at its end"], [4, 0, 0]]);
    const more = [
      step(
        "update",
        "RecordBatch",
        "more",
        batch(["k.example.com. 600 A 192.0.2.1"]),
        batch(["k.example.com. 60 A 192.0.2.1"]),
      ),
    ];
    const outlooks = [
      {
        of: "example.com k.example.com. A 192.0.2.1",
        entries: [],
        unchanged: {},
        refusals: [],
        limits: [],
        checks: [],
      },
    ];
    const zones = [
      {
        zone: "example.com",
        records: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [String(n), `digest${n}`])),
        lists: 0,
      },
    ];
    const refused = report(more, [], { pending, removal: "delete", full: true, outlooks, zones });
    assert.deepEqual(
      [fates(refused), figures(refused)],
      [["an up tries to remove it at its end, and a safety gate refuses that (see the warnings)"], [0, 4, 4]],
    );
    // What a resource declares is not removed, whichever was replaced: the up deletes the old resource only.
    const www = batch(["www.example.com. A 192.0.2.2"]);
    const secret = { ...api, type: "TXT", value: "[secret]" };
    const rest = report(
      [
        step("same", "Record", "api", api, api),
        step("same", "Record", "api", secret, secret),
        step("same", "RecordBatch", "web", www, www),
      ],
      [],
      { pending },
    );
    assert.deepEqual(texts(rest), [
      'Record "api": api.example.com. TXT [secret]',
      'RecordBatch "api": example.com. A 192.0.2.1',
    ]);
    const found = report([step("same", "RecordBatch", "web", web, web)], [], { pending });
    assert.equal(hasChanges(found), true);
    assert.match(
      textOf(found, plainColours).join("\n"),
      /\nNot finished by an earlier up\n {2}\* Record "api": api\.example\.com\. A 192\.0\.2\.9 was replaced/,
    );
    assert.match(markdownOf(found), /<summary>Not finished by an earlier up: 2<\/summary>\n\n- Record "api"/);
  });

  it("counts a record that moves from one resource to another neither as added nor as adopted, and a share as no record", () => {
    const old = batch([
      "a.example.com. 600 A 192.0.2.1",
      "b.example.com. 600 A 192.0.2.2",
      "c.example.com. 600 A 192.0.2.3",
    ]);
    const news = batch([
      "a.example.com. 600 A 192.0.2.1",
      "b.example.com. 600 A 192.0.2.2",
      "c.example.com. 600 A 192.0.2.4",
    ]);
    const share = { domain: "example.com", email: "mate@example.com", mode: "r" };
    const steps = [
      step("create", "RecordBatch", "new", undefined, news),
      step("delete", "RecordBatch", "old", old, undefined),
      step("same", "DomainShare", "mate", share, share),
    ];
    const found = report(steps);
    const [zone] = found.domains;
    assert.deepEqual([zone?.add, zone?.remove, zone?.stays, zone?.unchanged, zone?.adopt], [1, 0, 1, 2, 0]);
  });

  it("reads what the native plugin declares: its types, a Zone of one resource, a Provider, and its refusals", () => {
    const net = { domain: "example.net", records: "example.net. 600 A 192.0.2.1\n" };
    const single = { domain: "example.org", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
    const own = { provider: "urn:pulumi:dev::zones::pulumi:providers:legacydns::other::1234" };
    const found = report([
      step("create", "legacydns:index:RecordBatch", "web", undefined, web),
      step("create", "legacydns:index:Zone", "net", undefined, net),
      // Of a TypeScript program.
      step("create", "legacydns:index:Zone", "component", undefined, {}),
      step("same", "pulumi:providers:legacydns", "other", { removal: "retain" }, { removal: "retain" }),
      step("delete", "legacydns:index:Record", "one", single, undefined, own),
    ]);
    assert.deepEqual(
      lines(found).map((line) => line.split(" A ")[0]),
      [
        "example.com: + example.com.",
        "example.com: + www.example.com.",
        "example.net: + example.net.",
        "example.org: ! www.example.org.",
      ],
    );
    assert.deepEqual(
      [found.others, found.limits],
      [{}, ["1 record no longer declared, left in the zone (removal: retain): www.example.org. A 192.0.2.1"]],
    );
    const messages = [
      "legacydns:index:Record resource 'www' has a problem: it is wrong",
      "pulumi:providers:legacydns resource 'default' has a problem: legacydns:loginToken is missing",
    ];
    const refused = readPreview(
      JSON.stringify({ diagnostics: messages.map((message) => ({ severity: "error", message })) }),
    );
    assert.deepEqual(refused?.errors, ['Record "www": it is wrong', "legacydns:loginToken is missing"]);
    // The batch that a Zone of a program makes is that Zone, as the program's own messages call it.
    const ofZone = {
      severity: "error",
      urn: "urn:pulumi:dev::zones::legacydns:index:Zone$pulumi-nodejs:dynamic/legacydns:RecordBatch::web",
      message: "pulumi-nodejs:dynamic/legacydns:RecordBatch resource 'web' has a problem: it is wrong",
    };
    assert.deepEqual(
      readPreview(
        JSON.stringify({
          diagnostics: [ofZone, { ...ofZone, urn: ofZone.urn.replace("legacydns:index:Zone$", "") }],
        }),
      )?.errors,
      ['Zone "web": it is wrong', 'RecordBatch "web": it is wrong'],
    );
    // The engine's last word says nothing beside another.
    const failed = (...said: readonly string[]) =>
      readPreview(
        JSON.stringify({
          diagnostics: said.map((message) => ({ severity: "error", message: `error: ${message}` })),
        }),
      )?.errors;
    assert.deepEqual(
      [failed("it is protected", "preview failed"), failed("preview failed")],
      [["it is protected"], ["preview failed"]],
    );
  });

  it("has colour on a terminal alone", () => {
    const tty = { write: () => true, isTTY: true };
    const found = report([step("create", "RecordBatch", "web", undefined, web)]);
    const terminal = { env: {}, out: tty, err: tty, clock: systemClock, exitCode: 0 };
    assert.match(textOf(found, coloursOf(terminal, tty)).join("\n"), /\u001b\[32m {2}\+ example\.com/);
    assert.doesNotMatch(
      textOf(found, coloursOf({ ...terminal, env: { NO_COLOR: "1" } }, tty)).join("\n"),
      /\u001b/,
    );
  });

  const changing = JSON.stringify({ steps: [step("create", "RecordBatch", "web", undefined, web)] });
  const quiet = JSON.stringify({ steps: [step("same", "RecordBatch", "web", web, web)] });

  it("ends with 0, or with --fail-on-changes with 2 where a zone would change", async () => {
    assert.deepEqual(
      [
        (await planned(changing, 0)).code,
        (await planned(changing, 0, ["--fail-on-changes"])).code,
        (await planned(quiet, 0, ["--fail-on-changes"])).code,
      ],
      [0, 2, 0],
    );
    assert.equal((await planned(quiet, 0)).out, "example.com  2 unchanged\n\nNo change to any zone.\n");
  });

  it("takes what the last run left half done for a change, unless it goes away", async () => {
    const half = {
      type: "pulumi-nodejs:dynamic/legacydns:RecordBatch",
      inputs: web,
      initErrors: ["www.example.com. A 192.0.2.2: no"],
    };
    const again = await planned(
      JSON.stringify({ steps: [{ ...step("update", "RecordBatch", "web", web, web), oldState: half }] }),
      0,
      ["--fail-on-changes"],
    );
    assert.equal(again.code, 2);
    assert.match(
      again.out,
      /\nThe program declares nothing else than before; an up goes on with what an earlier one has not finished\.\n$/,
    );
    const gone = report([{ ...step("delete", "RecordBatch", "web", web, undefined), oldState: half }]);
    assert.deepEqual([gone.unfinished, gone.limits.length], [[], 1]);
  });

  it("asks the stack for its removal mode where something goes away", async () => {
    const { out } = await planned(
      JSON.stringify({ steps: [step("delete", "RecordBatch", "web", web, undefined)] }),
      0,
    );
    assert.match(
      out,
      /2 records no longer declared, left in the zone \(removal: retain\): example\.com\. A 192\.0\.2\.1; www/,
    );
  });

  it("tells a failed preview in the format that was asked for, and ends with 1", async () => {
    const said = "error: no stack named 'nosuch' found\n";
    const text = await planned("", 6, ["--stack", "nosuch"], said);
    assert.deepEqual(
      [text.code, text.out, text.err],
      [
        1,
        "no stack named 'nosuch' found\n\nThe engine failed before it planned any resource, so there is no plan. Name a stack that there is with --stack: `pulumi stack ls` lists them, and `pulumi stack init NAME` makes one.\n",
        "",
      ],
    );
    const json = await planned("", 6, ["--json"], said);
    assert.equal(json.code, 1);
    assert.deepEqual(JSON.parse(json.out), {
      version: 1,
      changes: false,
      ok: false,
      partial: true,
      domains: [],
      unfinished: [],
      refusals: ["no stack named 'nosuch' found"],
      warnings: [],
      checks: [],
      limits: [],
      others: {},
    });
    const none = await cli(["plan", "--json"], { PATH: "/nowhere" });
    const { ok, refusals } = JSON.parse(none.out) as { ok: boolean; refusals: string[] };
    assert.deepEqual([none.code, ok, refusals.map((each) => `error: ${each}\n`)], [1, false, [none.err]]);
    const markdown = await planned("", 6, ["--format", "markdown", "--stack", "nosuch"], said);
    assert.equal(markdown.code, 1);
    assert.match(
      markdown.out,
      /^<!-- pulumi-legacydns plan: nosuch -->[^]*❌ The engine failed before it planned any resource[^]*\n\n\*\*The engine's error\*\*\n\n- no stack named 'nosuch' found\n$/,
    );
    const html = await planned("", 6, ["--format", "html"], said);
    assert.match(
      html.out,
      /The engine failed before it planned any resource[^]*<h2 id="refused">The engine&#39;s error<\/h2>/,
    );
    const folder = await planned(
      "",
      255,
      [],
      "error: no Pulumi.yaml project file found (searching upwards from /x). If you have not created a project yet, use `pulumi new` to do so: no project file found\n",
    );
    assert.match(
      folder.out,
      /^no Pulumi\.yaml project file found [^]*\n\nThe engine failed [^]*\. Run the command in the folder of the project's Pulumi\.yaml, or name that folder with --cwd\.\n$/,
    );
    assert.doesNotMatch(folder.out, /Refused|pulumi up/);
    const other = await planned("", 255, [], "error: PULUMI_ACCESS_TOKEN must be set\n");
    assert.match(other.out, /`pulumi preview` fails in the same way: mend what the engine says/);
  });

  const wrong: [what: string, args: string[], message: RegExp][] = [
    [
      "an unknown format",
      ["--format", "pdf"],
      /^error: --format must be text, markdown, html, json, not "pdf"\n$/,
    ],
    [
      "a file of no form",
      ["--out", "plan.pdf"],
      /^error: --out plan\.pdf: the name must end in \.txt, \.md, \.html, \.json, which tells the form\n$/,
    ],
    [
      "two formats",
      ["--json", "--format", "markdown"],
      /^error: --json and --format markdown exclude each other\n$/,
    ],
    [
      "a folder that is not there",
      ["--cwd", "/no/such/folder"],
      /^error: --cwd \/no\/such\/folder: there is no such folder\n$/,
    ],
    ["an argument", ["prod"], /too many arguments for 'plan'/],
    ["a missing pulumi", [], /^error: there is no pulumi on the PATH: install it/],
  ];
  for (const [what, args, message] of wrong) {
    it(`says what is wrong with ${what}`, async () => {
      const { code, out, err } = await cli(["plan", ...args], { PATH: "/nowhere" });
      assert.match(err, message);
      assert.deepEqual([code, out], [1, ""]);
    });
  }
});
