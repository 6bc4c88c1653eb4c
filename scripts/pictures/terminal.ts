/** A terminal's output as an SVG whose text can be selected and read aloud. Pure. */
import { widthOf } from "../../cli/table";

type Ink = "text" | "faint" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";
type Palette = Readonly<Record<Ink | "ground", string>>;

export const light: Palette = {
  ground: "#f6f8fa",
  text: "#1f2328",
  faint: "#59636e",
  red: "#a40e26",
  green: "#116329",
  yellow: "#7d4e00",
  blue: "#0550ae",
  magenta: "#6639ba",
  cyan: "#0b5c72",
};
export const dark: Palette = {
  ground: "#161b22",
  text: "#e6edf3",
  faint: "#9198a1",
  red: "#ffa198",
  green: "#7ee787",
  yellow: "#f2cc60",
  blue: "#79c0ff",
  magenta: "#d2a8ff",
  cyan: "#76e3ea",
};

const [column, row, margin] = [8.4, 20, 16];
/** By the last digit of a code, or the number in the table of 256. */
const inks: readonly Ink[] = ["text", "red", "green", "yellow", "blue", "magenta", "cyan", "text"];

export function drawTerminal(
  screen: string,
  texts: { readonly title: string; readonly description: string },
): string {
  const lines = screen.replace(/\n$/, "").split("\n");
  let look: Look = plain;
  let columns = 0;
  const drawn = lines.flatMap((line, at) => {
    let before = 0;
    // Texts and the codes between them, in turns; a colour goes on to the next line until it is taken back.
    return line.split(/\u001b\[([\d;]*)m/).flatMap((part, i) => {
      if (i % 2 === 1) look = styled(look, part.split(";").map(Number));
      const width = i % 2 === 1 ? 0 : widthOf(part);
      const x = margin + before * column;
      before += width;
      columns = Math.max(columns, before);
      if (i % 2 === 1 || part.trim() === "") return [];
      return [
        `<text class="${look.dim ? "faint" : look.ink}${look.bold ? " bold" : ""}" x="${x.toFixed(1)}" y="${margin + at * row + 14}" textLength="${(width * column).toFixed(1)}" lengthAdjust="spacingAndGlyphs">${escaped(part)}</text>`,
      ];
    });
  });
  const [width, height] = [Math.ceil(columns * column) + 2 * margin, lines.length * row + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description" xml:space="preserve">
<title id="title">${escaped(texts.title)}</title>
<desc id="description">${escaped(texts.description)}</desc>
<style>
${rules(light)}
@media (prefers-color-scheme: dark) {
${rules(dark)}
}
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }
.bold { font-weight: 700; }
</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${drawn.join("\n")}
</svg>
`;
}

function rules({ ground, ...colours }: Palette): string {
  return [
    `.ground { fill: ${ground}; stroke: ${colours.faint}; }`,
    ...Object.entries(colours).map(([ink, colour]) => `.${ink} { fill: ${colour}; }`),
  ].join("\n");
}

interface Look {
  readonly ink: Ink;
  readonly bold: boolean;
  readonly dim: boolean;
}

const plain: Look = { ink: "text", bold: false, dim: false };

/** Applies the codes of a sequence (ECMA-48, SGR) to a look. Codes without effect in a picture are ignored. */
function styled(look: Look, [code = 0, ...more]: readonly number[]): Look {
  // 38;5;N is a colour of the table of 256, 38;2;R;G;B one of its own; the ground is not drawn.
  const used = code !== 38 && code !== 48 ? 0 : more[0] === 5 ? 2 : 4;
  const next = ((): Look => {
    if (code === 0) return plain;
    if (code === 1 || code === 2) return { ...look, [code === 1 ? "bold" : "dim"]: true };
    if (code === 22) return { ...look, bold: false, dim: false };
    if (code === 39) return { ...look, ink: "text" };
    if (code === 38) return { ...look, ink: more[0] === 5 ? inkOf(more[1] ?? 0) : "text" };
    if (code >= 30 && code <= 37) return { ...look, ink: inkOf(code - 30) };
    return code >= 90 && code <= 97 ? { ...look, ink: inkOf(code - 82) } : look;
  })();
  const rest = more.slice(used);
  return rest.length === 0 ? next : styled(next, rest);
}

function inkOf(number: number): Ink {
  if (number === 8) return "faint";
  return number < 16 ? (inks[number % 8] ?? "text") : "text";
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
