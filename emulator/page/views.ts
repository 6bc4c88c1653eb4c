/** The console's views as HTML. console.js asks for a view again and again. */
import { z } from "zod";
import type { Admin, RecordView } from "../admin";
import { Refusal } from "../service/envelope";
import { recordTypes } from "../service/rules";
import { action, box, exact, html, input, row, select, table, type Html } from "./html";

const querySchema = z.object({
  domain: z.string().optional(),
  /** A record's id. */
  id: z.coerce.number().optional().catch(undefined),
  search: z.string().default(""),
  type: z.string().default(""),
  state: z.string().default(""),
  offset: z.coerce.number().catch(0),
});
type Query = z.output<typeof querySchema>;

interface View {
  readonly title: string;
  /** Stays as it is while the page is open. */
  readonly fixed?: Html;
  readonly live?: Html;
}

const views = new Map<string, (admin: Admin, query: Query) => View>([
  ["", recordsView],
  ["records", recordsView],
  ["record", recordForm],
  ["domain", domainForm],
]);

export function pageOf(admin: Admin, name: string, params: URLSearchParams): string | undefined {
  const view = views.get(name);
  if (view === undefined) return undefined;
  const query = querySchema.parse(Object.fromEntries(params));
  try {
    return layout(admin, view(admin, query));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return layout(admin, { title: "Not found", live: html`<p class="card bad">${error.message}</p>` });
  }
}

function layout(admin: Admin, { title, fixed, live }: View): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · DNS console</title>
        <link rel="icon" href="icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="console.css" />
        <script type="module" src="console.js"></script>
      </head>
      <body>
        <a id="skip" href="#main">Skip to the content</a>
        <header class="bar">
          <img src="icon.svg" alt="" width="26" height="26" />
          <strong>DNS console</strong>
          <span id="state" role="status">Connecting</span>
        </header>
        ${navigation(admin, title)}
        <main id="main" tabindex="-1">
          <h1>${title}</h1>
          ${fixed}
          <section id="live" data-live>${live}</section>
        </main>
        <form id="actions"></form>
        <p id="notice" role="status"></p>
      </body>
    </html>`.text;
}

function link(view: string, query: object): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") params.set(name, String(value));
  return `${view}?${params.toString()}`;
}

function navigation(admin: Admin, title: string): Html {
  const domains = admin
    .domains()
    .map(
      ({ name, records, status }) =>
        [name, link("records", { domain: name }), status === "enable" ? records : status] as const,
    );
  const entries = [...domains, ["Add a domain", "domain", ""] as const];
  const items = entries.map(
    ([text, href, note]) =>
      html`<li>
        <a href="${exact(href)}" ${text === title && html`aria-current="page"`}>${text}</a> <small>${note}</small>
      </li>`,
  );
  return html`<nav id="side" data-live aria-label="Console"><ul>${items}</ul></nav>`;
}

function has(search: string, ...texts: readonly string[]): boolean {
  const all = texts.join("\n").toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => all.includes(word));
}

const fullName = (name: string, domain: string): string => `${name === "@" ? "" : `${name}.`}${domain}.`;

const statuses = { enable: "Serve", pause: "Pause", lock: "Lock", spam: "Ban" };
const pageSize = 100;

function recordsView(admin: Admin, query: Query): View {
  const { search, type, state, offset } = query;
  const asked = admin.domains().find(({ name }) => name === (query.domain ?? name));
  const { name: domain, status } = asked ?? { name: query.domain ?? "", status: "" };
  const all = admin.zone(domain, { hold: true });
  const matching = all.filter(
    (record) =>
      (type === "" || record.type === type) &&
      (state === "" || record.enabled === (state === "enabled")) &&
      has(
        search,
        record.name,
        fullName(record.name, domain),
        record.type,
        record.value,
        record.line,
        record.remark,
      ),
  );
  const rows = matching.sort(inOrder).slice(offset, offset + pageSize);
  const buttons = Object.entries(statuses).filter(([each]) => each !== status);
  const turn = (text: string, to: number): Html | false =>
    to >= 0 &&
    to < matching.length &&
    html`<a href="${exact(link("records", { ...query, domain, offset: to }))}">${text}</a>`;
  return {
    title: domain,
    fixed: html`<form id="filter" class="bar">
      <input type="hidden" name="domain" value="${exact(domain)}" />
      ${input("search", "Search", search, "search")} ${select("type", "Type", type, ["", ...recordTypes])}
      ${select("state", "State", state, ["", "enabled", "disabled"])}
    </form>`,
    live: html`<div class="bar">
        <a href="${exact(link("record", { domain }))}">Add a record</a>
        ${buttons.map(([to, text]) => action(text, "domain/set", { domain, status: to }, domain))}
        ${matching.length} of ${all.length} records
        ${turn("Previous", offset - pageSize)} ${turn("Next", offset + pageSize)}
      </div>
      ${table(
        `Records of ${domain}`,
        ["Name", "Type", "Value", "Line", "TTL", "Actions"],
        rows.map((record) => recordRow(domain, record)),
        "No record.",
      )}`,
  };
}

function inOrder(a: RecordView, b: RecordView): number {
  const keyOf = ({ name, type }: RecordView): string => `${name === "@" ? "" : name} ${type}`;
  return keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1;
}

function recordRow(domain: string, record: RecordView): Html {
  const { id, name, type, value, line, ttl, mx, enabled, hold, remark } = record;
  const label = `${fullName(name, domain)} ${type} ${value}`;
  const ref = { domain, id };
  const data = html`${mx > 0 && `${mx} `}${value} <small>${remark}</small>`;
  const actions = html`<a href="${exact(link("record", ref))}" aria-label="Edit ${label}">Edit</a>
    ${enabled ? action("Disable", "record/disable", ref, label) : action("Enable", "record/enable", ref, label)}
    ${action("Remove", "record/remove", ref, label)}`;
  return row([name, type, data, line, ttl, hold ? "the service's own" : actions], enabled ? "" : "off");
}

function recordForm(admin: Admin, { domain = "", id }: Query): View {
  const record = admin.zone(domain).find((each) => each.id === id);
  if (id !== undefined && record === undefined) throw new Refusal("8", `No record ${id}`);
  const { name, type = "A", value = "", ttl, mx, line = "", remark, enabled = true } = record ?? {};
  const [title, text, route] =
    record === undefined
      ? [`Add a record to ${domain}`, "Add record", "record/add"]
      : [`Change ${fullName(record.name, domain)} ${type}`, "Save changes", "record/set"];
  return {
    title,
    fixed: html`<form class="card">
      ${input("name", `Name before .${domain}; @ is the domain itself`, name)}
      ${select("type", "Type", type, recordTypes)}
      <label>Value <textarea name="value" rows="2">
${exact(value)}</textarea></label>
      ${input("mx", "Priority of an MX", mx === 0 ? "" : mx, "number")}
      ${input("ttl", "TTL in seconds", ttl, "number")}
      ${select("line", "Line", line, admin.lines(domain))}
      ${input("remark", "Remark", remark)}
      ${box("enabled", "Enabled: the name servers answer with it", enabled)}
      ${box("force", "Skip the service's rules: duplicates and conflicts may enter", false)}
      ${submit(text, route, { domain, id }, link("records", { domain }))}
    </form>`,
  };
}

const submit = (text: string, route: string, sent: object, then: string): Html =>
  html`<button data-route="${route}" data-input="${exact(JSON.stringify(sent))}" data-then="${exact(then)}">${text}</button>`;

function domainForm(): View {
  return {
    title: "Add a domain",
    fixed: html`<form class="card">${input("name", "Name")} ${submit("Add domain", "domain/add", {}, "./")}</form>`,
  };
}
