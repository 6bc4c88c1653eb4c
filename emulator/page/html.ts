/** HTML from templates, for the console and the page of a plan. Texts are escaped: a record's text can never become a tag. */
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

/** @param subject completes the name for screen readers */
export function action(text: string, route: string, input: object, subject: string): Html {
  const data = exact(JSON.stringify(input));
  return html`<button form="actions" data-route="${route}" data-input="${data}" aria-label="${text} ${subject}">${text}</button>`;
}

export function table(label: string, heads: readonly string[], rows: readonly Html[], empty: string): Html {
  if (rows.length === 0) return html`<p class="card">${empty}</p>`;
  return html`<div class="card">
    <table aria-label="${label}">
      <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

export const row = (cells: readonly (string | number | Html)[], kind: string): Html =>
  html`<tr class="${kind}">${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;

export const input = (name: string, label: string, value: string | number = "", type = "text"): Html =>
  html`<label>${label} <input type="${type}" name="${name}" value="${exact(String(value))}" autocomplete="off" /></label>`;

export const box = (name: string, label: string, checked: boolean): Html =>
  html`<label><input type="checkbox" name="${name}" ${checked && html`checked`} /> ${label}</label>`;

export const select = (name: string, label: string, chosen: string, options: readonly string[]): Html =>
  html`<label>${label} <select name="${name}">${options.map(
    (value) =>
      html`<option value="${exact(value)}" ${value === chosen && html`selected`}>${value || "all"}</option>`,
  )}</select></label>`;
