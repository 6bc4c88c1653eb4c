/** The switches of the service that matter by hand; the others are in docs/emulator.md. */
import { act, field, h, select, set } from "./dom.js";
import { known, post } from "./service.js";

/** Setting → shows its value. @typedef {Record<string, (value: unknown) => void>} Shown */

/**
 * A number that is saved when it is left.
 * @param {Shown} shown
 * @param {string} name
 * @param {string} label
 * @param {string} hint
 */
function number(shown, name, label, hint) {
  /** @type {HTMLInputElement} */
  const input = h("input", {
    inputmode: "decimal",
    onchange: () =>
      act(
        () => post("settings", { [name]: input.value.trim() === "" ? null : Number(input.value) }),
        `${label}: ${input.value.trim() === "" ? "never" : input.value}`,
      ),
  });
  shown[name] = (value) => {
    if (document.activeElement !== input) input.value = value === null ? "" : String(value);
  };
  return field(label, input, { hint });
}

/** The switch of the undocumented operations. @param {Shown} shown */
function undocumentedSwitch(shown) {
  /** @type {HTMLButtonElement} */
  const toggle = h("button", {
    class: "switch",
    role: "switch",
    "aria-labelledby": "undocumented",
    onclick: () =>
      act(() => post("settings", { undocumented: toggle.getAttribute("aria-checked") !== "true" }), "Saved"),
  });
  shown.undocumented = (value) => {
    set(toggle, { "aria-checked": String(value) });
  };
  const text =
    "Records can be changed and removed by callers. The provider uses them with LEGACYDNS_UNDOCUMENTED_OPERATIONS=true.";
  const title = h("strong", { id: "undocumented" }, "Operations outside the document");
  return h("div", { class: "line" }, toggle, h("div", {}, title, h("p", { class: "muted" }, text)));
}

export function settingsView() {
  /** @type {Shown} */
  const shown = {};
  const identical = select(
    { onchange: () => act(() => post("settings", { identical: identical.value }), "Saved") },
    [
      ["refuse", "is refused (code 104)"],
      ["accept", "is made a second time"],
    ],
  );
  shown.identical = (value) => {
    identical.value = String(value);
  };
  const fields = h(
    "div",
    { class: "fields" },
    number(shown, "jobMs", "A job's time for a record (ms)", "200 makes progress visible"),
    number(shown, "stickAfter", "New jobs are held after (records)", "empty: never"),
    number(shown, "indexDelay", "Index delay (seconds)", "until Record.List shows a new record"),
    field("A record that exists already", identical),
  );
  return {
    title: "Settings",
    element: h(
      "section",
      {},
      h("div", { class: "head" }, h("h1", {}, "Settings")),
      h("div", { class: "card form" }, undocumentedSwitch(shown), fields),
    ),
    update() {
      const settings = /** @type {Record<string, unknown>} */ ({ ...known.overview?.settings });
      if (known.overview !== null) for (const [name, show] of Object.entries(shown)) show(settings[name]);
    },
  };
}
