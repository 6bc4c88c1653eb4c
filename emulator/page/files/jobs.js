/** Batch jobs and how far they are; a job can be held, let go on, or finished at once. */
import { act, counted, fill, h, list, set, time } from "./dom.js";
import { get, known, post } from "./service.js";

/** @import { JobSummary, JobView } from "../../index" */

/** @type {Record<string, string>} */
const kinds = { record_add: "Adds", record_modify: "Changes", domain: "Adds domains" };
/** @type {Record<JobSummary["state"], string>} */
const states = { waiting: "Waiting", running: "Running", held: "Held", done: "Done" };
const shownRecords = 200;

export function jobsView() {
  const jobs = h("div", { class: "stack" });
  const empty = h(
    "p",
    { class: "empty card", hidden: true },
    "No jobs yet. pulumi up makes one where it creates records; hold it here, and see what a deployment does meanwhile.",
  );
  const show = list(jobs, (/** @type {JobSummary} */ job) => job.id, card);
  return {
    title: "Jobs",
    element: h("section", {}, h("div", { class: "head" }, h("h1", {}, "Jobs")), empty, jobs),
    update() {
      const all = known.overview?.jobs ?? [];
      empty.hidden = known.overview === null || all.length > 0;
      show(all);
    },
  };
}

/** @param {JobSummary} first */
function card(first) {
  const { id } = first;
  const parts = {
    state: h("span", { class: "badge" }),
    bar: h("progress", { "aria-label": `Progress of job ${String(id)}` }),
    what: h("p", { class: "muted" }),
    figures: h("p", { class: "figures" }),
    hold: button(id, "Hold", "Hold job", "job/pause", "is held"),
    go: button(id, "Let it go on", "Let job go on:", "job/resume", "goes on"),
    finish: button(id, "Finish now", "Finish job", "job/finish", "is finished"),
  };
  const inside = h("div", { class: "inside" });
  const details = h("details", { ontoggle: () => act(open) }, h("summary", {}, "Records"), inside);
  const open = async () => {
    if (details.open) fill(inside, ...tableOf(/** @type {JobView} */ (await get("job", { id }))));
  };
  return {
    element: h(
      "article",
      { class: "card job" },
      h(
        "div",
        { class: "head" },
        h("h2", {}, `Job ${String(id)}`),
        parts.state,
        h("div", { class: "inline" }, parts.hold, parts.go, parts.finish),
      ),
      parts.what,
      parts.bar,
      parts.figures,
      details,
    ),
    update(/** @type {JobSummary} */ job) {
      show(parts, job);
      void act(open);
    },
  };
}

/**
 * A button that changes a job.
 * @param {number} id
 * @param {string} text
 * @param {string} label
 * @param {string} path
 * @param {string} result
 */
function button(id, text, label, path, result) {
  const onclick = () => act(() => post(path, { id }), `Job ${String(id)} ${result}`);
  return h("button", { onclick, "aria-label": `${label} ${String(id)}` }, text);
}

/**
 * @param {Record<"state" | "what" | "figures" | "bar" | "hold" | "go" | "finish", HTMLElement>} parts
 * @param {JobSummary} job
 */
function show({ state, bar, what, figures, hold, go, finish }, job) {
  const done = job.success + job.fail;
  const more = job.domains === 1 ? "" : ` and ${counted(job.domains - 1, "more domain")}`;
  set(bar, { max: Math.max(job.records, 1), value: done });
  fill(bar, `${String(done)} of ${String(job.records)}`);
  fill(state, states[job.state]);
  set(state, { class: `badge ${job.state}` });
  fill(
    what,
    job.type === "domain"
      ? kinds.domain
      : `${kinds[job.type] ?? job.type} ${counted(job.records, "record")} in ${job.domain}${more}`,
    `, since ${time(job.createdAt)} UTC`,
  );
  fill(
    figures,
    `${String(done)} of ${String(job.records)} done`,
    job.fail > 0 ? h("strong", { class: "bad" }, `, ${String(job.fail)} refused`) : null,
  );
  hold.hidden = job.state === "done" || job.state === "held";
  go.hidden = job.state !== "held";
  finish.hidden = job.state === "done";
}

/** The table of a job's records, and the number of omitted ones. @param {JobView} job */
function tableOf(job) {
  const records = job.items.flatMap((item) =>
    item.records.length === 0
      ? [{ name: item.domain, type: "", value: "", status: item.status, error: null }]
      : item.records.map((record) => ({
          ...record,
          name: `${record.name === "@" ? "" : `${record.name}.`}${item.domain}.`,
        })),
  );
  const rest = records.length - shownRecords;
  const titles = ["Name", "Type", "Value", "Result"].map((each) => h("th", { scope: "col" }, each));
  const rows = records.slice(0, shownRecords).map(({ name, type, value, status, error }) => {
    const result = h(
      "td",
      {},
      h("span", { class: `badge ${status}` }, status),
      error === null ? null : ` ${error}`,
    );
    return h(
      "tr",
      {},
      h("td", { class: "name" }, name),
      h("td", {}, type),
      h("td", { class: "value" }, value),
      result,
    );
  });
  const table = h(
    "table",
    {},
    h("caption", { class: "hidden" }, `Records of job ${String(job.id)}`),
    h("thead", {}, h("tr", {}, ...titles)),
    h("tbody", {}, ...rows),
  );
  return [table, rest > 0 ? h("p", { class: "muted" }, `and ${counted(rest, "more record")}`) : null];
}
