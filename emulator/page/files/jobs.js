/** Batch jobs and their progress. A job can be held, released, or finished at once. */
import { button, fold, get, known, post } from "./app.js";
import { h, row, table } from "./dom.js";

/** @import { JobSummary, JobView } from "../../index" */
/** @import { Opened, View } from "./app.js" */

/** @type {Record<string, string>} */
const kinds = { record_add: "Adds", record_modify: "Changes", domain: "Adds domains:" };
const shownRecords = 200;

/** @returns {View} */
export function jobsView() {
  /** @type {Opened<JobView>} */
  const opened = new Map();
  return {
    title: "Jobs",
    draw() {
      const jobs = known.overview?.jobs ?? [];
      return [
        h("h1", {}, "Jobs"),
        jobs.length === 0 &&
          h("p", { class: "card" }, "No jobs yet. pulumi up makes one for new records; it can be held here."),
        ...jobs.map((job) => card(job, opened)),
      ];
    },
  };
}

/** @param {JobSummary} job @param {Opened<JobView>} opened */
function card(job, opened) {
  const { id, type, state, records, domain, domains, success, fail, createdAt } = job;
  const done = success + fail;
  const more = domains > 1 ? ` and ${domains - 1} more` : "";
  const action = (/** @type {string} */ text, /** @type {string} */ path) =>
    button(text, () => post(path, { id }), `${text} job ${id}`);
  const load = () => get("job", { id });
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
    fold(opened, { key: id, version: JSON.stringify(job), load, show: tableOf, summary: ["Records"] }),
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
