/** The picture of how the product works, as SVG: the calls between its parts, and the memories that survive each fault. */
import { join } from "node:path";
import { Html, html } from "../../emulator/page/html";
import { root } from "../support/main";

export const diagramFile = join(root, "docs/pictures/how-it-works.svg");

interface Box {
  readonly title: string;
  readonly lines: readonly string[];
  /** A place that keeps something between two runs. */
  readonly kept?: boolean;
}
interface Fault {
  readonly name: string;
  /** Whether the state, the journal and the listing survive, in this order. */
  readonly kept: readonly boolean[];
  readonly then: string;
}

const [margin, columns, boxWidth, boxHeight] = [16, 4, 174, 92];
const width = 940;
const gap = (width - 2 * margin - columns * boxWidth) / (columns - 1);
const [top, below] = [16, 176];

const actors: readonly Box[] = [
  { title: "Your program", lines: ["declares the records;", "it makes no call"] },
  { title: "Pulumi engine", lines: ["compares the declaration", "with the state, and orders", "the work"] },
  { title: "Provider process", lines: ["read, recover, plan,", "check, write, account"] },
  { title: "DNS service", lines: ["works on jobs, and serves", "the zone by DNS"] },
];
/** Below their actors; the program keeps nothing. */
const memories: readonly Box[] = [
  { title: "State", lines: ["ids of the owned records,", "numbers of open jobs"], kept: true },
  { title: "Journal", lines: ["each write of the machine,", "noted before it is sent"], kept: true },
  { title: "Listing", lines: ["the live records; a write", "appears up to 30 s later"], kept: true },
];
/** Between neighbours: towards the right, and back. */
const messages: readonly (readonly [forth: string, back: string])[] = [
  ["records", "outputs"],
  ["changes", "results"],
  ["jobs", "answers"],
];
const faults: readonly Fault[] = [
  { name: "an answer is lost", kept: [true, true, true], then: "The same run waits, looks, and goes on." },
  {
    name: "the run is killed",
    kept: [true, true, true],
    then: "The next up settles the journal's writes first.",
  },
  {
    name: "the machine or its disk is lost",
    kept: [true, false, true],
    then: "Only writes of the last minutes are unknown.",
  },
  { name: "the state is lost", kept: [false, true, true], then: "The next up adopts what is live." },
];

const style = `
text{font:14px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.title{font-weight:600;font-size:15px}.small{font-size:12px;fill:#59636e}
.page{fill:#fff;stroke:#d1d9e0}.box{fill:#f6f8fa;stroke:#59636e}.kept{fill:#ddf4ff;stroke:#0969da}
.arrow{stroke:#59636e;fill:none;marker-end:url(#head)}#head path{fill:#59636e}.rule{stroke:#d1d9e0}
.yes{fill:#116329;font-weight:600}.no{fill:#b3232c;font-weight:600}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.small{fill:#9198a1}
.page{fill:#0d1117;stroke:#3d444d}.box{fill:#161b22;stroke:#9198a1}.kept{fill:#0c2d4d;stroke:#58a6ff}
.arrow{stroke:#9198a1}#head path{fill:#9198a1}.rule{stroke:#3d444d}
.yes{fill:#56d364}.no{fill:#ff8880}
}
`;

const left = (column: number): number => margin + 8 + column * (boxWidth + gap - 16 / 3);
const text = (x: number, y: number, words: string, kind = "", anchor = "start"): Html =>
  html`<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${words}</text>\n`;
const arrow = (path: string): Html => html`<path class="arrow" d="${path}"/>\n`;

function box({ title, lines, kept = false }: Box, column: number, y: number): Html {
  const middle = left(column) + boxWidth / 2;
  const first = y + (boxHeight - lines.length * 18) / 2 + 4;
  return html`<rect class="${kept ? "kept" : "box"}" x="${left(column)}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="8"/>
${text(middle, first, title, "title", "middle")}${lines.map((line, i) => text(middle, first + 20 + i * 18, line, "small", "middle"))}`;
}

function exchange([forth, back]: readonly [string, string], column: number): Html {
  const [from, to] = [left(column) + boxWidth, left(column + 1)];
  const [middle, y] = [(from + to) / 2, top + boxHeight / 2];
  return html`${text(middle, y - 17, forth, "small", "middle")}${arrow(`M${from + 5} ${y - 10}H${to - 5}`)}${arrow(`M${to - 5} ${y + 10}H${from + 5}`)}${text(middle, y + 27, back, "small", "middle")}`;
}

function memory(each: Box, index: number): Html {
  const x = left(index + 1) + boxWidth / 2;
  const [upper, lower] = [top + boxHeight + 5, below - 5];
  return html`${arrow(`M${x - 12} ${upper}V${lower}`)}${arrow(`M${x + 12} ${lower}V${upper}`)}${box(each, index + 1, below)}`;
}

const tableTop = below + boxHeight + 46;
const cells = [left(0), 300, 390, 480, 570];

function faultRow({ name, kept, then }: Fault, index: number): Html {
  const y = tableTop + 34 + index * 28;
  const marks = kept.map((survives, i) =>
    text((cells[i + 1] ?? 0) + 22, y, survives ? "✓" : "✗", survives ? "yes" : "no", "middle"),
  );
  return html`<path class="rule" d="M${left(0)} ${y - 20}H${width - margin - 8}"/>\n${text(left(0), y, name)}${marks}${text(cells[4] ?? 0, y, then, "small")}`;
}

export function diagram(): string {
  const height = tableTop + 34 + faults.length * 28 - 6;
  const heads = ["If …", ...memories.map(({ title }) => title.toLowerCase()), "What happens"];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-labelledby="t d">
<title id="t">How it works</title>
<desc id="d">The program declares records to the Pulumi engine. The engine keeps the state and asks the provider process for changes. The provider process notes each write in the journal, sends jobs to the DNS service and lists the zone. ${faults.map(({ name, kept, then }) => `If ${name}, ${memories.map(({ title }, i) => `the ${title.toLowerCase()} ${kept[i] === true ? "survives" : "is lost"}`).join(", ")}. ${then}`).join(" ")}</desc>
<style>${new Html(style)}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${actors.map((each, column) => box(each, column, top))}${messages.map(exchange)}${memories.map(memory)}${heads.map((head, i) => text((cells[i] ?? 0) + (i > 0 && i < 4 ? 22 : 0), tableTop, head, "title", i > 0 && i < 4 ? "middle" : "start"))}${faults.map(faultRow)}</svg>
`.text;
}
