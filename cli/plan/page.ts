/** The plan as one HTML file without scripts, for a pipeline's artefacts. */
import { createHash } from "node:crypto";
import { Html, html } from "../../emulator/page/html";
import { helpMark } from "../../provider/problems";
import { split } from "../../provider/support/collections";
import { number } from "../../provider/support/text";
import { changes, type DomainPlan, type Figures, type Sign, type StackPlan } from "./report";
import { answerLines, codeIn, figureTexts, sectionsOf, summaryOf, textLines } from "./text";

const openLines = 500;

const style = `
:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;
--text:light-dark(#1b1f2a,#e7e9ef);--muted:light-dark(#585f70,#a2a9b9);--edge:light-dark(#d5d9e3,#343a49);
--ground:light-dark(#f5f6f9,#12141a);--card:light-dark(#fff,#1a1d25);--shade:light-dark(#eef0f5,#242833);
--green:light-dark(#11633c,#6bd6a0);--amber:light-dark(#7d5000,#f0c060);--red:light-dark(#b3202c,#ff9aa0);
--purple:light-dark(#7a2fb8,#d3abff)}
*{box-sizing:border-box;overflow-wrap:anywhere}
body{margin:0 auto;padding:1.5rem;max-width:75rem;color:var(--text);background:var(--ground)}
h1{font-size:1.5rem;margin:0 0 1rem}
h2{display:inline;font-size:0;font-weight:600}
h2 *{font-size:1rem;color:var(--own,inherit)}
.verdict,details{margin:0 0 1rem;border:1px solid var(--edge);border-radius:.6rem;background:var(--card)}
.verdict{padding:.75rem 1rem;border-left:.4rem solid var(--own);font-weight:600}
summary{padding:.7rem 1rem;cursor:pointer;border-radius:.6rem}
summary::marker{color:var(--muted)}
[open]>summary{border-bottom:1px solid var(--edge);border-radius:.6rem .6rem 0 0}
.name{margin-right:.5rem}
.figure{display:inline-block;margin:.1rem .4rem .1rem 0;padding:.05rem .6rem;border-radius:1rem;font-size:.8rem}
.figure{background:var(--shade)}
pre,code{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;font-size:.85rem;line-height:1.6}
pre{margin:0;padding:.4rem 0;white-space:pre-wrap}
.line{display:block;padding:.05rem .9rem .05rem 3.1ch;text-indent:-2ch;unicode-bidi:isolate;color:var(--own)}
.line{border-left:.25rem solid var(--own)}
.add{--own:var(--green)}
.change{--own:var(--amber)}
.delete{--own:var(--red)}
.blocked{--own:var(--purple)}
.quiet,.still{--own:var(--muted)}
ul{margin:0;padding:0;list-style:none}
li{padding:.8rem 1rem}
li+li{border-top:1px solid var(--edge)}
p{margin:0}
.title:not(:only-child){font-weight:600}
li pre{color:var(--muted)}
code{padding:.1rem .35rem;border-radius:.3rem;background:var(--shade);user-select:all}
.help{margin-top:.25rem;padding-left:1.5rem;text-indent:-1.5rem}
.help *{text-indent:0}
@media(max-width:40rem){
body{padding:.75rem}
pre{white-space:pre-line}
.still{text-indent:0}
pre,code{font-size:.8rem}
}
`;
const digest = createHash("sha256").update(style).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
const signClasses: Readonly<Record<Sign, string>> = {
  "+": "add",
  "=": "add",
  "~": "change",
  "-": "delete",
  "!": "blocked",
  ".": "quiet",
  "?": "change",
  " ": "still",
};
const figureClasses: Readonly<Record<keyof Figures, string>> = {
  create: "add",
  adopt: "add",
  update: "change",
  delete: "delete",
  blocked: "blocked",
  retained: "quiet",
  undecided: "change",
  unchanged: "quiet",
};
const titleClasses: Readonly<Record<string, string>> = { Errors: "delete", Blocked: "blocked" };

export function pageOf(report: StackPlan): string {
  const title = `DNS plan${report.stack === undefined ? "" : ` for ${report.stack}`}`;
  const shown = report.domains.filter((plan) => changes(plan) || plan.lines.length > 0);
  const verdict = !report.ok ? "delete" : report.blocked.length > 0 ? "blocked" : "add";
  const sections = sectionsOf(report).map(([name, texts]) => listOf(name, texts));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="verdict ${verdict}">${summaryOf(report)}</p>
${report.ok ? [...zones(shown), ...sections] : [...sections, ...zones(shown)]}
</main>
</body>
</html>
`.text;
}

function zones(domains: readonly DomainPlan[]): Html[] {
  let shown = 0;
  return domains.map((plan, i) => {
    const answers = answerLines(plan).map((text) => ({ sign: " " as const, text }));
    const lines = [...textLines(plan.lines), ...answers];
    shown += lines.length;
    const body = lines.map(({ sign, text }) => {
      return html`<span class="line ${signClasses[sign]}">${text}
</span>`;
    });
    const figures = figureTexts(plan).map(([name, text], at) => {
      return html`${at > 0 && ", "}<span class="figure ${figureClasses[name]}">${text}</span>`;
    });
    const title = html`<span class="name">${plan.domain}</span>: ${figures}`;
    return section(`zone-${i + 1}`, title, shown <= openLines, html`<pre>${body}</pre>`);
  });
}

function listOf(title: string, texts: readonly string[]): Html {
  const items = texts.map((text) => html`<li>${message(text.split("\n"))}</li>`);
  const head = html`<span class="${titleClasses[title] ?? "change"}">${title}: ${number(texts.length)}</span>`;
  return section(title.toLowerCase(), head, true, html`<ul>${items}</ul>`);
}

/** The shape of a diagnostic: a headline, its records, and helps that can be copied. */
function message([first = "", ...rest]: readonly string[]): Html {
  const [helps, lines] = split(rest, (line) => line.startsWith(helpMark));
  // The backticks in a record's data, which is quoted, are data.
  const body = lines.map((line, i) => html`${i > 0 && "\n"}${line.includes('"') ? line : marked(line)}`);
  return html`<p class="title">${marked(first)}</p>${lines.length > 0 && html`<pre>${body}</pre>`}
${helps.map((line) => html`<p class="help">${marked(line)}</p>`)}`;
}

function marked(line: string): Html[] {
  return codeIn(line).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function section(id: string, title: Html, isOpen: boolean, body: Html): Html {
  return html`<section aria-labelledby="${id}"><details${isOpen ? " open" : ""}>
<summary><h2 id="${id}">${title}</h2></summary>
${body}</details></section>
`;
}
