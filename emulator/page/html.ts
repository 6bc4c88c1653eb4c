/** HTML from templates. Texts are escaped: a record's text can never become a tag. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | undefined | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(textOf)));
}

function textOf(part: Part): string {
  if (Array.isArray(part)) return part.map(textOf).join("");
  if (part instanceof Html) return part.text;
  return part === false || part === undefined ? "" : exact(visible(String(part))).text;
}

/** A text that a form sends back. Invisible characters stay as they are. */
export function exact(text: string): Html {
  return new Html(text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`));
}

/** Controls, format characters, line separators and others that fonts do not draw. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Writes invisible characters as escapes such as `\u202e`: a text may look like another one. */
function visible(text: string): string {
  return text.replace(invisible, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
