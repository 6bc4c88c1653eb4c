/** HTML templates. Values are escaped, so that a record cannot inject markup. */
import { visibleLine } from "../provider/support/visible";

export class Html {
  constructor(readonly markup: string) {}
}

type Value = Html | string | number | readonly Html[];

/** `html\`<p>${anything}</p>\``. Ends of lines stay. Invisible characters become visible. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
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
