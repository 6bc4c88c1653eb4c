/** Elements without markup in texts: a record's text can never become a tag. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>} Attributes */

const handlers = /** @type {const} */ (["onclick", "oninput", "onchange", "ontoggle", "onsubmit"]);

/**
 * An element: `true` becomes an empty attribute, `false` and null none. `data-key` identifies it in a list.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  element.append(...shown(children));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    // A control's value is sent back, so it stays as it is.
    if (typeof value === "function" || name === "value" || name === "checked")
      Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : visible(String(value)));
  }
  return element;
}

/** @param {Child[]} children */
function shown(children) {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) =>
      typeof child === "string" || typeof child === "number"
        ? document.createTextNode(visible(String(child)))
        : /** @type {Node} */ (child),
    );
}

/** Controls, format characters, line separators and others that fonts do not draw. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Writes invisible characters as escapes such as `\u202e`: a text may look like another one. @param {string} text */
function visible(text) {
  return text.replace(invisible, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** @param {Node | null | undefined} node */
const keyOf = (node) => (node instanceof HTMLElement ? node.dataset.key : undefined);

/**
 * Gives an element these children. A child of the same key, or the same place and tag, stays, and keeps its focus.
 * @param {Node} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  const next = shown(children);
  const keys = new Set(next.map(keyOf));
  /** @type {Map<string, Node>} */
  const keyed = new Map();
  for (const old of [...parent.childNodes]) {
    const key = keyOf(old);
    if (key === undefined) continue;
    if (keys.has(key)) keyed.set(key, old);
    else parent.removeChild(old);
  }
  let place = parent.firstChild;
  for (const node of next) {
    const key = keyOf(node);
    const old = key === undefined ? place : keyed.get(key);
    if (!old || old.nodeName !== node.nodeName || keyOf(old) !== key) {
      parent.insertBefore(node, place);
      continue;
    }
    if (old === place) place = old.nextSibling;
    else parent.insertBefore(old, place);
    renew(old, node);
  }
  while (place !== null) {
    const rest = place;
    place = place.nextSibling;
    parent.removeChild(rest);
  }
}

/** Makes an element equal to another one. A focused control keeps its value. @param {Node} old @param {Node} node */
function renew(old, node) {
  if (!(old instanceof HTMLElement && node instanceof HTMLElement)) {
    if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of handlers) Object.assign(old, { [name]: node[name] });
  fill(old, ...node.childNodes);
  if (old === document.activeElement) return;
  if (old instanceof HTMLInputElement) old.checked = /** @type {HTMLInputElement} */ (node).checked;
  if ("value" in old && "value" in node && old.value !== node.value) old.value = node.value;
}

/**
 * A table, or a text if it has no rows.
 * @param {string} caption
 * @param {readonly string[]} titles
 * @param {readonly HTMLElement[]} rows
 * @param {string} [empty]
 */
export function table(caption, titles, rows, empty = "") {
  if (rows.length === 0) return h("p", { class: "card" }, empty);
  const heads = titles.map((title) => h("th", { scope: "col" }, title));
  return h(
    "div",
    { class: "card" },
    h("table", { "aria-label": caption }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)),
  );
}

/** @param {readonly Child[]} texts @param {Attributes} [attributes] */
export const row = (texts, attributes) => h("tr", attributes, ...texts.map((text) => h("td", {}, text)));
