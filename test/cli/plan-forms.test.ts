import { deepEqual, doesNotMatch, equal, match, ok, throws } from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { planSummary } from "../../provider/lifecycle/preview";
import type { Plan } from "../../provider/reconcile/plan/plan";
import { jsonOf } from "../../cli/plan";
import { githubOf } from "../../cli/plan/github";
import { markdownOf, maxLength } from "../../cli/plan/markdown";
import { pageOf } from "../../cli/plan/page";
import type { Sign } from "../../cli/plan/report";
import { codeIn, textOf } from "../../cli/plan/text";
import { plain, visibleTerminal } from "../../cli/terminal";
import { systemClock } from "../../provider/support/clock";
import { join } from "node:path";
import { inFolder, write } from "./run";
import { declared, everySection, held, line, problem, report, update, updated } from "./previews";

const many = (count: number) =>
  updated(Array.from({ length: count }, (_, n) => line("+", `h${n}.example.com. TXT "${"x".repeat(20)}"`)));
const messages = (severity: "error" | "warning", count: number, text: string) =>
  Array.from({ length: count }, (_, n) => ({ severity, message: `${severity}: ${n} ${text}` }));
const gone = problem("example.com: gone");
const edit = declared(
  [
    line("~", "ttl.example.com. A 192.0.2.1", { was: { text: "ttl.example.com. A 192.0.2.1", ttl: "300" } }),
    line("!", "gone.example.com. A 192.0.2.1"),
    line("=", "a.example.com. A 192.0.2.1"),
  ],
  { unchanged: { "example.com": 8, "q.example": 1 }, blocked: [gone] },
);
const edited = report([update], [edit]);

describe("the figures of a plan", () => {
  const signs: Sign[] = ["+", "+", "+", "=", "=", "~", "-", "-", "-", "-", "!", "!"];
  const lines = signs.map((sign, n) => line(sign, `h${n}.example.com. A 192.0.2.${n}`));
  const found = updated(lines, { unchanged: { "example.com": 7 }, blocked: [problem("no")] });
  const words = "3 to create, 2 to adopt, 1 to update, 4 to delete, 2 blocked, 7 unchanged";

  it("are the same in the preview's summary, as text, as Markdown and as JSON", () => {
    const n = (length: number): { length: number } => ({ length });
    const plan = {
      ...{ create: n(3), adopted: n(2), changes: n(1), removals: n(4) },
      ...{ obstacles: n(1), stale: n(1), undecided: n(0), present: n(9) },
    } as unknown as Plan;
    equal(planSummary(plan, "example.com", { removal: "verify", unknown: 0 }), `example.com: ${words}`);
    const text = textOf(found, plain).join("\n");
    ok(text.startsWith(`example.com  ${words}\n`), text);
    ok(text.includes(`\n${words}. The up makes every other change, then fails.`), text);
    ok(markdownOf(found).includes(`| example.com | ${words} |`));
    const {
      lines: _lines,
      answers: _answers,
      ...figures
    } = JSON.parse(JSON.stringify(jsonOf(found))).domains[0];
    const some = { create: 3, adopt: 2, update: 1, delete: 4, blocked: 2, unchanged: 7 };
    deepEqual(figures, { domain: "example.com", ...some, retained: 0, undecided: 0 });
  });

  it("name the resource whose replaced state is left", () => {
    const { unfinished } = report([update], [held("web", []), held("web", [])]);
    deepEqual(unfinished, ['RecordBatch "web": its replaced state is still to be deleted']);
  });

  it("has colour on a terminal only", () => {
    const tty = { write: () => true, isTTY: true };
    const text = (env: Readonly<Record<string, string>>): string => {
      const { out } = visibleTerminal({ env, out: tty, err: tty, clock: systemClock, exitCode: 0 });
      return textOf(updated([line("+", "new.example.com. A 192.0.2.1")]), out.colours).join("\n");
    };
    match(text({}), /\u001b\[32m {2}\+ new/);
    doesNotMatch(text({ NO_COLOR: "1" }), /\u001b/);
  });
});

describe("a plan as Markdown", () => {
  it("begins with a marker of the stack", () => {
    match(markdownOf(many(1)), /^<!-- pulumi-legacydns plan: dev -->\n\n### DNS plan for `dev`\n/);
  });

  it("has a row for each zone that changes, and counts the others", () => {
    match(
      markdownOf(edited),
      /\| example\.com \| 1 to adopt, 1 to update, 1 blocked, 8 unchanged \|\n\nZones without a change: 1\n/,
    );
  });

  it("shows an update as a deletion and an addition", () => {
    match(
      markdownOf(edited),
      /\n- ttl\.example\.com\. A 192\.0\.2\.1 {2}300\n\+ ttl\.example\.com\. A 192\.0\.2\.1 {2}600\n/,
    );
  });

  it("folds long diffs and long lists", () => {
    doesNotMatch(markdownOf(many(10)), /<details>/);
    match(markdownOf(many(21)), /<details>\n<summary>Diff: 22 lines<\/summary>\n\n```diff\n# example\.com\n/);
    const text = markdownOf(report([], [], [...messages("error", 7, "no"), ...messages("warning", 1, "w")]));
    match(text, /<summary>Errors: 7<\/summary>[^]*<summary>Warnings: 1<\/summary>/);
  });

  it("stays below 60,000 characters, and counts the lines that are missing", () => {
    const text = markdownOf(many(3_000));
    ok(text.length < maxLength && text.length > maxLength - 2000, String(text.length));
    const shown = text.match(/^\+ h/gm)?.length ?? 0;
    match(text, new RegExp(`\nand ${(3_001 - shown - 1).toLocaleString("en-US")} more: run`));
    const long = "<@x>".repeat(1000);
    ok(markdownOf(report([], [], messages("error", 100, long))).length < maxLength);
    const domains = Array.from({ length: 3000 }, (_, n) =>
      line("+", `d${n}.example. A 192.0.2.1`, { domain: `d${n}.example` }),
    );
    const all = markdownOf(report([update], [declared(domains)], messages("warning", 100, long)));
    ok(all.length < maxLength, String(all.length));
    match(all, /\| d0\.example \|[^]*\nand 2,\d+ more: run/);
  });

  it("shows commands and settings as code, and escapes everything else", () => {
    const of = (text: string) =>
      /\n- 0 (.*)\n/.exec(markdownOf(report([], [], messages("error", 1, text))))?.[1];
    const code = 'run `pulumi up --refresh`, or set `removal: "retain"`, `adopt` or `records: []`';
    equal(of(code), code);
    equal(
      of('TXT "a`b <i> `<b>@you|x</b>`": run `pulumi up`'),
      'TXT "a&#96;b &#60;i&#62; &#96;&#60;b&#62;&#64;you&#124;x&#60;/b&#62;&#96;": run `pulumi up`',
    );
    const fence = markdownOf(updated([line("+", 'example.com. TXT "``` </details> @someone"')]));
    match(fence, /\n````diff\n[^]*\n````\n/);
  });
});

function contentsOf(document: string) {
  const elements = new Set<string>();
  let text = "";
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ("value" in node && node.parentNode?.nodeName !== "style") text += node.value;
    if ("attrs" in node) elements.add(`${node.tagName} ${node.attrs.map(({ name }) => name).join(" ")}`);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  const found: string[] = [];
  visit(parse(document, { onParseError: ({ code }) => found.push(code) }));
  deepEqual(found, []);
  return { elements: [...elements].sort(), text };
}

describe("a plan as a page", () => {
  it("is valid and accessible HTML", async () => {
    const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"] });
    const plans = [
      edited,
      report([update], [edit], [...messages("error", 12, "no\n  - why"), ...messages("warning", 1, "w")]),
      report([]),
      many(600),
      everySection(),
    ];
    for (const found of plans) {
      const { results } = await validator.validateString(pageOf(found));
      deepEqual(results, []);
    }
  });

  it("shows the verdict, the figures, the lists and the lines", () => {
    const { text } = contentsOf(pageOf(edited));
    match(text, /DNS plan for dev\n1 to adopt, 1 to update, 1 blocked, 9 unchanged\. The up makes/);
    match(text, /\nexample\.com: 1 to adopt, 1 to update, 1 blocked, 8 unchanged\n/);
    match(text, /Blocked: 1\nexample\.com: gone \[live\.ttl\]\n/);
    match(text, /\n! gone\.example\.com\. A 192\.0\.2\.1 {2}600 \(blocked: stays as it is\)\n/);
  });

  it("keeps hostile data as text", () => {
    const hostile = `</pre></style></title><script>alert(1)</script><img src=x onerror='a'>" onload="b" -->&lt;&#60;`;
    const page = (value: string) => {
      const one = line("+", `x.example.com. TXT ${value}`, { domain: `${value}.example` });
      const entry = declared([one], { blocked: [problem(value)] });
      return pageOf({ ...report([update], [entry], messages("warning", 1, value)), stack: value });
    };
    const [harmless, attacked] = [contentsOf(page("harmless")), contentsOf(page(hostile))];
    deepEqual(attacked.elements, harmless.elements);
    ok(!attacked.elements.some((each) => /script|img|link|iframe| (on|style|src)/.test(each)));
    ok(attacked.text.split(hostile).length > 5, attacked.text);
  });

  it("loads nothing: only its own style is allowed, by digest", async () => {
    const page = pageOf(edited);
    doesNotMatch(page, /https?:|url\(|@import|<script|<link/);
    const style = new TextEncoder().encode(/<style>([^]*)<\/style>/.exec(page)?.[1]);
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", style)).toString("base64");
    const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
    ok(page.includes(`content="${policy}"`));
  });

  it("stays below 1 MB with 10,000 records, and folds them", () => {
    const page = pageOf(many(10_000));
    ok(page.length < 1_000_000, String(page.length));
    const heads = (document: string) =>
      [...document.matchAll(/<details( open)?>\n<summary>([^\n]*)/g)].map(([, open = "", head = ""]) =>
        (open + head.replace(/<[^>]*>/g, " ")).replace(/\W+/g, " ").trim(),
      );
    deepEqual(heads(page), ["example com 10 000 to create 0 unchanged"]);
    deepEqual(heads(pageOf(many(500))), ["open example com 500 to create 0 unchanged"]);
  });
});

describe("the forms of a plan", () => {
  const words = (text: string) => text.replaceAll("`", "").replace(/\s+/g, " ");
  const plan = everySection();
  const lines = textOf(plan, plain)
    .join("\n")
    .split("\n")
    .map((each) => each.trim().replace(/^\* /, ""));
  const missingIn = (form: string, shown: readonly string[]) =>
    shown.flatMap((each) => each.split(/ {2,}/)).filter((each) => !words(form).includes(words(each).trim()));

  it("show the same words on a terminal, on the page and in Markdown, where an update is two lines", () => {
    deepEqual(missingIn(contentsOf(pageOf(plan)).text, lines), []);
    const markdown = markdownOf(plan).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const others = lines.filter((each) => !each.startsWith("~"));
    deepEqual(missingIn(markdown, others), []);
  });

  it("have the commands and settings of helps as code, and no other backtick", () => {
    const page = pageOf(plan);
    const codes = [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, code]) => code);
    deepEqual(
      [...new Set(codes)],
      [
        ...["pulumi up", "LEGACYDNS_REMOVAL=retain pulumi up"],
        ...["pulumi config set legacydns:undocumentedOperations true", "removal"],
        ...["LEGACYDNS_REMOVAL=delete pulumi up", "collaborator", "pulumi refresh"],
      ],
    );
    doesNotMatch(page.replace("TXT &#34;a `b`&#34;", ""), /`/);
    match(markdownOf(plan), /\n {4}help: stop tracking them: `LEGACYDNS_REMOVAL=retain pulumi up`\n/);
  });

  it("take from a help whole commands only, and from any other text none without backticks", () => {
    const codesOf = (line: string) => codeIn(line).filter((_, i) => i % 2 === 1);
    const [variable, secret] = ["export A_B=ID,TOKEN", "pulumi config set --secret a:b ID,TOKEN"];
    const confirm = "LEGACYDNS_CONFIRMED_DOMAINS=a.example,b.example pulumi up";
    const contact = "pulumi config set a:b you@example.com";
    for (const [text, ...codes] of [
      [`  help: set it: ${variable}, or ${secret}`, variable, secret],
      [`  help: if it is meant: ${confirm}`, confirm],
      [`  help: set contact (${contact}, or an input)`, contact],
      ["  help: if the job is over: rm /tmp/a+b/job"],
      ['www.example.com. TXT "a: pulumi up"'],
      ["  help: set removal: `retain`, then run `pulumi up`", "retain", "pulumi up"],
    ] as const)
      deepEqual(codesOf(text), codes);
  });
});

describe("the annotations of a plan", () => {
  it("stand at the lines of the zone's file, or at the job", () =>
    inFolder((folder) => {
      write(folder, {
        "example.com.zone": "$TTL 600\nwww A 192.0.2.1\ngone A 192.0.2.1\n",
        "main.txt": "$TTL 600\ngone A 192.0.2.1\n",
      });
      const failed = updated([line("!", "gone.example.com. A 192.0.2.1")], { blocked: [gone] });
      const options = { cwd: folder, workspace: folder, defaultLine: "默认" };
      const annotations = (...named: string[]) => {
        const files = new Map(named.map((name) => ["example.com", join(folder, name)]));
        return githubOf(failed, { ...options, files });
      };
      match(annotations(), /^::error title=blocked::.*example\.com: gone/m);
      const at = ",title=blocked::gone.example.com. A 192.0.2.1: blocked";
      ok(annotations().includes(`\n::error file=example.com.zone,line=3,col=1${at}`));
      ok(annotations("main.txt").includes(`\n::error file=main.txt,line=2,col=1${at}`));
      throws(() => annotations("nowhere.txt"), /nowhere\.txt/);
    }));
});
