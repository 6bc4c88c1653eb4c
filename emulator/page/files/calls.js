/** The log of calls, newest first. */
import { act, button, get, known, post, redraw } from "./app.js";
import { h } from "./dom.js";
import { search } from "./form.js";

/** @import { Call } from "../../index" */
/** @import { View } from "./app.js" */

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
  /** Opened call → its parameters in full. @type {Map<number, Call>} */
  const opened = new Map();
  /** @param {Call} call @param {boolean} isOpen */
  const toggle = async (call, isOpen) => {
    if (isOpen === opened.has(call.number)) return;
    // The page receives the beginning of long parameters only.
    if (isOpen) opened.set(call.number, await get("call", { number: call.number }).catch(() => call));
    else opened.delete(call.number);
    redraw();
  };
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
        ...matching.map((call) => entry(call, opened.get(call.number), toggle)),
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

/**
 * @param {Call} call
 * @param {Call | undefined} whole if it is open
 * @param {(call: Call, isOpen: boolean) => Promise<void>} toggle
 */
function entry(call, whole, toggle) {
  const { number, at, operation, code, fault } = call;
  const facts = whole ? { ...whole.params, "User-Agent": whole.userAgent ?? "none" } : {};
  const listed = Object.entries(facts).flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]);
  return h(
    "details",
    {
      class: "card",
      "data-key": number,
      open: whole !== undefined,
      ontoggle: (/** @type {{ target: HTMLDetailsElement }} */ { target }) =>
        act(() => toggle(call, target.open)),
    },
    h(
      "summary",
      {},
      `${at.slice(11, 19)} `,
      h("strong", {}, operation),
      ` ${subjectOf(call)} `,
      h("span", { class: `badge ${code === "1" ? "ok" : "error"}` }, answerOf(call)),
      fault !== null && ` fault: ${fault}`,
    ),
    h("dl", {}, ...listed),
  );
}
