/** The plan as one HTML file without scripts, for a pipeline's artefacts. */
import { createHash } from "node:crypto";
import { Html, html } from "../../emulator/page/html";
import { changes, type DomainPlan, type StackPlan } from "./report";
import { answerLines, diffLines, figuresOf, number, sectionsOf, summaryOf } from "./text";

const openLines = 500;

const style = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:1.5rem;max-width:75rem;font:1rem/1.5 system-ui,sans-serif}
h1,h2,li{overflow-wrap:anywhere}
h2{display:inline;font-size:1.2rem}
.verdict{padding:.75rem 1rem;font-weight:600}
li{white-space:pre-line}
summary{cursor:pointer;margin-top:1rem}
pre{font:.85rem/1.55 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;content-visibility:auto}
.verdict,.line{border-left:.4rem solid}
.line{display:block;padding:0 .5rem;unicode-bidi:isolate}
.add{border-color:#2da44e}
.delete{border-color:#cf222e}
.adopt{border-color:#0969da}
.blocked{border-color:#bf8700}
`;
const digest = createHash("sha256").update(style).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
const classes: Readonly<Record<string, string>> = { "+": "add", "-": "delete", "=": "adopt" };

export function pageOf(report: StackPlan): string {
  const title = `DNS plan${report.stack === undefined ? "" : ` for ${report.stack}`}`;
  const shown = report.domains.filter((plan) => changes(plan) || plan.lines.length > 0);
  const verdict = !report.ok ? "delete" : report.blocked.length > 0 ? "blocked" : "add";
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
${sectionsOf(report).map(([name, texts]) => listOf(name, texts))}
${zones(shown)}
</main>
</body>
</html>
`.text;
}

function listOf(title: string, texts: readonly string[]): Html {
  const items = texts.map((text) => html`<li>${text}</li>`);
  return section(title.toLowerCase(), `${title}: ${number(texts.length)}`, true, html`<ul>${items}</ul>`);
}

function zones(domains: readonly DomainPlan[]): Html[] {
  let shown = 0;
  return domains.map((plan, i) => {
    const diff = [...diffLines(plan.lines), ...answerLines(plan)];
    shown += diff.length;
    const body = diff.map((text) => {
      return html`<span class="line ${classes[text.slice(0, 1)] ?? "blocked"}">${text}
</span>`;
    });
    const title = `${plan.domain}: ${figuresOf(plan)}`;
    return section(`zone-${i + 1}`, title, shown <= openLines, html`<pre>${body}</pre>`);
  });
}

function section(id: string, title: string, isOpen: boolean, body: Html): Html {
  return html`<section aria-labelledby="${id}"><details${isOpen ? " open" : ""}>
<summary><h2 id="${id}">${title}</h2></summary>
${body}</details></section>
`;
}
