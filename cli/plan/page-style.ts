/**
 * How the page of a plan looks: light and dark, on paper, and what its switches hide. The colours are data, so that a test
 * can hold that every text can be read.
 */
import type { DiffKind } from "./zone-diff";

export interface Palette {
  readonly page: readonly [text: string, ground: string];
  readonly faint: string;
  readonly rule: string;
  readonly link: string;
  readonly lines: Readonly<Partial<Record<DiffKind, readonly [text: string, ground: string]>>>;
}

export const light: Palette = {
  page: ["#1f2328", "#ffffff"],
  faint: "#59636e",
  rule: "#d1d9e0",
  link: "#0550ae",
  lines: {
    add: ["#0f5323", "#dafbe1"],
    remove: ["#82071e", "#ffebe9"],
    adopt: ["#0a3069", "#ddf4ff"],
    stay: ["#633c01", "#fff1c2"],
    undecided: ["#0b4f4f", "#d8f5f3"],
    refuse: ["#7a0a52", "#ffeaf4"],
    other: ["#512a97", "#f3ebff"],
  },
};

export const dark: Palette = {
  page: ["#e6edf3", "#0d1117"],
  faint: "#9198a1",
  rule: "#3d444d",
  link: "#79c0ff",
  lines: {
    add: ["#7ee787", "#10271a"],
    remove: ["#ffa198", "#30161a"],
    adopt: ["#a5d6ff", "#0e2238"],
    stay: ["#f2cc60", "#2f2410"],
    undecided: ["#7fe0d6", "#0f2b2a"],
    refuse: ["#ff9ecb", "#33162a"],
    other: ["#d2a8ff", "#22183a"],
  },
};

/** The kinds of lines that a reader can hide. */
export const switches = [
  "add",
  "remove",
  "adopt",
  "stay",
  "undecided",
  "refuse",
  "other",
  "same",
] as const satisfies readonly DiffKind[];

function variables({ page: [text, ground], faint, rule, link, lines }: Palette): string {
  const pairs = Object.entries(lines).map(
    ([kind, [ink, paper]]) => `--${kind}:${ink};--${kind}-ground:${paper};`,
  );
  return `--text:${text};--ground:${ground};--faint:${faint};--rule:${rule};--link:${link};${pairs.join("")}`;
}

/** The style sheet. A page with 10,000 lines stays quick, since what is out of sight is not laid out. */
export const style = `
:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:75rem;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.25}h2{margin-top:2.5rem;font-size:1.25rem}h1,h2,td,th,li{overflow-wrap:anywhere}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.verdict{padding:.75rem 1rem;border-left:.35rem solid var(--add);background:var(--add-ground);color:var(--add);font-weight:600}
.verdict.refused{border-color:var(--remove);background:var(--remove-ground);color:var(--remove)}
.verdict.fails{border-color:var(--stay);background:var(--stay-ground);color:var(--stay)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;min-width:100%}caption{text-align:left;color:var(--faint);padding-bottom:.25rem}
th,td{padding:.3rem .75rem;border-bottom:1px solid var(--rule);text-align:right;font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left;font-weight:400;min-width:10rem}thead th,thead th:first-child{font-weight:600}
li{white-space:pre-line;margin:.25rem 0}
summary{cursor:pointer;padding:.35rem 0;font-weight:600}
fieldset{margin:1.5rem 0 0;padding:.5rem 1rem;border:1px solid var(--rule);border-radius:.4rem}
fieldset label{display:inline-block;margin:.15rem 1.25rem .15rem 0}
pre{margin:0;font:.85rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere;content-visibility:auto;contain-intrinsic-size:auto 250rem}
.line{display:block;padding:0 .5rem 0 2.5ch;text-indent:-1.5ch;text-decoration:none;unicode-bidi:isolate}
${Object.keys(light.lines)
  .map((kind) => `.${kind}{color:var(--${kind});background:var(--${kind}-ground)}`)
  .join("\n")}
.gap,footer,.hint{color:var(--faint)}footer{margin-top:3rem;border-top:1px solid var(--rule);font-size:.9rem}
${switches.map((kind) => `body:has(#show-${kind}:not(:checked)) .line.${kind}`).join(",\n")}{display:none}
@media print{body{max-width:none;padding:0;font-size:10pt}fieldset{display:none}a{color:inherit;text-decoration:none}
h2,summary{break-after:avoid}tr,.line,li{break-inside:avoid}thead{display:table-header-group}pre{content-visibility:visible}
.line{border-left:.2rem solid currentColor}.line.same,.line.gap{border-color:transparent}}
`;
