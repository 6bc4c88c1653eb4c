/** The plan as a comment and as a page: what is shown, what folds, and that nothing leaves its place. */
import assert from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { markdownOf, maxLength } from "../../cli/plan/markdown";
import { pageOf } from "../../cli/plan/page";
import { dark, light, style } from "../../cli/plan/page-style";
import type { PlanReport } from "../../cli/plan/report";
import { placeOf } from "../../cli/plan/tally";
import { textOf } from "../../cli/plan/text";
import { zoneDiff } from "../../cli/plan/zone-diff";
import { coloursOf, type Terminal } from "../../cli/terminal";
import { systemClock } from "../../provider/clock";
import { reason } from "../../provider/problems";
import { contrast } from "../support/contrast";
import { batch, report, step, type Props } from "./previews";

const terminal: Terminal = {
  env: {},
  out: { write: () => true },
  err: { write: () => true },
  clock: systemClock,
  exitCode: 0,
};
const web = batch(["example.com. 600 A 192.0.2.1", "www.example.com. A 192.0.2.2"]);
const many = (count: number, length = 20): Props =>
  batch(Array.from({ length: count }, (_, n) => `h${n}.example.com. 600 TXT "${"x".repeat(length)}"`));
const created = (records: Props): PlanReport =>
  report([step("create", "RecordBatch", "web", undefined, records)]);
const errors = (count: number, text: string): object[] =>
  Array.from({ length: count }, (_, n) => ({ severity: "error", message: `error: ${n} ${text}` }));

/** The zone of `before`, and what becomes of it. */
const before = ["@", "a", "b", "c", "d", "e", "ee", "f", "gone", "ttl"].map(
  (name) => `${name === "@" ? "" : `${name}.`}example.com. 600 A 192.0.2.1`,
);
const after = [
  ...before.slice(0, -2),
  "ttl.example.com. 300 A 192.0.2.1",
  'b.example.com. 600 TXT "new"',
  "z.example.com. A 192.0.2.1 ; line=电信",
];
const edit = step("update", "RecordBatch", "web", batch(before), batch(after));

describe("the plan of a zone as a diff", () => {
  const linesOf = (found: PlanReport): string[] =>
    found.domains.flatMap((plan) => zoneDiff(plan).map(({ text }) => text));

  it("shows each change between the lines beside it, in the zone's order, and what the service cannot do as staying", () => {
    assert.deepEqual(linesOf(report([edit])), [
      "@@ 1 unchanged @@",
      "  a.example.com. 600 A 192.0.2.1",
      "  b.example.com. 600 A 192.0.2.1",
      '+ b.example.com. 600 TXT "new"',
      "  c.example.com. 600 A 192.0.2.1",
      "  d.example.com. 600 A 192.0.2.1",
      "@@ 1 unchanged @@",
      "  ee.example.com. 600 A 192.0.2.1",
      "  f.example.com. 600 A 192.0.2.1",
      "! gone.example.com. 600 A 192.0.2.1 ; no longer declared: stays, and the up fails",
      "! ttl.example.com. 600 A 192.0.2.1 ; TTL 300 is declared: stays as it is, and the up fails",
      "+ z.example.com. A 192.0.2.1 [电信]",
    ]);
  });

  it("shows what it can change and remove as lines that go and come", () => {
    const lines = linesOf(report([edit], [], { removal: "delete", full: true })).filter((line) =>
      /^[-+!]/.test(line),
    );
    assert.deepEqual(lines.slice(1), [
      "- gone.example.com. 600 A 192.0.2.1",
      "- ttl.example.com. 600 A 192.0.2.1",
      "+ ttl.example.com. 300 A 192.0.2.1",
      "+ z.example.com. A 192.0.2.1 [电信]",
    ]);
  });

  it("shows what was adopted, refused, disabled or is not known yet as such, shares and hidden batches", () => {
    const outlook = {
      of: "example.com example.com. A 192.0.2.1",
      entries: [
        { outcome: "adopt" as const, domain: "example.com", text: "example.com. A 192.0.2.1", ttl: "600" },
        {
          outcome: "refuse" as const,
          domain: "example.com",
          text: "www.example.com. CNAME b.example.net.",
          ttl: "600",
          was: { text: "www.example.com. CNAME a.example.net.", ttl: "600" },
        },
        {
          outcome: "differ" as const,
          domain: "example.com",
          text: "www.example.com. A 192.0.2.2",
          ttl: "600",
          was: { text: "www.example.com. A 192.0.2.2", ttl: "600 (disabled)" },
        },
        {
          outcome: "change" as const,
          domain: "example.com",
          text: "x.example.com. A 192.0.2.3",
          ttl: "60",
          was: { text: "x.example.com. A 192.0.2.4", ttl: "300" },
        },
      ],
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [],
    };
    const share = { domain: "example.net", email: "mate@example.com", mode: "r" };
    const steps = [
      step("create", "RecordBatch", "web", undefined, web),
      step("update", "DomainShare", "mate", share, { ...share, mode: "rw", subDomain: "www" }),
      step(
        "create",
        "RecordBatch",
        "late",
        undefined,
        batch(["; www.example.org. (TTL known after the update) A 192.0.2.1"], ["example.org"]),
      ),
      step("create", "RecordBatch", "hidden", undefined, { domains: ["example.org"], records: "[secret]" }),
    ];
    assert.deepEqual(linesOf(report(steps, [], { outlooks: [outlook] })), [
      "= example.com. 600 A 192.0.2.1 ; live already: adopted",
      "! www.example.com. 600 A 192.0.2.2 ; disabled ; TTL 600 is declared: stays as it is, and the up fails",
      "x www.example.com. 600 CNAME a.example.net. ; www.example.com. 600 CNAME b.example.net. is declared: refused",
      "- x.example.com. 300 A 192.0.2.4",
      "+ x.example.com. 60 A 192.0.2.3",
      "- share with mate@example.com r",
      "+ share with mate@example.com rw on www",
      "+ www.example.org. A 192.0.2.1 ; TTL known after the update",
      '+ RecordBatch "hidden": its records are secret',
    ]);
  });
});

describe("what is not begun, since what it depends on fails", () => {
  const urn = "urn:pulumi:dev::zones::pulumi-nodejs:dynamic/legacydns:RecordBatch::web";
  const one = { domain: "example.com", name: "one", type: "A", ttl: 600 };
  const then = { dependencies: [urn], type: "pulumi-nodejs:dynamic/legacydns:Record" };
  const names = "old.example.com. A 192.0.2.9 (record 7)";
  const limits = [
    reason("live.left-over-next", {
      removalSetBy: "stack",
      change: false,
      full: false,
      unproven: false,
      command: "up",
      names,
      first: names,
      live: 1,
      enabled: 1,
      both: false,
      changed: 0,
    }),
  ];
  const outlooks = [
    {
      of: "example.com example.com. A 192.0.2.1",
      entries: [
        {
          outcome: "leave" as const,
          domain: "example.com",
          text: "old.example.com. A 192.0.2.9",
          ttl: "600",
        },
      ],
      unchanged: {},
      refusals: [],
      limits,
      checks: [],
    },
    {
      of: "example.com one.example.com. A 192.0.2.4",
      entries: [
        { outcome: "add" as const, domain: "example.com", text: "one.example.com. A 192.0.2.4", ttl: "600" },
      ],
      unchanged: {},
      refusals: [],
      limits,
      checks: [],
    },
  ];
  const found = report(
    [
      step("update", "RecordBatch", "web", batch([]), web),
      // A replacement, of which nothing is made, and so nothing is deleted.
      step("create-replacement", "Record", "one", undefined, undefined, {
        oldState: { type: then.type, inputs: { ...one, value: "192.0.2.3" } },
        newState: { ...then, inputs: { ...one, value: "192.0.2.4" } },
      }),
      step("delete-replaced", "Record", "one", { ...one, value: "192.0.2.3" }, undefined),
      step("create", "DomainShare", "mate", undefined, undefined, {
        newState: {
          dependencies: [urn],
          type: "pulumi-nodejs:dynamic/legacydns:DomainShare",
          inputs: { domain: "example.com", email: "mate@example.org", mode: "r" },
        },
      }),
    ],
    [],
    { outlooks },
  );

  it("counts as that alone, and its ways out are not told", () => {
    const [plan] = found.domains;
    assert.deepEqual(
      [plan?.add, plan?.change, plan?.remove, plan?.stays, plan?.fails, plan?.refused, plan?.notBegun],
      [0, 0, 0, 1, 1, 0, 3],
    );
    assert.equal(found.limits.length, 1, found.limits.join("\n"));
    assert.deepEqual(
      found.warnings.filter((text) => text.startsWith("the up does not begin")),
      ['the up does not begin what depends on a resource that fails: Record "one"; DomainShare "mate"'],
    );
  });

  it("is told as such in each form", () => {
    const text = textOf(found, coloursOf(terminal, terminal.out)).join("\n");
    assert.match(text, /^example\.com .*! 1 stays, and the up fails {2}x 3 not begun/m);
    assert.match(
      text,
      /^ {2}x one\.example\.com\. A 192\.0\.2\.4 +600 \(not begun, since what it depends on fails\)$/m,
    );
    assert.match(text, /1 stays \(the up fails\), 3 not begun\.$/m);
    const comment = markdownOf(found);
    assert.match(comment, /\| ! stays \| x not begun \| unchanged \|/);
    assert.match(comment, /\| 1 \| 3 \| 0 \|/);
    assert.match(
      comment,
      /^x one\.example\.com\. 600 A 192\.0\.2\.4 ; not begun, since what it depends on fails$/m,
    );
    const page = pageOf(found, { at: 0, version: "0" });
    assert.match(page, /<th scope="col">Not begun<\/th>/);
    assert.match(
      page,
      /x one\.example\.com\. 600 A 192\.0\.2\.4 ; not begun, since what it depends on fails/,
    );
  });
});

describe("a very long text", () => {
  it("is looked through once for the line behind it, however many brackets it has", () => {
    const data = " [".repeat(1_000_000);
    assert.equal(placeOf({ text: `t.example.com. TXT "${data}"` }), "t.example.com. TXT");
    assert.equal(placeOf({ text: `t.example.com. TXT "${data}" [电信]` }), "t.example.com. TXT [电信]");
  });

  const key = "k=v;".repeat(2250);
  const dkim = (value: string): Props =>
    batch([`k.example.com. 600 TXT "${value}"`, "www.example.com. A 192.0.2.2"]);
  const forms = (found: PlanReport): string[] => [
    textOf(found, coloursOf(terminal, terminal.out)).join("\n"),
    markdownOf(found),
    pageOf(found, { at: 0, version: "0" }).replaceAll("&#34;", '"'),
  ];

  it("is shortened for people, with its length, as messages do; the report that JSON prints holds it whole", () => {
    const found = created(dkim(key));
    for (const text of forms(found)) {
      assert.ok(text.includes(`TXT "${key.slice(0, 100)}…" (9,000 characters)`), text.slice(0, 500));
      assert.ok(!text.includes(key.slice(0, 104)));
    }
    assert.equal(found.domains[0]?.lines[0]?.text, `k.example.com. TXT "${key}"`);
    for (const text of forms(report([step("delete", "RecordBatch", "web", dkim(key), undefined)])))
      assert.ok(!text.includes(key.slice(0, 104)));
  });

  it("shows where it differs from the one before", () => {
    const changed = key.replace(/v;$/, "w;");
    const entry = {
      outcome: "change" as const,
      domain: "example.com",
      text: `k.example.com. TXT "${changed}"`,
      ttl: "600",
      was: { text: `k.example.com. TXT "${key}"`, ttl: "600" },
    };
    const outlooks = [
      {
        of: `example.com k.example.com. TXT "${changed}"`,
        entries: [entry],
        unchanged: {},
        refusals: [],
        limits: [],
        checks: [],
      },
    ];
    for (const text of forms(
      report([step("update", "RecordBatch", "web", dkim(key), dkim(changed))], [], {
        outlooks,
        full: true,
        removal: "delete",
      }),
    )) {
      assert.match(text, /TXT "…[kv=;]+k=v;" \(9,000 characters\)/);
      assert.match(text, /"…[kv=;]+k=w;" \(9,000 characters\)/);
    }
  });
});

describe("the plan as Markdown", () => {
  const markdown = (records: Props): string => markdownOf(created(records));

  it("begins with a marker of the stack, by which a pipeline finds its comment again", () => {
    assert.match(markdown(web), /^<!-- pulumi-legacydns plan: dev -->\n\n### DNS plan for `dev`\n/);
  });

  it("folds more than 20 lines, more than 5 refusals, and all that is no verdict", () => {
    assert.doesNotMatch(markdown(many(20)), /<details>/);
    assert.match(
      markdown(many(21)),
      /<details>\n<summary>The zone as a diff: 21 lines<\/summary>\n\n```diff\n# example\.com\n\+ h0\./,
    );
    const text = markdownOf(report([], [...errors(7, "no"), { severity: "warning", message: "warning: w" }]));
    assert.match(
      text,
      /\*\*Refused\*\*\n\n- 0 no\n- 1 no\n- 2 no\n- 3 no\n- 4 no\n\n<details>\n<summary>2 more refusals<\/summary>\n\n- 5 no\n- 6 no\n\n<\/details>\n\n<details>\n<summary>Warnings: 1<\/summary>/,
    );
  });

  it("has a row for each zone that changes, and counts the others", () => {
    const steps = ["a", "b"].map((name) =>
      step(
        "same",
        "RecordBatch",
        name,
        batch([`${name}.example. 60 A 192.0.2.1`], [`${name}.example`]),
        batch([`${name}.example. 60 A 192.0.2.1`], [`${name}.example`]),
      ),
    );
    assert.match(
      markdownOf(report([edit, ...steps])),
      /\| example\.com \| 2 \| 0 \| 0 \| 0 \| 2 \| 8 \|\n\n2 more zones stay as they are\.\n/,
    );
  });

  it("stays below 60,000 characters, and says how many lines are missing", () => {
    const text = markdown(many(20_000));
    assert.ok(text.length < maxLength, String(text.length));
    assert.ok(text.length > maxLength - 2000, String(text.length));
    const shown = text.match(/^\+ h/gm)?.length ?? 0;
    assert.match(
      text,
      new RegExp(
        `\n${(20_000 - shown).toLocaleString("en-US")} more lines are not shown here; \`pulumi-legacydns plan\` shows them all\\.\n`,
      ),
    );
    assert.match(text, /\n```\n[^]*<\/details>\n$/);
  });

  it("stays below it with long problems, too, and with thousands of domains", () => {
    const diagnostics = errors(500, "<@x>".repeat(1000));
    assert.ok(markdownOf(report([], diagnostics)).length < maxLength);
    const domains = Array.from({ length: 3000 }, (_, n) =>
      step(
        "create",
        "RecordBatch",
        `b${n}`,
        undefined,
        batch([`d${n}.example. 600 A 192.0.2.1`], [`d${n}.example`]),
      ),
    );
    const text = markdownOf(
      report(
        domains,
        diagnostics.map((each) => ({ ...each, severity: "warning" })),
      ),
    );
    assert.ok(text.length < maxLength, String(text.length));
    assert.match(text, /and 2,900 more zones that change/);
  });

  it("shows the commands and settings of messages as code, and no text of a zone that has backquotes of its own", () => {
    const of = (message: string): string =>
      /\n- (.*)\n/.exec(markdownOf(report([], [{ severity: "error", message: `error: ${message}` }])))?.[1] ??
      "";
    assert.equal(
      of('run `pulumi up --refresh`, or set `removal: "retain"`, `adopt` or `records: []`'),
      'run `pulumi up --refresh`, or set `removal: "retain"`, `adopt` or `records: []`',
    );
    assert.equal(
      of("name it: `LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi up`"),
      "name it: `LEGACYDNS_CONFIRMED_DOMAINS=example.com pulumi up`",
    );
    assert.equal(
      of('TXT "a`b <i> `<b>@you|x</b>`": run `pulumi up`'),
      'TXT "a&#96;b &#60;i&#62; &#96;&#60;b&#62;&#64;you&#124;x&#60;/b&#62;&#96;": run `pulumi up`',
    );
    assert.equal(
      of("`pulumi up <b>` \\`pulumi *x*`"),
      "&#96;pulumi up &#60;b&#62;&#96; &#92;&#96;pulumi &#42;x&#42;&#96;",
    );
  });

  it("lets no text out of its place: fences, tags, tables and names of people", () => {
    const text = markdownOf(
      report(
        [
          step(
            "create",
            "RecordBatch",
            "web",
            undefined,
            batch(['example.com. 600 TXT "``` </details> @someone"']),
          ),
        ],
        [{ severity: "warning", message: "warning: <b>|@someone|</b> `x` ![](y)" }],
      ),
    );
    assert.match(text, /\n````diff\n[^]*\n````\n\n<details>/);
    assert.match(text, /^- &#60;b&#62;&#124;&#64;someone&#124;&#60;\/b&#62; &#96;x&#96; !&#91;&#93;\(y\)$/m);
  });
});

/** A document as a browser reads it: the names of its elements with those of their attributes, each once; and its text. */
function contentsOf(document: string): { elements: string[]; text: string } {
  const elements = new Set<string>();
  let text = "";
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("value" in node && node.parentNode?.nodeName !== "style") text += node.value;
    if ("attrs" in node) elements.add(`${node.tagName} ${node.attrs.map(({ name }) => name).join(" ")}`);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  const errors: string[] = [];
  visit(parse(document, { onParseError: ({ code }) => errors.push(code) }));
  assert.deepEqual(errors, []);
  return { elements: [...elements].sort(), text };
}

describe("the plan as a page", () => {
  const made = { at: Date.UTC(2026, 10, 22, 8), version: "0.1.0" };
  const quiet = step(
    "same",
    "RecordBatch",
    "q",
    batch(["q.example. 60 A 192.0.2.1"], ["q.example"]),
    batch(["q.example. 60 A 192.0.2.1"], ["q.example"]),
  );

  const replaced = {
    op: "delete",
    urn: "urn:one",
    type: "pulumi-nodejs:dynamic/legacydns:Record",
    resource: 'Record "one"',
    before: { domain: "example.com", name: "one", type: "A", value: "192.0.2.3" },
    changed: [],
    halfDone: false,
  };

  it("is valid and accessible HTML, whatever the plan has", async () => {
    const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"] });
    const refused = report(
      [edit, quiet],
      [...errors(12, "no\n  - why"), { severity: "warning", message: "warning: w" }],
      { pending: [replaced] },
    );
    const outlook = {
      of: 'example.com b.example.com. TXT "new"',
      entries: [
        { outcome: "refuse" as const, domain: "example.com", text: 'b.example.com. TXT "new"', ttl: "600" },
      ],
      unchanged: {},
      refusals: [],
      limits: [],
      checks: [],
    };
    for (const found of [
      report([edit, quiet]),
      report([edit, quiet], [], { outlooks: [outlook] }),
      report([edit], [], { removal: "delete", full: true }),
      refused,
      report([]),
      created(many(600)),
    ]) {
      const { results } = await validator.validateString(pageOf(found, made));
      assert.deepEqual(
        results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line }) => `${line}: ${message} (${ruleId})`),
        ),
        [],
      );
    }
  });

  it("has the verdict, each zone's figures and diff, what stays as it is, and when it was made", () => {
    const { text } = contentsOf(pageOf(report([edit, quiet]), made));
    assert.match(text, /DNS plan for dev\n2 to add, 0 to change, 0 to remove, 2 stay \(the up fails\)\./);
    assert.match(text, /example\.com2000 ?2 \(2\)8\n/);
    assert.match(text, /1 zone stays as it isq\.example \(1\)/);
    assert.match(
      text,
      /What stays as it isan up will end with an error while it is live: \S+ A \S+ is no longer declared; the documented interface can neither change nor remove a record\. Meanwhile it is still answered/,
    );
    assert.match(
      text,
      /2 records stay as they are and the up ends with an error: see what stays as it is\.\n4 lines\n@@ 1 unchanged @@\n {2}a\.example\.com\. 600 A 192\.0\.2\.1\n/,
    );
    assert.match(text, /Made by pulumi-legacydns 0\.1\.0 at 2026-11-22 08:00:00 UTC/);
  });

  it("keeps hostile data as text: the same elements and attributes as without it, and each value readable", () => {
    const hostile = `</pre></style></title><script>alert(1)</script><img src=x onerror='a'>" onload="b" -->&lt;&#60;\u202e`;
    const page = (value: string): string => {
      const record = { domain: "example.com", name: "x", type: "TXT", value, ttl: 600 };
      const found = report(
        [
          step("create", "Record", value, undefined, record),
          step("create", value, "other", undefined, {}),
          quiet,
        ],
        [{ severity: "warning", message: `warning: ${value}` }],
        { pending: [{ ...replaced, resource: value }] },
      );
      return pageOf(
        {
          ...found,
          stack: value,
          domains: found.domains.map((plan) => ({ ...plan, domain: `${value}.example` })),
        },
        made,
      );
    };
    const [harmless, attacked] = [contentsOf(page("harmless")), contentsOf(page(hostile))];
    assert.deepEqual(attacked.elements, harmless.elements);
    assert.ok(
      !attacked.elements.some((each) => /script|img|link|iframe| (on|style|src)/.test(each)),
      attacked.elements.join("\n"),
    );
    const shown = hostile.replace("\u202e", "\\u202e");
    assert.ok(attacked.text.split(shown).length > 6, attacked.text);
  });

  it("asks nobody for anything: its own style alone may work, by its digest", async () => {
    const page = pageOf(report([edit]), made);
    assert.match(
      page,
      /^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'">/,
    );
    assert.doesNotMatch(page, /https?:|url\(|@import|<script|<link/);
    const digest = Buffer.from(
      await crypto.subtle.digest(
        "SHA-256",
        new TextEncoder().encode(/<style>([^]*)<\/style>/.exec(page)?.[1]),
      ),
    ).toString("base64");
    assert.ok(page.includes(`'sha256-${digest}'`));
    assert.ok(page.includes(style));
  });

  it("can be read in dark and light: every text has a contrast of 4.5 or more", () => {
    for (const {
      page: [text, ground],
      faint,
      link,
      lines,
    } of [light, dark]) {
      for (const ink of [text, faint, link]) assert.ok(contrast(ink, ground) >= 4.5, `${ink} on ${ground}`);
      for (const [ink, paper] of Object.values(lines))
        assert.ok(contrast(ink, paper) >= 4.5, `${ink} on ${paper}`);
    }
  });

  it("stays usable with 10,000 records: below 1 MB, folded, and laid out in parts", () => {
    const page = pageOf(
      created(
        batch(
          Array.from({ length: 10_000 }, (_, n) => `host-${n}.example.com. 600 A 10.0.${n >> 8}.${n & 255}`),
        ),
      ),
      made,
    );
    assert.ok(page.length < 1_000_000, String(page.length));
    assert.match(page, /<details><summary>10,000 lines<\/summary>/);
    assert.equal(page.split("<pre>").length - 1, 50);
    assert.match(pageOf(created(many(500)), made), /<details open><summary>500 lines<\/summary>/);
  });
});
