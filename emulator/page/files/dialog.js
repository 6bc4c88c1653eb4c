/** Dialogs: a form that is sent, or a question that is answered. The browser keeps the focus inside and gives it back. */
import { fill, h } from "./dom.js";

/**
 * Opens a form. It shows the errors of `send` and stays open.
 * @param {{ title: string, body: (HTMLElement | null)[], action: string, danger?: boolean, send: () => Promise<void> }} options
 */
export function openForm({ title, body, action, danger = false, send }) {
  const problem = h("p", { class: "problem", role: "alert" });
  const go = h("button", { type: "submit", class: danger ? "danger" : "primary" }, action);
  const cancel = h("button", { type: "button", onclick: () => void dialog.close() }, "Cancel");
  const form = h(
    "form",
    {
      novalidate: true,
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        go.disabled = true;
        try {
          await send();
          dialog.close();
        } catch (error) {
          fill(problem, error instanceof Error ? error.message : String(error));
        } finally {
          go.disabled = false;
        }
      },
    },
    h("h2", { id: "dialog-title" }, title),
    ...body,
    problem,
    h("div", { class: "actions" }, cancel, go),
  );
  const dialog = h(
    "dialog",
    {
      "aria-labelledby": "dialog-title",
      onclose: () => {
        dialog.remove();
        // What opened it may be gone: the row of a record that was removed.
        if (document.activeElement === document.body) document.getElementById("main")?.focus();
      },
    },
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The value of a text field as a whole number. Undefined if it is empty.
 * @param {HTMLInputElement} input
 * @param {string} name
 * @returns {number | undefined}
 */
export function whole(input, name) {
  const text = input.value.trim();
  if (text === "") return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
