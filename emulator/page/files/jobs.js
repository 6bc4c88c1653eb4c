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
  const head = h("h2", {}, `Job ${String(id)}`);
  const state = h("span", { class: "badge" });
  const bar = h("progress", { "aria-label": `Progress of job ${String(id)}` });
  const what = h("p", { class: "muted" });
  const figures = h("p", { class: "figures" });
  const hold = h(
    "button",
    { onclick: () => act(() => post("job/pause", { id }), `Job ${String(id)} is held`) },
    "Hold",
  );
  const go = h(
    "button",
    { onclick: () => act(() => post("job/resume", { id }), `Job ${String(id)} goes on`) },
    "Let it go on",
  );
  const finish = h(
    "button",
    { onclick: () => act(() => post("job/finish", { id }), `Job ${String(id)} is finished`) },
    "Finish now",
  );
  for (const [button, text] of /** @type {const} */ ([
    [hold, "Hold job"],
    [go, "Let job go on:"],
    [finish, "Finish job"],
  ]))
    set(button, { "aria-label": `${text} ${String(id)}` });
  const inside = h("div", { class: "inside" });
  const details = h("details", { ontoggle: () => act(open) }, h("summary", {}, "Records"), inside);
  const element = h(
    "article",
    { class: "card job" },
    h("div", { class: "head" }, head, state, h("div", { class: "inline" }, hold, go, finish)),
    what,
    bar,
    figures,
    details,
  );

  const open = async () => {
    if (!details.open) return;
    const job = /** @type {JobView} */ (await get("job", { id }));
    const records = job.items.flatMap((item) =>
      item.records.length === 0
        ? [{ name: item.domain, type: "", value: "", status: item.status, error: null }]
        : item.records.map((record) => ({
            ...record,
            name: `${record.name === "@" ? "" : `${record.name}.`}${item.domain}.`,
          })),
    );
    const rest = records.length - shownRecords;
    fill(
      inside,
      h(
        "table",
        {},
        h("caption", { class: "hidden" }, `Records of job ${String(id)}`),
        h(
          "thead",
          {},
          h("tr", {}, ...["Name", "Type", "Value", "Result"].map((each) => h("th", { scope: "col" }, each))),
        ),
        h(
          "tbody",
          {},
          ...records
            .slice(0, shownRecords)
            .map((record) =>
              h(
                "tr",
                {},
                h("td", { class: "name" }, record.name),
                h("td", {}, record.type),
                h("td", { class: "value" }, record.value),
                h(
                  "td",
                  {},
                  h("span", { class: `badge ${record.status}` }, record.status),
                  record.error === null ? null : ` ${record.error}`,
                ),
              ),
            ),
        ),
      ),
      rest > 0 ? h("p", { class: "muted" }, `and ${counted(rest, "more record")}`) : null,
    );
  };
  return {
    element,
    update(/** @type {JobSummary} */ job) {
      const done = job.success + job.fail;
      const place =
        job.domains === 1 ? job.domain : `${job.domain} and ${counted(job.domains - 1, "more domain")}`;
      set(bar, { max: Math.max(job.records, 1), value: done });
      fill(bar, `${String(done)} of ${String(job.records)}`);
      fill(state, states[job.state]);
      set(state, { class: `badge ${job.state}` });
      fill(
        what,
        job.type === "domain"
          ? kinds.domain
          : `${kinds[job.type] ?? job.type} ${counted(job.records, "record")} in ${place}`,
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
      void act(open);
    },
  };
}
