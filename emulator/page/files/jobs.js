/** Batch jobs and their progress. A job can be held, released, or finished at once. */
import { act, button, get, known, post, redraw } from "./app.js";
import { h, row, table } from "./dom.js";

/** @import { JobSummary, JobView } from "../../index" */
/** @import { View } from "./app.js" */

/** @type {Record<string, string>} */
const kinds = { record_add: "Adds", record_modify: "Changes", domain: "Adds domains:" };
const shownRecords = 200;

/** @returns {View} */
export function jobsView() {
  /** Opened job → its content, and the summary at that time. @type {Map<number, { job?: JobView, of: string }>} */
  const opened = new Map();
  /** @param {JobSummary} summary */
  const follow = (summary) => {
    const of = JSON.stringify(summary);
    const before = opened.get(summary.id);
    if (before === undefined || before.of === of) return;
    before.of = of;
    void act(async () => {
      before.job = await get("job", { id: summary.id });
      redraw();
    });
  };
  return {
    title: "Jobs",
    draw() {
      const jobs = known.overview?.jobs ?? [];
      for (const job of jobs) follow(job);
      return [
        h("h1", {}, "Jobs"),
        jobs.length === 0 &&
          h("p", { class: "card" }, "No jobs yet. pulumi up makes one for new records; it can be held here."),
        ...jobs.map((job) => card(job, opened)),
      ];
    },
  };
}

/** @param {JobSummary} job @param {Map<number, { job?: JobView, of: string }>} opened */
function card({ id, type, state, records, domain, domains, success, fail, createdAt }, opened) {
  const done = success + fail;
  const more = domains > 1 ? ` and ${domains - 1} more` : "";
  const action = (/** @type {string} */ text, /** @type {string} */ path) =>
    button(text, () => post(path, { id }), `${text} job ${id}`);
  const content = opened.get(id)?.job;
  const ontoggle = (/** @type {{ target: HTMLDetailsElement }} */ { target }) => {
    if (target.open === opened.has(id)) return;
    if (target.open) opened.set(id, { of: "" });
    else opened.delete(id);
    redraw();
  };
  return h(
    "article",
    { class: "card", "data-key": id },
    h(
      "div",
      { class: "bar" },
      h("h2", {}, `Job ${id}`),
      h("span", { class: `badge ${state === "done" ? "ok" : ""}` }, state),
      state !== "done" && state !== "held" && action("Hold", "job/pause"),
      state === "held" && action("Release", "job/resume"),
      state !== "done" && action("Finish", "job/finish"),
    ),
    h("p", {}, `${kinds[type] ?? type} ${records} records in ${domain}${more}, since ${createdAt}`),
    h("progress", { "aria-label": `Progress of job ${id}`, max: Math.max(records, 1), value: done }),
    h("p", {}, `${done} of ${records} done`, fail > 0 && h("strong", { class: "bad" }, `, ${fail} refused`)),
    h(
      "details",
      { open: opened.has(id), ontoggle },
      h("summary", {}, "Records"),
      content && tableOf(content),
    ),
  );
}

/** @param {JobView} job */
function tableOf(job) {
  const rows = job.items.flatMap(({ domain, status, records }) =>
    records.length === 0
      ? [row([domain, "", "", status])]
      : records.map((record) =>
          row([
            `${record.name === "@" ? "" : `${record.name}.`}${domain}.`,
            record.type,
            record.value,
            `${record.status} ${record.error ?? ""}`,
          ]),
        ),
  );
  const shown = table(
    `Records of job ${job.id}`,
    ["Name", "Type", "Value", "Result"],
    rows.slice(0, shownRecords),
  );
  return h("div", {}, shown, rows.length > shownRecords && `and ${rows.length - shownRecords} more`);
}
