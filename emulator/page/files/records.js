/** The records of one domain: search, filters, pages, and actions. */
import { act, button, get, known, notice, post, redraw } from "./app.js";
import { h, row, table } from "./dom.js";
import { openForm, search, select } from "./form.js";

/** @import { Choices, RecordPage, RecordView } from "../../index" */
/** @import { View } from "./app.js" */

const pageSize = 100;
/** The service's names of the states of a domain. @type {[string, string][]} */
const statuses = [
  ["enable", "served"],
  ["pause", "paused"],
  ["lock", "locked"],
  ["spam", "banned"],
];
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

/** @param {{ name: string, type: string }} record @param {string} domain */
const titleOf = ({ name, type }, domain) => `${name === "@" ? "" : `${name}.`}${domain}. ${type}`;

/** @param {string} domain @returns {View} */
export function recordsView(domain) {
  const filter = { search: "", type: "", state: "" };
  let offset = 0;
  /** @type {RecordPage} */
  let page = { total: 0, matching: 0, types: [], records: [] };
  let shown = "";
  let busy = false;
  /** Loads the records if the zone or the filter has changed. @param {number} revision */
  async function follow(revision) {
    const query = { domain, ...filter, hold: "yes", offset, limit: pageSize };
    const wanted = JSON.stringify([revision, query]);
    if (busy || wanted === shown) return;
    busy = true;
    shown = wanted;
    await act(async () => (page = await get("records", query)));
    busy = false;
    if (offset > 0 && page.records.length === 0) offset = 0;
    redraw();
  }
  /** @param {Partial<typeof filter>} change */
  const choose = (change) => {
    Object.assign(filter, change);
    offset = 0;
    redraw();
  };
  /** @param {number} to */
  const turn = (to) => {
    offset = to;
    redraw();
  };
  return {
    title: domain,
    draw() {
      const now = known.overview?.domains.find(({ name }) => name === domain);
      if (now !== undefined) void follow(now.revision);
      const { total, matching, records } = page;
      return [
        headOf(domain, now?.status),
        toolsOf(filter, page, choose),
        table(
          `Records of ${domain}`,
          ["Name", "Type", "Value", "Line", "TTL", "Enabled", "Actions"],
          records.map((record) => recordRow(domain, record)),
          total === 0 ? "No records yet. Add one, or deploy a program with pulumi up." : "No record matches.",
        ),
        matching > pageSize && pager(offset, matching, turn),
      ];
    },
  };
}

/**
 * @param {{ search: string, type: string, state: string }} filter
 * @param {RecordPage} page
 * @param {(change: object) => void} choose
 */
function toolsOf(filter, { total, matching, types }, choose) {
  return h(
    "div",
    { class: "bar" },
    search("Search records", (value) => choose({ search: value }), filter.search),
    choice("Type", filter.type, [["", "All types"], ...types], (type) => choose({ type })),
    choice("State", filter.state, [["", "On and off"], "enabled", "disabled"], (state) => choose({ state })),
    h("span", { role: "status" }, `${matching === total ? "" : `${matching} of `}${total} records`),
  );
}

/**
 * @param {string} label
 * @param {string} value
 * @param {Parameters<typeof select>[1]} options
 * @param {(value: string) => unknown} chosen
 */
const choice = (label, value, options, chosen) =>
  select(
    {
      "aria-label": label,
      value,
      onchange: (/** @type {{ target: HTMLSelectElement }} */ { target }) => chosen(target.value),
    },
    options,
  );

/** @param {string} domain @param {string} [status] */
function headOf(domain, status = "enable") {
  const change = (/** @type {string} */ next) =>
    act(
      () => post("domain/set", { domain, status: next }),
      `${domain} is ${new Map(statuses).get(next) ?? next}`,
    );
  return h(
    "div",
    { class: "bar" },
    h("h1", {}, domain),
    choice(`Status of ${domain}`, status, statuses, change),
    h("button", { class: "primary", onclick: () => act(() => openRecordForm(domain)) }, "Add record"),
  );
}

/** @param {number} offset @param {number} matching @param {(to: number) => void} turn */
function pager(offset, matching, turn) {
  const to = Math.min(offset + pageSize, matching);
  return h(
    "div",
    { class: "bar" },
    h("button", { disabled: offset === 0, onclick: () => turn(offset - pageSize) }, "Previous"),
    `${offset + 1} to ${to}`,
    h("button", { disabled: to === matching, onclick: () => turn(offset + pageSize) }, "Next"),
  );
}

/** @param {string} domain @param {RecordView} record */
function recordRow(domain, record) {
  const { id, name, type, value, line, ttl, mx, enabled, hold, remark } = record;
  const label = `${titleOf(record, domain)} ${value}`;
  const toggle = (/** @type {{ target: HTMLInputElement }} */ { target }) => {
    const [route, done] = target.checked ? ["record/enable", "Enabled"] : ["record/disable", "Disabled"];
    const send = () =>
      post(route, { domain, id }).catch((error) => {
        target.checked = enabled;
        throw error;
      });
    return act(send, `${done} ${titleOf(record, domain)}`);
  };
  const state = h("input", {
    type: "checkbox",
    role: "switch",
    "aria-label": `${label} is enabled`,
    checked: enabled,
    disabled: hold,
    onchange: toggle,
  });
  const actions = h(
    "span",
    { class: "quiet" },
    button("Edit", () => openRecordForm(domain, record), `Edit ${label}`),
    button("Remove", () => openRemoval(domain, record), `Remove ${label}`),
  );
  const data = h("span", {}, mx > 0 && `${mx} `, value, remark !== "" && h("small", {}, remark));
  return row([name, type, data, line, ttl, state, hold ? "the service's own" : actions], {
    "data-key": id,
    class: enabled ? null : "off",
  });
}

/** @param {string} domain @param {RecordView} [record] the record that is changed */
async function openRecordForm(domain, record) {
  const { types, lines } = /** @type {Choices} */ (await get("choices", { domain }));
  openForm({
    title: record === undefined ? `Add a record to ${domain}` : `Change ${titleOf(record, domain)}`,
    action: record === undefined ? "Add record" : "Save changes",
    fields: ({ type = record?.type ?? "A" }) => ({
      name: {
        label: "Name",
        value: record?.name ?? "",
        hint: `before .${domain}; @ is the domain itself`,
        attributes: { placeholder: "@" },
      },
      type: { label: "Type", options: types, value: type },
      value: {
        label: "Value",
        value: record?.value ?? "",
        rows: 2,
        attributes: { placeholder: examples[type], autofocus: record !== undefined },
      },
      ...(type === "MX" && { mx: { label: "Priority", whole: true, value: record?.mx ?? 10 } }),
      ttl: { label: "TTL in seconds", whole: true, value: record?.ttl ?? "" },
      line: { label: "Line", options: lines, value: record?.line ?? lines[0] ?? "" },
      remark: { label: "Remark", value: record?.remark ?? "" },
      enabled: { label: "Enabled: the name servers answer with it", value: record?.enabled ?? true },
      force: { label: "Skip the service's rules: duplicates and conflicts may enter", value: false },
    }),
    send: (values) => save(domain, record, { ...values, name: values.name || "@" }),
  });
}

/**
 * Adds a record, or changes one.
 * @param {string} domain
 * @param {RecordView | undefined} record
 * @param {Record<string, any>} input
 */
async function save(domain, record, input) {
  if (record === undefined) {
    const added = await post("record/add", { domain, ...input });
    notice(`Added ${titleOf(added, domain)} ${added.value}`);
    return;
  }
  const { force, ...wanted } = input;
  const before = new Map(Object.entries(record));
  const changes = Object.entries(wanted).filter(([key, next]) => next !== before.get(key));
  if (changes.length === 0) return;
  const changed = await post("record/set", { domain, force, id: record.id, ...Object.fromEntries(changes) });
  notice(`Changed ${titleOf(changed, domain)}: ${changes.map(([key]) => key).join(", ")}`);
}

/** Asks, and removes. @param {string} domain @param {RecordView} record */
function openRemoval(domain, record) {
  const text = `${titleOf(record, domain)} ${record.mx > 0 ? `${record.mx} ` : ""}${record.value}`;
  openForm({
    title: "Remove this record?",
    action: "Remove record",
    text: h("p", {}, text),
    fields: () => ({}),
    send: async () => {
      await post("record/remove", { domain, id: record.id });
      notice(`Removed ${titleOf(record, domain)} ${record.value}`);
    },
  });
}
