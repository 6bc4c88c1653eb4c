/** The plan as one HTML file without scripts, for a pipeline's artefacts. */
import { createHash } from "node:crypto";
import { visibleLine } from "../../provider/support/visible";
import type { DomainPlan, PlanReport, Sign } from "./report";
import { diffLines } from "./markdown";
import { figureNames, number, othersOf, sectionsOf, summaryOf } from "./text";

class Html {
  constructor(readonly markup: string) {}
}

export interface Made {
  readonly at: number;
  readonly version: string;
}

const openEntries = 10;
const openLines = 500;

/** Sign -> text and ground, light and dark. */
export const colours: Readonly<Record<string, readonly [string, string, string, string]>> = {
  "+": ["#0f5323", "#dafbe1", "#7ee787", "#10271a"],
  "-": ["#82071e", "#ffebe9", "#ffa198", "#30161a"],
  "=": ["#0a3069", "#ddf4ff", "#a5d6ff", "#0e2238"],
  "!": ["#633c01", "#fff1c2", "#f2cc60", "#2f2410"],
};
const names: Readonly<Record<Sign, string>> = {
  "+": "add",
  "-": "delete",
  "=": "adopt",
  "!": "blocked",
  ".": "blocked",
  "?": "blocked",
  "~": "add",
};

const rules = (at: 0 | 2): string =>
  Object.entries(colours)
    .map(([sign, all]) => `.${names[sign as Sign]}{color:${all[at]};background:${all[at + 1]}}`)
    .join("");

const style = `
:root{color-scheme:light dark;--text:#1f2328;--ground:#fff;--faint:#59636e;--rule:#d1d9e0}${rules(0)}
@media screen and (prefers-color-scheme:dark){:root{--text:#e6edf3;--ground:#0d1117;--faint:#9198a1;--rule:#3d444d}${rules(2)}}
body{margin:0 auto;padding:1.5rem;max-width:75rem;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
h1,h2,td,th,li{overflow-wrap:anywhere}
.verdict{padding:.75rem 1rem;font-weight:600}
table{border-collapse:collapse;width:100%}
th,td{padding:.3rem .75rem;border-bottom:1px solid var(--rule);text-align:right}
th:first-child{text-align:left}
li{white-space:pre-line}
summary{cursor:pointer;font-weight:600}
pre{margin:0;font:.85rem/1.55 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;content-visibility:auto}
.line{display:block;padding:0 .5rem;unicode-bidi:isolate}
footer{margin-top:3rem;color:var(--faint)}
@media print{.line{border-left:.2rem solid currentColor}}
`;
const digest = createHash("sha256").update(style).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;

export function pageOf(report: PlanReport, { at, version }: Made): string {
  const title = `DNS plan${report.stack === undefined ? "" : ` for ${report.stack}`}`;
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
  const changing = report.domains.filter(({ lines }) => lines.length > 0);
  const kind = !report.ok ? "delete" : report.blocked.length > 0 ? "blocked" : "add";
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
<p class="verdict ${new Html(kind)}">${summaryOf(report)}</p>
${changing.length === 0 ? "" : table(changing)}
${sectionsOf(report).map(([name, texts]) => section(name, texts))}
${othersOf(report).map((text) => html`<p>${text}</p>`)}
${zones(changing)}
</main>
<footer><p>Made by pulumi-legacydns ${version} at <time datetime="${time}">${time}</time>. Nothing was written to the service.</p></footer>
</body>
</html>
`.markup;
}

function table(domains: readonly DomainPlan[]): Html {
  const columns = figureNames.filter(
    (name) => name === "unchanged" || domains.some((plan) => plan[name] > 0),
  );
  const rows = domains.map(
    (
      plan,
      i,
    ) => html`<tr><th scope="row"><a href="#zone-${i + 1}">${plan.domain}</a></th>${columns.map((name) => html`<td>${number(plan[name])}</td>`)}</tr>
`,
  );
  return html`<table><caption>Records of each zone</caption>
<thead><tr><th scope="col">zone</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
}

function section(title: string, texts: readonly string[]): Html {
  const list = (some: readonly string[]): Html =>
    html`<ul>${some.map((text) => html`<li>${text}</li>`)}</ul>`;
  const id = title.toLowerCase();
  const rest = texts.slice(openEntries);
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${list(texts.slice(0, openEntries))}${rest.length === 0 ? "" : html`<details><summary>${number(rest.length)} more</summary>${list(rest)}</details>`}</section>
`;
}

function zones(domains: readonly DomainPlan[]): Html[] {
  let shown = 0;
  return domains.map(({ domain, lines }, i) => {
    const diff = diffLines(lines);
    shown += diff.length;
    const body = diff.map(
      (text) => html`<span class="line ${new Html(names[text[0] as Sign])}">${text}
</span>`,
    );
    return html`<section aria-labelledby="zone-${i + 1}"><h2 id="zone-${i + 1}">${domain}</h2>
<details${shown <= openLines ? html` open` : ""}><summary>${number(diff.length)} lines</summary>
<pre>${body}</pre></details></section>
`;
  });
}

type Value = Html | string | number | readonly Html[];

/** Markup. Values are escaped, so that a record cannot inject any. Ends of lines stay. */
function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(({ markup }) => markup).join("");
  return String(value)
    .split("\n")
    .map(visibleLine)
    .join("\n")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
