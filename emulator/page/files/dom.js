/** Elements without markup in texts: the text of a record can never become a tag. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>} Attributes */

/**
 * An element: texts become attributes, `true` an empty one, `false` and null none; a function under `onclick` listens.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...shown(children));
  return element;
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else {
      const text = value === true ? "" : name === "value" ? String(value) : visible(String(value));
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/**
 * Replaces the children that differ in text.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const next = shown(children);
  if (
    next.every((child) => typeof child === "string") &&
    element.childElementCount === 0 &&
    element.textContent === next.join("")
  )
    return;
  element.replaceChildren(...next);
}

/** @param {Child[]} children */
function shown(children) {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : visible(String(child))));
}

/** Controls, format characters, line separators and others that fonts do not draw. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/**
 * The text with invisible characters as escapes such as `\u202e`: a record's text may look like another one.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(invisible, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/**
 * Keeps a container's children in step with a list. An item that stays keeps its element, and with it the focus.
 * @template T
 * @param {Element} container
 * @param {(item: T) => string | number} keyOf
 * @param {(item: T) => { element: Element, update: (item: T) => void }} make
 * @returns {(items: readonly T[]) => void}
 */
export function list(container, keyOf, make) {
  /** @type {Map<string | number, { element: Element, update: (item: T) => void, text: string }>} */
  let rows = new Map();
  return (items) => {
    const next = new Map();
    for (const item of items) {
      const key = keyOf(item);
      const text = JSON.stringify(item);
      const row = rows.get(key) ?? { ...make(item), text: "" };
      if (row.text !== text) row.update(item);
      row.text = text;
      next.set(key, row);
    }
    for (const [key, { element }] of rows) if (!next.has(key)) element.remove();
    let place = container.firstElementChild;
    for (const { element } of next.values()) {
      if (place !== null && element === place) place = place.nextElementSibling;
      else container.insertBefore(element, place);
    }
    rows = next;
  };
}

/**
 * Calls once it has been quiet for a moment.
 * @param {() => unknown} act
 * @param {number} ms
 */
export function calm(act, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
}

/**
 * Says a thing in passing; a screen reader reads it out.
 * @param {string} text
 * @param {"done" | "problem"} [kind]
 */
export function notice(text, kind = "done") {
  const box = h("p", { class: `notice ${kind}` }, text);
  const notices = document.getElementById("notices");
  notices?.append(box);
  while (notices !== null && notices.childElementCount > 3) notices.firstElementChild?.remove();
  setTimeout(
    () => {
      box.remove();
    },
    kind === "done" ? 5000 : 10000,
  );
}

/**
 * Runs an action, and shows its text or its error.
 * @param {() => Promise<unknown>} deed
 * @param {string} [text]
 */
export async function act(deed, text = "") {
  try {
    await deed();
    if (text !== "") notice(text);
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error), "problem");
  }
}

/**
 * A labelled control.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {{ hint?: string, class?: string }} [more]
 */
export function field(label, control, more = {}) {
  if (control.id === "") control.id = `f${String((field.count += 1))}`;
  const hint = more.hint === undefined ? null : h("small", { id: `${control.id}-hint` }, more.hint);
  if (hint !== null) control.setAttribute("aria-describedby", hint.id);
  return h(
    "div",
    { class: `field ${more.class ?? ""}` },
    h("label", { for: control.id }, label),
    control,
    hint,
  );
}
field.count = 0;

/**
 * A list to choose from.
 * @param {Attributes} attributes
 * @param {readonly (string | readonly [string, string])[]} options each its value, or its value and a text
 * @param {string} [chosen]
 */
export function select(attributes, options, chosen) {
  const element = h(
    "select",
    attributes,
    ...options.map((option) => {
      const [value, text] = typeof option === "string" ? [option, option] : option;
      return h("option", { value }, text);
    }),
  );
  if (chosen !== undefined) element.value = chosen;
  return element;
}

/** @param {string} text a moment in ISO 8601 */
export const time = (text) => text.slice(11, 19);

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
