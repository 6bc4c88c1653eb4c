/** The switches of the service that matter by hand; the others are in docs/emulator.md. */
import { act, field, h, select, set } from "./dom.js";
import { known, post } from "./service.js";

export function settingsView() {
  /** @type {Record<string, (value: unknown) => void>} */
  const shown = {};
  /**
   * A number that is saved when it is left.
   * @param {string} name @param {string} label @param {string} hint
   */
  const number = (name, label, hint) => {
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
  };
  /** @type {HTMLButtonElement} */
  const undocumented = h("button", {
    class: "switch",
    role: "switch",
    "aria-labelledby": "undocumented",
    onclick: () =>
      act(
        () => post("settings", { undocumented: undocumented.getAttribute("aria-checked") !== "true" }),
        "Saved",
      ),
  });
  shown.undocumented = (value) => {
    set(undocumented, { "aria-checked": String(value) });
  };
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
  return {
    title: "Settings",
    element: h(
      "section",
      {},
      h("div", { class: "head" }, h("h1", {}, "Settings")),
      h(
        "div",
        { class: "card form" },
        h(
          "div",
          { class: "line" },
          undocumented,
          h(
            "div",
            {},
            h("strong", { id: "undocumented" }, "Operations outside the document"),
            h(
              "p",
              { class: "muted" },
              "Records can be changed and removed by callers. The provider uses them with LEGACYDNS_UNDOCUMENTED_OPERATIONS=true.",
            ),
          ),
        ),
        h(
          "div",
          { class: "fields" },
          number("jobMs", "A job's time for a record (ms)", "200 makes progress visible"),
          number("stickAfter", "New jobs are held after (records)", "empty: never"),
          number("indexDelay", "Index delay (seconds)", "until Record.List shows a new record"),
          field("A record that exists already", identical),
        ),
      ),
    ),
    update() {
      const settings = /** @type {Record<string, unknown>} */ ({ ...known.overview?.settings });
      if (known.overview !== null) for (const [name, show] of Object.entries(shown)) show(settings[name]);
    },
  };
}
