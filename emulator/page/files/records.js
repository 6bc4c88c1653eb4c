/** The records of one domain: search, filters, pages, and actions. */
import { act, calm, counted, fill, h, list, select, set } from "./dom.js";
import { openRecordForm, openRemoval, titleOf } from "./record-form.js";
import { get, known, post } from "./service.js";

/** @import { RecordPage, RecordView } from "../../index" */

const pageSize = 100;
/** The service's names of the states of a domain. @type {[string, string][]} */
const statuses = [
  ["enable", "served"],
  ["pause", "paused"],
  ["lock", "locked"],
  ["spam", "banned"],
];

/**
 * @param {string} domain
 */
export function recordsView(domain) {
  const search = h("input", {
    type: "search",
    placeholder: "Search name, value, line or remark",
    "aria-label": "Search records",
    autocomplete: "off",
    spellcheck: "false",
    oninput: calm(() => act(() => load(true)), 120),
  });
  const type = select({ "aria-label": "Type", onchange: () => act(() => load(true)) }, [["", "All types"]]);
  const state = select({ "aria-label": "State", onchange: () => act(() => load(true)) }, [
    ["", "On and off"],
    ["enabled", "Enabled"],
    ["disabled", "Disabled"],
  ]);
  const count = h("p", { class: "muted count", role: "status" });
  const body = h("tbody");
  const empty = h("p", { class: "empty", hidden: true });
  const pages = pager((to) => {
    [offset, before] = [to, null];
    void act(load).then(() => {
      document.getElementById("main")?.scrollTo(0, 0);
    });
  });
  const status = select(
    {
      "aria-label": `Status of ${domain}`,
      onchange: () =>
        act(
          () => post("domain/set", { domain, status: status.value }),
          `${domain} is ${status.selectedOptions[0]?.text ?? ""}`,
        ),
    },
    statuses,
  );
  const table = h(
    "table",
    { class: "records" },
    h("caption", { class: "hidden" }, `Records of ${domain}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["Name", "Type", "Value", "Line", "TTL", "Enabled"].map((name) => h("th", { scope: "col" }, name)),
        h("th", { scope: "col" }, h("span", { class: "hidden" }, "Actions")),
      ),
    ),
    body,
  );
  const show = list(
    body,
    (/** @type {RecordView} */ record) => record.id,
    (record) => row(domain, record),
  );
  const element = h(
    "section",
    {},
    h(
      "div",
      { class: "head" },
      h("h1", {}, domain),
      h("div", { class: "inline" }, h("span", { class: "muted" }, "The domain is"), status),
      h("button", { class: "primary", onclick: () => act(() => openRecordForm(domain)) }, "Add record"),
    ),
    h("div", { class: "tools" }, search, type, state, count),
    h("div", { class: "card" }, table, empty),
    pages.element,
  );

  let offset = 0;
  let asked = 0;
  /** @type {Map<number, string> | null} the rows before; null after a change of the filter */
  let before = null;
  /** @param {boolean} [anew] the filter is another one */
  async function load(anew = false) {
    if (anew) [offset, before] = [0, null];
    const turn = (asked += 1);
    const page = /** @type {RecordPage} */ (
      await get("records", {
        domain,
        search: search.value,
        type: type.value,
        state: state.value,
        hold: "yes",
        offset,
        limit: pageSize,
      })
    );
    if (turn !== asked) return;
    if (offset > 0 && page.records.length === 0) {
      offset = 0;
      return load();
    }
    show(page.records);
    before = flash(body, before, page.records);
    offer(type, page.types);
    fill(
      count,
      page.matching === page.total
        ? counted(page.total, "record")
        : `${page.matching.toLocaleString("en")} of ${counted(page.total, "record")}`,
    );
    empty.hidden = page.matching > 0;
    table.hidden = page.matching === 0;
    fill(
      empty,
      page.total === 0
        ? "No records yet. Add one, or deploy a program with pulumi up."
        : "No record matches.",
    );
    pages.update(offset, page.matching);
  }

  let revision = -1;
  let busy = false;
  function update() {
    const now = known.overview?.domains.find(({ name }) => name === domain);
    if (now === undefined) return;
    if (document.activeElement !== status) status.value = now.status;
    // A running job changes the zone all the time: the next look waits for the answer to this one.
    if (now.revision === revision || busy) return;
    revision = now.revision;
    busy = true;
    void act(load).then(() => {
      busy = false;
      update();
    });
  }
  return { title: domain, element, update };
}

/**
 * Marks rows that are new or changed.
 * @param {Element} body
 * @param {Map<number, string> | null} before
 * @param {readonly RecordView[]} records
 */
function flash(body, before, records) {
  const now = new Map(records.map((record) => [record.id, JSON.stringify(record)]));
  records.forEach((record, index) => {
    if (before === null || before.get(record.id) === now.get(record.id)) return;
    const line = body.children[index];
    line?.classList.remove("changed");
    // The animation begins anew only after the browser has seen the row without it.
    requestAnimationFrame(() => line?.classList.add("changed"));
  });
  return now;
}

/**
 * Offers the types that occur, and the one that is chosen.
 * @param {HTMLSelectElement} type
 * @param {readonly string[]} types
 */
function offer(type, types) {
  const options = ["", ...new Set([...types, type.value].filter((each) => each !== ""))];
  if (
    options.length === type.options.length &&
    options.every((each, index) => type.options[index]?.value === each)
  )
    return;
  const chosen = type.value;
  type.replaceChildren(
    ...options.map((each) => h("option", { value: each }, each === "" ? "All types" : each)),
  );
  type.value = chosen;
}

/** @param {(to: number) => void} go */
function pager(go) {
  let from = 0;
  const previous = h(
    "button",
    {
      onclick: () => {
        go(from - pageSize);
      },
    },
    "Previous",
  );
  const next = h(
    "button",
    {
      onclick: () => {
        go(from + pageSize);
      },
    },
    "Next",
  );
  const place = h("span", { class: "muted" });
  const element = h("div", { class: "pages", hidden: true }, previous, place, next);
  return {
    element,
    update(/** @type {number} */ offset, /** @type {number} */ matching) {
      from = offset;
      element.hidden = matching <= pageSize;
      previous.disabled = offset === 0;
      next.disabled = offset + pageSize >= matching;
      fill(place, `${String(offset + 1)} to ${String(Math.min(offset + pageSize, matching))}`);
    },
  };
}

/**
 * One record.
 * @param {string} domain
 * @param {RecordView} first
 */
function row(domain, first) {
  let record = first;
  const [name, type, value, line, ttl] = [
    h("td", { class: "name" }),
    h("td"),
    h("td", { class: "value" }),
    h("td", { class: "line-name" }),
    h("td", { class: "ttl" }),
  ];
  const toggle = h("button", {
    class: "switch",
    role: "switch",
    onclick: () =>
      act(
        () => post(record.enabled ? "record/disable" : "record/enable", { domain, id: record.id }),
        `${record.enabled ? "Disabled" : "Enabled"} ${titleOf(record, domain)}`,
      ),
  });
  const edit = h(
    "button",
    { class: "quiet", onclick: () => act(() => openRecordForm(domain, record)) },
    "Edit",
  );
  const remove = h(
    "button",
    {
      class: "quiet",
      onclick: () => {
        openRemoval(domain, record);
      },
    },
    "Remove",
  );
  const state = h("td", { class: "state" }, toggle);
  const actions = h("td", { class: "row-actions" }, edit, remove);
  const element = h("tr", {}, name, type, value, line, ttl, state, actions);
  return {
    element,
    update(/** @type {RecordView} */ next) {
      record = next;
      const label = `${titleOf(record, domain)} ${record.value}`;
      fill(name, record.name);
      fill(type, h("span", { class: "type" }, record.type));
      fill(
        value,
        record.mx > 0 ? h("span", { class: "muted" }, `${String(record.mx)} `) : null,
        h("span", {}, record.value),
        record.remark === "" ? null : h("small", {}, record.remark),
      );
      fill(line, record.line);
      fill(ttl, String(record.ttl));
      set(ttl, { title: duration(record.ttl) });
      set(toggle, {
        "aria-checked": String(record.enabled),
        "aria-label": `${label} is enabled`,
        title: record.enabled ? "Disable" : "Enable",
      });
      set(edit, { "aria-label": `Edit ${label}` });
      set(remove, { "aria-label": `Remove ${label}` });
      set(element, { class: record.enabled ? null : "off" });
      if (record.hold) {
        fill(state, h("span", { class: "muted" }, "always"));
        fill(actions, h("span", { class: "muted" }, "the service's own"));
      }
    },
  };
}

/** @param {number} seconds */
function duration(seconds) {
  /** @type {[number, string][]} */
  const units = [
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ];
  const [size, unit] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, "second"];
  return counted(seconds / size, unit);
}
