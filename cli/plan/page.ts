/**
 * The plan as one HTML file that needs nothing else, for a pipeline's artefacts: the verdict, the figures of each zone,
 * what is refused and what stays as it is, and each zone as a diff. No script is in it or would run in it.
 */
import { createHash } from "node:crypto";
import { Html, html } from "../html";
import { style, switches } from "./page-style";
import type { DomainPlan, PlanReport } from "./report";
import { checksOf, othersText, refusalTitle, summaryOf } from "./text";
import { tells, zoneDiff, type DiffKind, type DiffLine } from "./zone-diff";

/** When the plan was made, in milliseconds since the epoch, and by which version. */
export interface Made {
  readonly at: number;
  readonly version: string;
}

/** So many lines of diffs are open when the page is; further zones fold. */
const openLines = 500;
/** So many entries of a list are open; the rest folds. */
const openEntries = 10;
/** Lines that are laid out together. */
const chunk = 200;

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/** The page, as a whole document. */
export function pageOf(report: PlanReport, { at, version }: Made): string {
  const title = `DNS plan${report.stack === undefined ? "" : ` for ${report.stack}`}`;
  const changing = report.domains.filter(({ lines }) => lines.length > 0);
  const quiet = report.domains.filter(({ lines }) => lines.length === 0);
  const zones = changing.map((plan) => ({ plan, diff: zoneDiff(plan) }));
  const others = othersText(report.others);
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
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
${verdict(report)}
${figures(changing, quiet)}
${listed("refused", refusalTitle(report), report.refusals)}
${listed("limits", "What stays as it is", report.limits)}
${listed("unfinished", "Not finished by an earlier up", report.unfinished)}
${listed("warnings", "Warnings", report.warnings)}
${listed("checks", "Checks", checksOf(report))}
${others === undefined ? "" : html`<p>${others}</p>`}
${zones.length === 0 ? "" : filters(zones.flatMap(({ diff }) => diff))}
${zonesOf(zones)}
</main>
<footer><p>Made by pulumi-legacydns ${version} at <time datetime="${time}">${time.replace("T", " ").replace("Z", " UTC")}</time> from the engine’s own preview. Nothing was written to the service.</p></footer>
</body>
</html>
`.markup;
}

function verdict(report: PlanReport): Html {
  const fails = report.domains.some((plan) => plan.fails > 0);
  const kind = !report.ok ? " refused" : fails ? " fails" : "";
  return html`<p class="verdict${kind}">${summaryOf(report, "below")}</p>`;
}

function figures(changing: readonly DomainPlan[], quiet: readonly DomainPlan[]): Html {
  const names = html`<ul>${quiet.map(({ domain, unchanged }) => html`<li>${domain} (${number(unchanged)})</li>`)}</ul>`;
  const same =
    quiet.length === 0
      ? ""
      : html`<details><summary>${number(quiet.length)} ${quiet.length === 1 ? "zone stays as it is" : "zones stay as they are"}</summary>${names}</details>`;
  if (changing.length === 0) return html`${same}`;
  // Columns that most plans have no use for.
  const some = (figure: "undecided" | "refused" | "notBegun", cell: Html): Html | string =>
    changing.some((plan) => plan[figure] > 0) ? cell : "";
  const rows = changing.map(
    ({ domain, add, adopt, change, remove, stays, fails, undecided, refused, notBegun, unchanged }, i) => {
      const left = fails > 0 ? `${number(stays)} (${number(fails)})` : number(stays);
      return html`<tr><th scope="row"><a href="#zone-${i + 1}">${domain}</a></th><td>${number(add)}</td><td>${number(adopt)}</td><td>${number(change)}</td><td>${number(remove)}</td><td>${left}</td>${some("undecided", html`<td>${number(undecided)}</td>`)}${some("refused", html`<td>${number(refused)}</td>`)}${some("notBegun", html`<td>${number(notBegun)}</td>`)}<td>${number(unchanged)}</td></tr>
`;
    },
  );
  return html`<div class="scroll"><table>
<caption>Records of each zone, and what an up does with them</caption>
<thead><tr><th scope="col">Zone</th><th scope="col">Added</th><th scope="col">Adopted</th><th scope="col">Changed</th><th scope="col">Removed</th><th scope="col">Stay (fail)</th>${some("undecided", html`<th scope="col">At the update</th>`)}${some("refused", html`<th scope="col">Refused</th>`)}${some("notBegun", html`<th scope="col">Not begun</th>`)}<th scope="col">Unchanged</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
<p class="hint">Adopted: live already, taken over without a write. Stay: left as they are though the program asks for something else, since the service cannot do it or shall not; for those in brackets the up ends with an error.</p>
${same}`;
}

/** A section with a list; none where there is nothing in it. */
function listed(id: string, title: string, texts: readonly string[]): Html {
  if (texts.length === 0) return html``;
  const items = (some: readonly string[]): Html =>
    html`<ul>${some.map((text) => html`<li>${text}</li>`)}</ul>`;
  const more =
    texts.length > openEntries
      ? html`<details><summary>${number(texts.length - openEntries)} more</summary>${items(texts.slice(openEntries))}</details>`
      : "";
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${items(texts.slice(0, openEntries))}${more}</section>`;
}

const words: Readonly<Record<(typeof switches)[number], string>> = {
  add: "+ comes into the zone",
  remove: "- leaves the zone",
  adopt: "= live already, adopted",
  stay: "! stays as it is",
  undecided: "? stays, unless the update finds another",
  refuse: "x refused, or not begun",
  other: "~ changes, and is not shown",
  same: "unchanged, around the changes",
};

/** The key to the signs; each of them switches its lines off, without any script. */
function filters(lines: readonly DiffLine[]): Html {
  const there = new Set<DiffKind>(lines.map(({ kind }) => kind));
  const boxes = switches
    .filter((kind) => there.has(kind))
    .map(
      (kind) => html`<label><input type="checkbox" id="show-${kind}" checked> ${words[kind]}</label>
`,
    );
  return html`<fieldset><legend>Lines to show</legend>${boxes}</fieldset>`;
}

function zonesOf(
  zones: readonly { readonly plan: DomainPlan; readonly diff: readonly DiffLine[] }[],
): Html[] {
  let open = 0;
  return zones.map(({ plan, diff }, i) => {
    open += diff.length;
    return zoneOf(`zone-${i + 1}`, plan, diff, open <= openLines);
  });
}

function zoneOf(
  id: string,
  { domain, fails, stays }: DomainPlan,
  diff: readonly DiffLine[],
  open: boolean,
): Html {
  const blocks = Array.from(
    { length: Math.ceil(diff.length / chunk) },
    (_, i) => html`<pre>${diff.slice(i * chunk, (i + 1) * chunk).map(lineOf)}</pre>`,
  );
  const told = diff.filter(tells).length;
  const failing =
    fails === 0
      ? ""
      : html`<p>${count(fails)} as ${fails === 1 ? "it is" : "they are"} and <strong>the up ends with an error</strong>: see what stays as it is.</p>`;
  const left =
    stays === fails
      ? ""
      : html`<p>${count(stays - fails)} as ${stays - fails === 1 ? "it is" : "they are"}, without an error.</p>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${domain}</h2>${failing}${left}
<details${open ? html` open` : ""}><summary>${number(told)} ${told === 1 ? "line" : "lines"}</summary>
${blocks}</details></section>
`;
}

const elements: Readonly<Partial<Record<DiffKind, Html>>> = { add: html`ins`, remove: html`del` };

function lineOf({ kind, text }: DiffLine): Html {
  const element = elements[kind] ?? html`span`;
  return html`<${element} class="line ${kind}">${text}
</${element}>`;
}

/** `2 records stay`, `1 record stays`. */
function count(n: number): string {
  return n === 1 ? "1 record stays" : `${number(n)} records stay`;
}

function number(n: number): string {
  return n.toLocaleString("en-US");
}
