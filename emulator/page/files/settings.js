/** The service's settings that matter by hand; the others are in docs/emulator.md. */
import { act, known, post } from "./app.js";
import { h } from "./dom.js";
import { control } from "./form.js";

/** @import { View } from "./app.js" */
/** @import { Field } from "./form.js" */

/** @type {Record<string, Field>} */
const fields = {
  jobMs: { label: "A job's time for a record (ms)", whole: true, hint: "200 makes progress visible" },
  stickAfter: { label: "New jobs are held after (records)", whole: true, hint: "empty: never" },
  indexDelay: { label: "Index delay (seconds)", whole: true, hint: "until Record.List shows a new record" },
  identical: {
    label: "A record that exists already",
    options: [
      ["refuse", "is refused (code 104)"],
      ["accept", "is made a second time"],
    ],
  },
  undocumented: {
    label: "Operations outside the document: callers can change and remove records",
    hint: "The provider uses them with LEGACYDNS_UNDOCUMENTED_OPERATIONS=true.",
  },
};

/** @returns {View} */
export function settingsView() {
  return {
    title: "Settings",
    draw() {
      const settings = /** @type {Record<string, Field["value"] | null>} */ ({ ...known.overview?.settings });
      const controls = Object.entries(fields).map(([name, field]) => {
        const onchange = (/** @type {{ target: HTMLInputElement }} */ { target }) => {
          const text = target.value.trim();
          const number = text === "" ? null : Number(text);
          const value = target.type === "checkbox" ? target.checked : field.whole ? number : text;
          return act(() => post("settings", { [name]: value }), "Saved");
        };
        return control(name, { ...field, value: settings[name] ?? "", attributes: { onchange } });
      });
      return [h("h1", {}, "Settings"), h("div", { class: "card fields" }, ...controls)];
    },
  };
}
