/** The log of calls, newest first. */
import { button, fold, get, known, post, redraw } from "./app.js";
import { h } from "./dom.js";
import { search } from "./form.js";

/** @import { Call } from "../../index" */
/** @import { Opened, View } from "./app.js" */

const shownCalls = 200;

/** The domain or the job of a call. @param {Call} call */
function subjectOf({ params }) {
  if (params.job_id !== undefined) return `job ${params.job_id}`;
  if (params.domain !== undefined) return params.domain;
  const names = new Map(known.overview?.domains.map(({ id, name }) => [String(id), name]));
  return (params.domain_id ?? "").replace(/\d+/g, (id) => names.get(id) ?? id);
}

/** @returns {View} */
export function callsView() {
  let text = "";
  /** @type {Opened<Call>} */
  const opened = new Map();
  return {
    title: "Calls",
    draw() {
      const counts = Object.entries(known.overview?.calls.counts ?? {});
      const matching = known.calls.filter((call) => has(call, text)).slice(0, shownCalls);
      return [
        h(
          "div",
          { class: "bar" },
          h("h1", {}, "Calls"),
          button("Clear the log", () => post("calls/clear")),
        ),
        search("Search calls", (value) => ((text = value), redraw()), text),
        h("p", {}, counts.map(([operation, count]) => `${count} ${operation}`).join(", ")),
        matching.length === 0 &&
          h("p", { class: "card" }, known.calls.length === 0 ? "No calls yet." : "No call matches."),
        ...matching.map((call) => entry(call, opened)),
      ];
    },
  };
}

/** Whether a call contains each word. @param {Call} call @param {string} text */
function has(call, text) {
  const { operation, params, fault } = call;
  const parts = [operation, subjectOf(call), answerOf(call), fault ?? "", ...Object.entries(params).flat()];
  const all = parts.join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** @param {Call} call */
const answerOf = ({ code }) => (code === null ? "not executed" : code === "1" ? "ok" : `code ${code}`);

/** @param {Call} call @param {Opened<Call>} opened */
function entry(call, opened) {
  const { number, at, operation, code, fault } = call;
  const summary = [
    `${at.slice(11, 19)} `,
    h("strong", {}, operation),
    ` ${subjectOf(call)} `,
    h("span", { class: `badge ${code === "1" ? "ok" : "error"}` }, answerOf(call)),
    fault !== null && ` fault: ${fault}`,
  ];
  // The page receives the beginning of long parameters only.
  const load = () => get("call", { number });
  return fold(opened, { key: number, load, show: facts, summary }, { class: "card", "data-key": number });
}

/** @param {Call} call */
const facts = ({ params, userAgent }) =>
  h(
    "dl",
    {},
    ...Object.entries({ ...params, "User-Agent": userAgent ?? "none" }).flatMap(([name, text]) => [
      h("dt", {}, name),
      h("dd", {}, text),
    ]),
  );
