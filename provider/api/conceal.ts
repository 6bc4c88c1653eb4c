/**
 * Secrets blotted out of what the service says, whatever they are dressed in: as they are, or under percent-encoding, the
 * escapes of JSON, the entities of HTML or base64, of the whole text or of a part, once or one inside another. The text
 * is undressed, not the secret dressed: each form would need another list.
 */

/** What stands for a secret. */
const BLOT = "[secret]";
/** How many coats a text is taken out of. */
const COATS = 3;
/** Characters that a secret must still have out of its own coat. */
const FEWEST = 3;

/** A text with the place in the original that each of its characters came from. */
interface Bare {
  readonly text: string;
  /** For the character at `i`, `from[i]` to `from[i + 1]` in the original. */
  readonly from: readonly number[];
}

/** The text with each of the secrets replaced. @param secrets the longest first */
export function concealed(text: string, secrets: readonly string[]): string {
  if (text === "" || secrets.length === 0) return text;
  const spans: [number, number][] = [];
  const sought = secrets.flatMap(looksOf);
  let bare: Bare = { text, from: Array.from({ length: text.length + 1 }, (_, i) => i) };
  for (let coat = 0; coat <= COATS; coat += 1) {
    mark(bare, sought, spans);
    markBase64(bare, secrets, spans);
    const next = undressed(bare);
    if (next.text === bare.text) break;
    bare = next;
  }
  return blotted(text, spans);
}

/**
 * A secret as it is found in a text out of its coats. What in the secret itself looks like an escape comes off with the
 * coat of another kind.
 */
function looksOf(secret: string): string[] {
  const looks = new Set([withoutPlus(secret)]);
  let look = secret;
  for (let coat = 0; coat < COATS && /[%\\&]/.test(look); coat += 1) {
    look = undressed({ text: look, from: [] }).text;
    if (look.length >= FEWEST) looks.add(withoutPlus(look));
  }
  return [...looks].filter((text) => text !== "");
}

/** A form writes a blank as a plus sign, and a plus sign as an escape: out of its coat one is the other. */
function withoutPlus(text: string): string {
  return text.replaceAll("+", " ");
}

function mark({ text, from }: Bare, sought: readonly string[], spans: [number, number][]): void {
  const within = withoutPlus(text);
  for (const secret of sought) {
    for (let at = within.indexOf(secret); at >= 0; at = within.indexOf(secret, at + 1)) {
      spans.push([from[at] ?? 0, from[at + secret.length] ?? Infinity]);
    }
  }
}

const base64Run = /[A-Za-z0-9+/_-]{4,}={0,2}/g;

/** Marks what is base64 of a text that holds a secret; where it begins within a run of such characters is not known. */
function markBase64({ text, from }: Bare, secrets: readonly string[], spans: [number, number][]): void {
  let bytes: readonly Buffer[] | undefined;
  for (const { 0: run, index } of text.matchAll(base64Run)) {
    bytes ??= secrets.filter((secret) => secret !== "").map((secret) => Buffer.from(secret));
    const readings = [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), "base64"));
    if (
      bytes.some((secret) =>
        readings.some((reading) => reading.length >= secret.length && reading.includes(secret)),
      )
    ) {
      spans.push([from[index] ?? 0, from[index + run.length] ?? Infinity]);
    }
  }
}

const percents = /(?:%[0-9A-Fa-f]{2})+/y;
const escape = /\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(["'\\/bfnrt]))/y;
const entity = /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,6}[0-9]{0,2}));/y;

const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
/** HTML's names of U+00A0 to U+00FF, in their order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 " +
  "ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc " +
  "Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml " +
  "aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave " +
  "uacute ucirc uuml yacute thorn yuml";
const NAMED: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" }),
  ...LATIN.split(" ").map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
]);

/** The text out of one coat of escapes. */
function undressed({ text, from }: Bare): Bare {
  let bare = "";
  const places: number[] = [];
  const put = (decoded: string, at: number): void => {
    for (let i = 0; i < decoded.length; i += 1) places.push(from[at] ?? 0);
    bare += decoded;
  };
  for (let at = 0; at < text.length;) {
    const found = decodedAt(text, at);
    if (found === undefined) {
      put(text.charAt(at), at);
      at += 1;
      continue;
    }
    for (const [decoded, length] of found) {
      put(decoded, at);
      at += length;
    }
  }
  return { text: bare, from: [...places, from[text.length] ?? 0] };
}

/** What is written at this place in a coat: each character with the length of its writing. */
function decodedAt(text: string, at: number): (readonly [string, number])[] | undefined {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  switch (text.charAt(at)) {
    case "%":
      return percentsOf(match(percents)?.[0] ?? "");
    case "\\": {
      const [whole, unicode, byte, short] = match(escape) ?? [];
      if (whole === undefined) return undefined;
      const code = unicode ?? byte;
      return [
        [
          code === undefined
            ? (ESCAPED[short ?? ""] ?? short ?? "")
            : String.fromCharCode(Number.parseInt(code, 16)),
          whole.length,
        ],
      ];
    }
    case "&": {
      const [whole, decimal, hex, name] = match(entity) ?? [];
      if (whole === undefined) return undefined;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      const character =
        name === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined) : NAMED.get(name);
      return character === undefined ? undefined : [[character, whole.length]];
    }
    default:
      return undefined;
  }
}

/** A run of percent-encoded octets as the characters that they are in UTF-8; undefined where they are none. */
function percentsOf(run: string): (readonly [string, number])[] | undefined {
  if (run === "") return undefined;
  const text = Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8");
  const characters = [...text].map((character) => [character, Buffer.byteLength(character) * 3] as const);
  return characters.reduce((sum, [, length]) => sum + length, 0) === run.length ? characters : undefined;
}

function blotted(text: string, spans: readonly [number, number][]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (end <= at) continue;
    if (start >= at) parts.push(text.slice(at, start), BLOT);
    at = Math.min(end, text.length);
  }
  return parts.join("") + text.slice(at);
}
