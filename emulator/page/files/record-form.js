/** The form of a record: a new one, or one that is changed. */
import { field, h, notice, select } from "./dom.js";
import { openForm, whole } from "./dialog.js";
import { get, post } from "./service.js";

/** @import { Choices, RecordView } from "../../index" */

/** An example value of each type. @type {Record<string, string>} */
const examples = {
  A: "192.0.2.1",
  AAAA: "2001:db8::1",
  CNAME: "www.example.org.",
  MX: "mx1.example.org.",
  NS: "ns1.example.org.",
  TXT: "v=spf1 -all",
  SRV: "10 60 5060 sip.example.org.",
  CAA: '0 issue "ca.example.net"',
};

/** @param {{ name: string, type: string, value: string }} record @param {string} domain */
export const titleOf = ({ name, type }, domain) => `${name === "@" ? "" : `${name}.`}${domain}. ${type}`;

/**
 * The inputs of a record.
 * @param {Choices} choices
 * @param {RecordView | undefined} record the record that is changed
 */
function inputsOf({ types, lines }, record) {
  const plain = { autocomplete: "off", spellcheck: "false" };
  const value = h("textarea", { rows: 2, autofocus: record !== undefined, ...plain });
  value.value = record?.value ?? "";
  return {
    name: h("input", {
      value: record?.name ?? "",
      placeholder: "@",
      autocapitalize: "none",
      autofocus: record === undefined,
      ...plain,
    }),
    type: select({}, known(types, record?.type), record?.type ?? "A"),
    value,
    ttl: h("input", {
      inputmode: "numeric",
      value: record?.ttl ?? "",
      placeholder: record === undefined ? "the domain's" : "",
      autocomplete: "off",
    }),
    mx: h("input", { inputmode: "numeric", value: record?.mx ?? 10, autocomplete: "off" }),
    line: select({}, known(lines, record?.line), record?.line ?? lines[0]),
    enabled: h("input", { type: "checkbox", checked: record?.enabled ?? true }),
    remark: h("input", { value: record?.remark ?? "", autocomplete: "off" }),
    force: h("input", { type: "checkbox" }),
  };
}

/** The record that the inputs describe. @param {ReturnType<typeof inputsOf>} inputs */
function wanted({ name, type, value, line, ttl, mx, enabled, remark }) {
  return {
    name: name.value.trim() === "" ? "@" : name.value.trim(),
    type: type.value,
    value: value.value.trim(),
    line: line.value,
    ttl: whole(ttl, "The TTL"),
    mx: type.value === "MX" ? whole(mx, "The priority") : undefined,
    enabled: enabled.checked,
    remark: remark.value,
  };
}

/**
 * @param {string} domain
 * @param {RecordView} [record] the record that is changed
 */
export async function openRecordForm(domain, record) {
  const inputs = inputsOf(/** @type {Choices} */ (await get("choices", { domain })), record);
  const { name, type, value, ttl, mx, line, enabled, remark, force } = inputs;
  const priority = field("Priority", mx, { class: "narrow" });
  const follow = () => {
    value.placeholder = examples[type.value] ?? "";
    priority.hidden = type.value !== "MX";
  };
  type.addEventListener("change", follow);
  follow();
  openForm({
    title: record === undefined ? `Add a record to ${domain}` : `Change ${titleOf(record, domain)}`,
    action: record === undefined ? "Add record" : "Save changes",
    body: [
      h(
        "div",
        { class: "fields" },
        field("Name", name, { hint: `before .${domain}; @ is the domain itself` }),
        field("Type", type, { class: "narrow" }),
        field("Value", value, { class: "wide" }),
        priority,
        field("TTL in seconds", ttl, { class: "narrow" }),
        field("Line", line, { class: "narrow" }),
        field("Remark", remark, { class: "wide" }),
      ),
      h("label", { class: "check" }, enabled, "Enabled: the name servers answer with it"),
      h("label", { class: "check" }, force, "Skip the service's rules: duplicates and conflicts may enter"),
    ],
    send: async () => {
      const input = wanted(inputs);
      if (input.value === "") throw new Error("The value is empty");
      await save(domain, record, input, force.checked ? { force: true } : {});
    },
  });
}

/**
 * Adds a record, or changes one.
 * @param {string} domain
 * @param {RecordView | undefined} record
 * @param {{ name: string, type: string, value: string, [field: string]: unknown }} input
 * @param {{ force?: boolean }} how
 */
async function save(domain, record, input, how) {
  if (record === undefined) {
    const added = await post("record/add", { domain, ...how, ...input });
    notice(`Added ${titleOf(added, domain)} ${added.value}`);
    return;
  }
  /** @type {Partial<RecordView>} */
  const change = Object.fromEntries(
    Object.entries(input).filter(
      ([key, next]) => next !== undefined && next !== record[/** @type {keyof RecordView} */ (key)],
    ),
  );
  if (Object.keys(change).length === 0) return;
  await post("record/set", { domain, ...how, id: record.id, ...change });
  notice(
    `Changed ${titleOf({ ...record, ...change }, domain)}: ${Object.keys(change)
      .map((key) => words[key] ?? key)
      .join(", ")}`,
  );
}

/** @type {Record<string, string>} */
const words = { ttl: "TTL", mx: "priority", enabled: "state" };

/**
 * The choices, with the current one.
 * @param {readonly string[]} all
 * @param {string | undefined} own
 */
function known(all, own) {
  return own === undefined || all.includes(own) ? all : [own, ...all];
}

/**
 * Asks, and removes.
 * @param {string} domain
 * @param {RecordView} record
 */
export function openRemoval(domain, record) {
  openForm({
    title: "Remove this record?",
    action: "Remove record",
    danger: true,
    body: [
      h(
        "p",
        { class: "quoted" },
        `${titleOf(record, domain)} ${record.mx > 0 ? `${String(record.mx)} ` : ""}${record.value}`,
      ),
    ],
    send: async () => {
      await post("record/remove", { domain, id: record.id });
      notice(`Removed ${titleOf(record, domain)} ${record.value}`);
    },
  });
}
