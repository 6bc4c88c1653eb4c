/** Labelled controls, and forms in a dialog. The browser keeps the focus inside and gives it back. */
import { messageOf } from "./app.js";
import { fill, h } from "./dom.js";

/** @import { Attributes, Child } from "./dom.js" */

/**
 * A control: a check box for a boolean, a list for `options`, a text area for `rows`, else a text or a `whole` number.
 * @typedef {{
 *   label: string, value?: string | number | boolean, whole?: boolean, rows?: number, hint?: string,
 *   options?: readonly (string | readonly [value: string, text: string])[], attributes?: Attributes
 * }} Field
 */

/** @param {string} name @param {Field} field */
export function control(name, { label, value = "", whole, rows, hint, options, attributes }) {
  const given = { name, "aria-describedby": hint && `${name}-hint`, ...attributes };
  const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: "false", ...given, value };
  const input =
    typeof value === "boolean"
      ? h("input", { type: "checkbox", ...given, checked: value })
      : options
        ? select({ ...given, value }, options)
        : rows
          ? h("textarea", { rows, ...plain })
          : h("input", { inputmode: whole ? "numeric" : null, ...plain });
  const isBox = typeof value === "boolean";
  return h(
    "div",
    { class: isBox || rows ? "field wide" : "field", "data-key": name },
    h("label", {}, ...(isBox ? [input, " ", label] : [label, input])),
    hint ? h("small", { id: `${name}-hint` }, hint) : null,
  );
}

/** A list to choose from, with the current value even if it is no option. @param {Attributes} attributes @param {NonNullable<Field["options"]>} options */
export function select({ value = "", ...attributes }, options) {
  const pairs = options.map((option) => (typeof option === "string" ? [option, option] : option));
  if (!pairs.some(([each]) => each === value)) pairs.push([String(value), String(value)]);
  const all = pairs.map(([each = "", text = ""]) => h("option", { value: each }, text));
  return h("select", { ...attributes, value }, ...all);
}

/** @param {string} label @param {(value: string) => unknown} found @param {string} value */
export const search = (label, found, value) =>
  h("input", {
    type: "search",
    "aria-label": label,
    placeholder: label,
    autocomplete: "off",
    value,
    oninput: (/** @type {{ target: HTMLInputElement }} */ { target }) => found(target.value),
  });

/**
 * Opens a form. It shows the errors of `send` and stays open.
 * @param {{
 *   title: string, action: string, text?: Child,
 *   fields: (values: Record<string, any>) => Record<string, Field>, send: (values: Record<string, any>) => Promise<unknown>
 * }} options `fields` follows the values
 */
export function openForm({ title, action, text = null, fields, send }) {
  /** @type {Record<string, string | boolean>} */
  let values = {};
  const problem = h("p", { class: "bad", role: "alert" });
  const submit = h("button", { class: "primary" }, action);
  const inputs = h("div", { class: "fields" });
  const draw = () => {
    values = read(inputs);
    const controls = Object.entries(fields(values)).map(([name, field]) =>
      control(name, { ...field, value: values[name] ?? field.value ?? "" }),
    );
    fill(inputs, ...controls);
    values = read(inputs);
  };
  const cancel = h("button", { type: "button", onclick: () => void dialog.close() }, "Cancel");
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await send(valuesOf(fields(values), values));
      dialog.close();
    } catch (error) {
      fill(problem, messageOf(error));
    } finally {
      submit.disabled = false;
    }
  };
  const form = h(
    "form",
    { onsubmit, onchange: draw, oninput: draw },
    h("h2", { id: "dialog-title" }, title),
    text,
    inputs,
    problem,
    h("div", { class: "bar" }, cancel, submit),
  );
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The row of a removed record cannot take the focus back.
    if (document.activeElement === document.body) document.getElementById("main")?.focus();
  });
  draw();
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {Element} inputs @returns {Record<string, string | boolean>} */
function read(inputs) {
  const all = /** @type {NodeListOf<HTMLInputElement>} */ (inputs.querySelectorAll("[name]"));
  return Object.fromEntries(
    [...all].map(({ name, type, checked, value }) => [name, type === "checkbox" ? checked : value]),
  );
}

/**
 * @param {Record<string, Field>} fields
 * @param {Record<string, string | boolean>} values
 */
function valuesOf(fields, values) {
  const pairs = Object.entries(fields).map(([name, { label, whole }]) => {
    const value = values[name] ?? "";
    if (typeof value === "boolean") return [name, value];
    const text = value.trim();
    if (!whole) return [name, text];
    if (!/^\d*$/.test(text)) throw new Error(`${label} must be a whole number, not ${text}`);
    return [name, text === "" ? undefined : Number(text)];
  });
  return Object.fromEntries(pairs);
}
