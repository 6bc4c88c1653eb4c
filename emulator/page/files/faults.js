/** Faults between the provider and the service: by one click, or by a form. */
import { act, counted, field, fill, h, list, notice, select, set } from "./dom.js";
import { openForm, whole } from "./dialog.js";
import { get, known, post } from "./service.js";

/** @import { ActiveFault, FaultSpec } from "../../index" */

/** @type {readonly { title: string, text: string, spec: FaultSpec }[]} */
const presets = [
  {
    title: "Lose an answer",
    text: "The next write is carried out, and the connection breaks in the middle of its answer.",
    spec: { kind: "dropped", operation: "writes", when: "after", count: 1 },
  },
  {
    title: "Lose a call",
    text: "The next write never reaches the service.",
    spec: { kind: "refused", operation: "writes", when: "before", count: 1 },
  },
  { title: "Slow down", text: "Every call waits two seconds.", spec: { kind: "slow", ms: 2000 } },
  {
    title: "Too many requests",
    text: "Three calls are answered with HTTP 429 and Retry-After.",
    spec: { kind: "http", status: 429, retryAfter: 1, count: 3 },
  },
  {
    title: "Server error",
    text: "Every second call or so is answered with HTTP 500.",
    spec: { kind: "http", status: 500, probability: 0.5 },
  },
  {
    title: "A lie",
    text: "The next write is carried out, and its answer says that it was refused.",
    spec: { kind: "lie", count: 1 },
  },
  {
    title: "Maintenance page",
    text: "Three answers are HTML in the place of JSON.",
    spec: { kind: "garbage", form: "html", count: 3 },
  },
  {
    title: "Refuse the login",
    text: "Every call is answered with code -1.",
    spec: { kind: "code", code: "-1", message: "Login fail, please check login info" },
  },
];

export function faultsView() {
  const active = h("div", { class: "stack" });
  const none = h(
    "p",
    { class: "muted" },
    "None: every call reaches the service, and every answer its caller.",
  );
  const clear = h(
    "button",
    { onclick: () => act(() => post("faults/clear"), "All faults are off") },
    "Switch all off",
  );
  const show = list(active, (/** @type {ActiveFault} */ fault) => fault.id, faultRow);
  return {
    title: "Faults",
    element: h(
      "section",
      {},
      h("div", { class: "head" }, h("h1", {}, "Faults"), clear),
      h("h2", {}, "Switched on"),
      none,
      active,
      h(
        "div",
        { class: "head" },
        h("h2", {}, "Switch on"),
        h("button", { onclick: () => act(openFaultForm) }, "Describe another fault"),
      ),
      h("div", { class: "grid" }, ...presets.map(preset)),
    ),
    update() {
      const faults = known.overview?.faults ?? [];
      none.hidden = faults.length > 0;
      clear.hidden = faults.length < 2;
      show(faults);
    },
  };
}

/** @param {typeof presets[number]} preset */
function preset({ title, text, spec }) {
  return h(
    "article",
    { class: "card preset" },
    h("h3", {}, title),
    h("p", { class: "muted" }, text),
    h(
      "button",
      {
        "aria-label": `Switch on: ${title}`,
        onclick: () => act(() => post("faults", spec), `Switched on: ${title}`),
      },
      "Switch on",
    ),
  );
}

/** @type {Record<ActiveFault["spec"]["kind"], string>} */
const kinds = {
  refused: "Connection refused",
  dropped: "Connection dropped",
  http: "HTTP status",
  code: "Service code",
  lie: "Lie",
  garbage: "Garbage",
  huge: "Huge answer",
  slow: "Delay",
};

/** Its kind and its calls. @param {ActiveFault["spec"]} spec */
function told(spec) {
  const { kind, operation, when, skip, probability, ...own } = spec;
  const values = Object.entries(own)
    .filter(([name, value]) => name !== "count" && value !== 0)
    .map(([name, value]) =>
      name === "status" && kind === "http" ? String(value) : `${name} ${String(value)}`,
    );
  const where = [operation === "*" ? "all calls" : operation, `${when} they take effect`];
  if (skip > 0) where.push(`not the first ${String(skip)}`);
  if (probability < 1) where.push(`with a chance of ${String(probability)}`);
  return { what: `${kinds[kind]} ${values.join(", ")}`.trim(), where: where.join(", ") };
}

/** @param {ActiveFault} fault */
function faultRow(fault) {
  const hits = h("span", { class: "badge" });
  const { what, where } = told(fault.spec);
  return {
    element: h(
      "div",
      { class: "card line" },
      h("span", { class: "grow" }, h("strong", {}, what), " ", h("span", { class: "muted" }, where)),
      hits,
      h(
        "button",
        {
          "aria-label": `Switch off: ${what}, ${where}`,
          onclick: () => act(() => post("faults/clear", { id: fault.id }), "Switched off"),
        },
        "Switch off",
      ),
    ),
    update(/** @type {ActiveFault} */ { spec, hits: hit }) {
      const spent = spec.count !== undefined && hit >= spec.count;
      fill(
        hits,
        spent
          ? `spent: hit ${counted(hit, "call")}`
          : spec.count === undefined
            ? `hit ${counted(hit, "call")}`
            : `hit ${String(hit)} of ${String(spec.count)}`,
      );
      set(hits, { class: `badge ${spent ? "" : "held"}` });
    },
  };
}

/** The fields that each kind has of its own. @type {Record<string, readonly [name: string, label: string, initial: string][]>} */
const ownFields = {
  dropped: [],
  refused: [["forMs", "Nobody listens for (ms)", "0"]],
  http: [
    ["status", "HTTP status", "500"],
    ["retryAfter", "Retry-After (seconds)", ""],
  ],
  code: [
    ["code", "Code", "-99"],
    ["message", "Message", "Injected fault"],
  ],
  lie: [
    ["code", "Code", "3"],
    ["message", "Message", "Unknown error"],
  ],
  garbage: [["form", "Form", "truncated"]],
  huge: [["bytes", "Bytes", "16777216"]],
  slow: [["ms", "Milliseconds", "1000"]],
};
const texts = new Set(["code", "message", "form"]);

/** The fields that the chosen kind of fault has. @param {HTMLSelectElement} kind */
function fieldsOf(kind) {
  const element = h("div", { class: "fields" });
  /** @type {[string, HTMLInputElement | HTMLSelectElement][]} */
  let inputs = [];
  const follow = () => {
    const fields = ownFields[kind.value] ?? [];
    inputs = fields.map(([name, , initial]) => [
      name,
      name === "form" ? select({}, ["truncated", "html", "empty"]) : h("input", { value: initial }),
    ]);
    fill(element, ...inputs.map(([, input], index) => field(fields[index]?.[1] ?? "", input)));
  };
  kind.addEventListener("change", follow);
  follow();
  const values = () =>
    Object.fromEntries(
      inputs
        .filter(([, input]) => input.value !== "")
        .map(([name, input]) => [name, texts.has(name) ? input.value : Number(input.value)]),
    );
  return { element, values };
}

async function openFaultForm() {
  const { operations } = await get("choices");
  const kind = select({}, Object.keys(ownFields), "dropped");
  const operation = select({}, [["*", "all calls"], ["reads", "reads"], ["writes", "writes"], ...operations]);
  const when = select({}, [
    ["before", "before it took effect"],
    ["after", "after it took effect"],
  ]);
  const count = h("input", { inputmode: "numeric", placeholder: "no limit" });
  const skip = h("input", { inputmode: "numeric", value: "0" });
  const probability = h("input", { inputmode: "decimal", value: "1" });
  const own = fieldsOf(kind);
  openForm({
    title: "Describe a fault",
    action: "Switch on",
    body: [
      h(
        "div",
        { class: "fields" },
        field("Kind", kind),
        field("Calls", operation),
        field("When", when),
        field("Hits at most", count),
        field("Lets pass first", skip),
        field("Chance from 0 to 1", probability),
      ),
      own.element,
    ],
    send: async () => {
      await post("faults", {
        kind: kind.value,
        operation: operation.value,
        when: when.value,
        count: whole(count, "Hits at most"),
        skip: whole(skip, "Lets pass first") ?? 0,
        probability: Number(probability.value),
        ...own.values(),
      });
      notice(`Switched on: ${kind.value}`);
    },
  });
}
