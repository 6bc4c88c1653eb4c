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

/** The inputs that choose records. @param {() => unknown} onchange */
function filters(onchange) {
  const search = h("input", {
    type: "search",
    placeholder: "Search name, value, line or remark",
    "aria-label": "Search records",
    autocomplete: "off",
    spellcheck: "false",
    oninput: calm(onchange, 120),
  });
  const type = select({ "aria-label": "Type", onchange }, [["", "All types"]]);
  const state = select({ "aria-label": "State", onchange }, [
    ["", "On and off"],
    ["enabled", "Enabled"],
    ["disabled", "Disabled"],
  ]);
  const values = () => ({ search: search.value, type: type.value, state: state.value });
  return { search, type, state, values };
}

/** The select of a domain's status. @param {string} domain */
function statusOf(domain) {
  /** @type {HTMLSelectElement} */
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
  return status;
}

/**
 * @param {string} domain
 * @param {HTMLSelectElement} status
 */
function headOf(domain, status) {
  return h(
    "div",
    { class: "head" },
    h("h1", {}, domain),
    h("div", { class: "inline" }, h("span", { class: "muted" }, "The domain is"), status),
    h("button", { class: "primary", onclick: () => act(() => openRecordForm(domain)) }, "Add record"),
  );
}

/**
 * The table of records, with a text in its place if there are none.
 * @param {string} domain
 */
function recordTable(domain) {
  const body = h("tbody");
  const empty = h("p", { class: "empty", hidden: true });
  const titles = ["Name", "Type", "Value", "Line", "TTL", "Enabled"].map((name) =>
    h("th", { scope: "col" }, name),
  );
  const actions = h("th", { scope: "col" }, h("span", { class: "hidden" }, "Actions"));
  const table = h(
    "table",
    { class: "records" },
    h("caption", { class: "hidden" }, `Records of ${domain}`),
    h("thead", {}, h("tr", {}, ...titles, actions)),
    body,
  );
  const rows = list(
    body,
    (/** @type {RecordView} */ record) => record.id,
    (record) => row(domain, record),
  );
  /** @type {Map<number, string> | null} the rows before; null after a change of the filter */
  let before = null;
  return {
    element: h("div", { class: "card" }, table, empty),
    forget() {
      before = null;
    },
    show(/** @type {RecordPage} */ { records, matching, total }) {
      rows(records);
      before = flash(body, before, records);
      empty.hidden = matching > 0;
      table.hidden = matching === 0;
      fill(
        empty,
        total === 0 ? "No records yet. Add one, or deploy a program with pulumi up." : "No record matches.",
      );
    },
  };
}

/**
 * @param {string} domain
 */
export function recordsView(domain) {
  const chosen = filters(() => act(() => load(true)));
  const count = h("p", { class: "muted count", role: "status" });
  const table = recordTable(domain);
  const status = statusOf(domain);
  const pages = pager((to) => {
    offset = to;
    table.forget();
    void act(load).then(() => {
      document.getElementById("main")?.scrollTo(0, 0);
    });
  });
  const element = h(
    "section",
    {},
    headOf(domain, status),
    h("div", { class: "tools" }, chosen.search, chosen.type, chosen.state, count),
    table.element,
    pages.element,
  );

  let offset = 0;
  let asked = 0;
  /** @param {boolean} [anew] the filter is another one */
  async function load(anew = false) {
    if (anew) {
      offset = 0;
      table.forget();
    }
    const turn = (asked += 1);
    const query = { domain, ...chosen.values(), hold: "yes", offset, limit: pageSize };
    const page = /** @type {RecordPage} */ (await get("records", query));
    if (turn !== asked) return;
    if (offset > 0 && page.records.length === 0) {
      offset = 0;
      return load();
    }
    table.show(page);
    offer(chosen.type, page.types);
    const all = counted(page.total, "record");
    fill(count, page.matching === page.total ? all : `${page.matching.toLocaleString("en")} of ${all}`);
    pages.update(offset, page.matching);
  }
  return { title: domain, element, update: follower(domain, status, load) };
}

/**
 * Loads the records after a change of the domain.
 * @param {string} domain
 * @param {HTMLSelectElement} status
 * @param {() => Promise<void>} load
 */
function follower(domain, status, load) {
  let revision = -1;
  let busy = false;
  return function update() {
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
  };
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
 * The cells and buttons of a record.
 * @param {string} domain
 * @param {() => RecordView} current
 */
function cellsOf(domain, current) {
  const onclick = () => {
    const record = current();
    const [path, done] = record.enabled ? ["record/disable", "Disabled"] : ["record/enable", "Enabled"];
    return act(() => post(path, { domain, id: record.id }), `${done} ${titleOf(record, domain)}`);
  };
  const quiet = (/** @type {string} */ text, /** @type {() => unknown} */ run) =>
    h("button", { class: "quiet", onclick: run }, text);
  const toggle = h("button", { class: "switch", role: "switch", onclick });
  const edit = quiet("Edit", () => act(() => openRecordForm(domain, current())));
  const remove = quiet("Remove", () => {
    openRemoval(domain, current());
  });
  return {
    name: h("td", { class: "name" }),
    type: h("td"),
    value: h("td", { class: "value" }),
    line: h("td", { class: "line-name" }),
    ttl: h("td", { class: "ttl" }),
    state: h("td", { class: "state" }, toggle),
    actions: h("td", { class: "row-actions" }, edit, remove),
    toggle,
    edit,
    remove,
  };
}

/**
 * One record.
 * @param {string} domain
 * @param {RecordView} first
 */
function row(domain, first) {
  let record = first;
  const cells = cellsOf(domain, () => record);
  const { name, type, value, line, ttl, state, actions } = cells;
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
      set(cells.toggle, {
        "aria-checked": String(record.enabled),
        "aria-label": `${label} is enabled`,
        title: record.enabled ? "Disable" : "Enable",
      });
      set(cells.edit, { "aria-label": `Edit ${label}` });
      set(cells.remove, { "aria-label": `Remove ${label}` });
      set(element, { class: record.enabled ? null : "off" });
      if (!record.hold) return;
      fill(state, h("span", { class: "muted" }, "always"));
      fill(actions, h("span", { class: "muted" }, "the service's own"));
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
