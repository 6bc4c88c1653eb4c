/** Faults between the provider and the service: by one click, or by a form. */
import { button, get, known, notice, post } from "./app.js";
import { h } from "./dom.js";
import { openForm } from "./form.js";

/** @import { ActiveFault, FaultSpec } from "../../index" */
/** @import { View } from "./app.js" */
/** @import { Field } from "./form.js" */

/** @type {readonly [title: string, text: string, spec: FaultSpec][]} */
const presets = [
  [
    "Lose an answer",
    "The next write is carried out, and the connection breaks in the middle of its answer.",
    { kind: "dropped", operation: "writes", when: "after", count: 1 },
  ],
  [
    "Lose a call",
    "The next write never reaches the service.",
    { kind: "refused", operation: "writes", count: 1 },
  ],
  ["Slow down", "Every call waits two seconds.", { kind: "slow", ms: 2000 }],
  [
    "Too many requests",
    "Three calls are answered with HTTP 429 and Retry-After.",
    { kind: "http", status: 429, retryAfter: 1, count: 3 },
  ],
  [
    "Server error",
    "About every second call is answered with HTTP 500.",
    { kind: "http", status: 500, probability: 0.5 },
  ],
  [
    "A lie",
    "The next write is carried out, and its answer says that it was refused.",
    { kind: "lie", count: 1 },
  ],
  [
    "Maintenance page",
    "Three answers are HTML in the place of JSON.",
    { kind: "garbage", form: "html", count: 3 },
  ],
  [
    "Refuse the login",
    "Every call is answered with code -1.",
    { kind: "code", code: "-1", message: "Login fail, please check login info" },
  ],
];

/** @returns {View} */
export function faultsView() {
  return {
    title: "Faults",
    draw() {
      const faults = known.overview?.faults ?? [];
      return [
        h(
          "div",
          { class: "bar" },
          h("h1", {}, "Faults"),
          button("Describe another fault", openFaultForm),
          button("Switch all off", () => post("faults/clear")),
        ),
        faults.length === 0 &&
          h("p", {}, "None: every call reaches the service, and every answer its caller."),
        ...faults.map(active),
        h("h2", {}, "Switch on"),
        h("div", { class: "grid" }, ...presets.map(preset)),
      ];
    },
  };
}

/** @param {typeof presets[number]} preset */
const preset = ([title, text, spec]) =>
  h(
    "article",
    { class: "card" },
    h("h3", {}, title),
    h("p", {}, text),
    button("Switch on", () => post("faults", spec), `Switch on: ${title}`),
  );

/** @param {ActiveFault} fault */
function active({ id, spec, hits }) {
  const { kind, operation, when, count, skip, probability, ...own } = spec;
  const what = [kind, ...Object.entries(own).map(([name, value]) => `${name} ${String(value)}`)].join(", ");
  const skipped = skip > 0 ? `, not the first ${skip}` : "";
  const chance = probability < 1 ? `, with a chance of ${probability}` : "";
  const where = `${operation === "*" ? "all calls" : operation}, ${when} they take effect${skipped}${chance}`;
  return h(
    "div",
    { class: "card bar", "data-key": id },
    h("p", {}, h("strong", {}, what), ` ${where}`),
    h("span", { class: "badge" }, `hit ${hits}${count === undefined ? "" : ` of ${count}`}`),
    button("Switch off", () => post("faults/clear", { id }), `Switch off: ${what}, ${where}`),
  );
}

/** @param {string} label @param {number | ""} value @returns {Field} */
const whole = (label, value) => ({ label, value, whole: true });

/** Kind → its own fields. @type {Record<string, Record<string, Field>>} */
const ownFields = {
  dropped: {},
  refused: { forMs: whole("Nobody listens for (ms)", 0) },
  http: { status: whole("HTTP status", 500), retryAfter: whole("Retry-After (seconds)", "") },
  code: { code: { label: "Code", value: "-99" }, message: { label: "Message", value: "Injected fault" } },
  lie: { code: { label: "Code", value: "3" }, message: { label: "Message", value: "Unknown error" } },
  garbage: { form: { label: "Form", options: ["truncated", "html", "empty"], value: "truncated" } },
  huge: { bytes: whole("Bytes", 16_777_216) },
  slow: { ms: whole("Milliseconds", 1000) },
};

async function openFaultForm() {
  const { operations } = await get("choices");
  openForm({
    title: "Describe a fault",
    action: "Switch on",
    fields: ({ kind = "dropped" }) => ({
      kind: { label: "Kind", options: Object.keys(ownFields), value: kind },
      operation: {
        label: "Calls",
        options: [["*", "all calls"], "reads", "writes", ...operations],
        value: "*",
      },
      when: {
        label: "When",
        options: [
          ["before", "before it took effect"],
          ["after", "after it took effect"],
        ],
        value: "before",
      },
      count: whole("Hits at most", ""),
      skip: whole("Lets pass first", 0),
      probability: { label: "Chance from 0 to 1", value: "1" },
      ...ownFields[kind],
    }),
    send: async (values) => {
      await post("faults", { ...values, probability: Number(values.probability) });
      notice(`Switched on: ${values.kind}`);
    },
  });
}
