/** A picture of a terminal, as SVG, from text with the escape sequences of colours. It follows the reader's dark or light mode. */
import { Html, html } from "../../emulator/page/html";
import { largest } from "../../provider/support/collections";

const [fontSize, lineHeight, margin, bar] = [13, 19, 18, 32];
/** Wider than that of any common monospace font, so that no line is cut. */
const characterWidth = fontSize * 0.62;

const style = `
text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328}
.window{fill:#fff;stroke:#d1d9e0}.bar{fill:#f6f8fa}
.bold{font-weight:600}.dim{fill:#59636e}.c1{fill:#b3232c}.c2{fill:#116329}.c3{fill:#7d4e00}.c4{fill:#0550ae}.c5{fill:#8250df}.c6{fill:#0a6077}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.window{fill:#0d1117;stroke:#3d444d}.bar{fill:#161b22}
.dim{fill:#9198a1}.c1{fill:#ff8880}.c2{fill:#56d364}.c3{fill:#e3b341}.c4{fill:#79c0ff}.c5{fill:#d2a8ff}.c6{fill:#76e3ea}
}
`;

interface Run {
  readonly classes: readonly string[];
  readonly text: string;
}

/** The colours 30 to 37 and those of the 256 that have the same names. */
function colourOf(codes: readonly number[]): string | undefined {
  const [first = 0, , indexed = 0] = codes;
  const number = first === 38 ? indexed % 8 : first - 30;
  return number > 0 && number < 7 ? `c${number}` : undefined;
}

function runsOf(line: string): Run[] {
  let [bold, dim, colour]: [boolean, boolean, string | undefined] = [false, false, undefined];
  return line.split(/(\u001b\[[\d;]*m)/).flatMap((part) => {
    const [, sequence] = /^\u001b\[([\d;]*)m$/.exec(part) ?? [];
    if (sequence === undefined) {
      const classes = [bold ? "bold" : "", dim ? "dim" : "", colour ?? ""].filter((name) => name !== "");
      return part === "" ? [] : [{ classes, text: part }];
    }
    const codes = sequence.split(";").map(Number);
    const [first = 0] = codes;
    if (first === 0) [bold, dim, colour] = [false, false, undefined];
    else if (first === 1) bold = true;
    else if (first === 2) dim = true;
    else if (first === 22) [bold, dim] = [false, false];
    else colour = colourOf(codes);
    return [];
  });
}

/** @param description the content for readers who cannot see the picture */
export function terminalPicture(text: string, title: string, description: string): string {
  const lines = text.trimEnd().split("\n").map(runsOf);
  const lengths = lines.map((runs) => runs.reduce((sum, run) => sum + run.text.length, 0));
  const width = Math.ceil(largest(lengths) * characterWidth) + 2 * margin;
  const height = bar + 2 * margin + lines.length * lineHeight - (lineHeight - fontSize);
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, i) => html`<circle cx="${margin + 2 + i * 20}" cy="${bar / 2}" r="6" fill="${fill}"/>`,
  );
  const rows = lines.map((runs, i) => {
    const spans = runs.map(({ classes, text: part }) =>
      classes.length === 0 ? html`${part}` : html`<tspan class="${classes.join(" ")}">${part}</tspan>`,
    );
    const y = bar + margin + fontSize - 2 + i * lineHeight;
    return spans.length === 0
      ? []
      : html`<text x="${margin}" y="${y}" xml:space="preserve">${spans}</text>\n`;
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-labelledby="t d">
<title id="t">${title}</title>
<desc id="d">${description}</desc>
<style>${new Html(style)}</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 ${bar}V9a8 8 0 0 1 8-8H${width - 9}a8 8 0 0 1 8 8V${bar}z"/>
${dots}<text class="dim" x="${width / 2}" y="${bar / 2 + 4}" text-anchor="middle">${title}</text>
${rows.flat()}</svg>
`.text;
}
