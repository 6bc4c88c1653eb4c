/**
 * HTML as a template: whatever is put into it becomes text, unless it is HTML that was made here. So no value of a
 * record can leave its place.
 */
import { visibleLine } from "../provider/support/visible";

/** Made by {@link html} alone. */
export class Html {
  constructor(readonly markup: string) {}
}

type Value = Html | string | number | readonly Html[];

/** `html\`<p>${anything}</p>\``. Lines of a text stay; its invisible characters show. */
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
