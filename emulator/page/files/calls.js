/** The log of calls, newest first, as they come. */
import { act, calm, counted, fill, h, list, select, set, time } from "./dom.js";
import { get, known, post } from "./service.js";

/** @import { Call } from "../../index" */

const shownCalls = 200;

/** The domain or the job that a call is about. @param {Call} call */
export function subjectOf({ params }) {
  if (params.job_id !== undefined) return `job ${params.job_id}`;
  if (params.domain !== undefined) return params.domain;
  const ids = (params.domain_id ?? "").split(",").filter((id) => id !== "");
  const names = ids.map(
    (id) => known.overview?.domains.find((domain) => String(domain.id) === id)?.name ?? id,
  );
  return names.length > 2 ? `${names[0] ?? ""} and ${String(names.length - 1)} more` : names.join(", ");
}

/** The answer's code, as a badge. @param {Call} call */
export function answerOf({ code, fault }) {
  const word = code === null ? "not executed" : code === "1" ? "ok" : `code ${code}`;
  return h(
    "span",
    { class: `badge ${fault !== null || code === null ? "held" : code === "1" ? "ok" : "error"}` },
    word,
  );
}

export function callsView() {
  const search = h("input", {
    type: "search",
    placeholder: "Search operation, domain or parameter",
    "aria-label": "Search calls",
    autocomplete: "off",
    spellcheck: "false",
    oninput: calm(update, 120),
  });
  const kind = select({ "aria-label": "Kind of calls", onchange: update }, [
    ["", "All calls"],
    ["bad", "Refused or hit by a fault"],
  ]);
  const counts = h("p", { class: "muted count" });
  const body = h("div", { class: "card log" });
  const empty = h("p", { class: "empty card", hidden: true });
  const show = list(body, (/** @type {Call} */ call) => call.number, entry);
  function update() {
    const matching = matchingCalls(search.value, kind.value === "bad");
    show(matching.slice(0, shownCalls));
    body.hidden = matching.length === 0;
    empty.hidden = matching.length > 0;
    fill(
      empty,
      known.calls.length === 0
        ? "No calls yet: every call of the provider is shown here as it comes."
        : "No call matches.",
    );
    fill(counts, figures());
  }
  return {
    title: "Calls",
    element: h(
      "section",
      {},
      h(
        "div",
        { class: "head" },
        h("h1", {}, "Calls"),
        h("button", { onclick: () => act(() => post("calls/clear"), "The log is empty") }, "Clear the log"),
      ),
      h("div", { class: "tools" }, search, kind),
      counts,
      body,
      empty,
    ),
    update,
  };
}

/**
 * The calls that contain each word, or only those that went wrong.
 * @param {string} text
 * @param {boolean} isBad
 */
function matchingCalls(text, isBad) {
  const words = text.toLowerCase().split(/\s+/);
  return known.calls.filter((call) => {
    if (isBad && call.code === "1" && call.fault === null) return false;
    const parts = [call.operation, subjectOf(call), ...Object.entries(call.params).flat()];
    const all = parts.join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** The number of calls, and of each operation. */
function figures() {
  const counts = Object.entries(known.overview?.calls.counts ?? {});
  const sum = counts.reduce((all, [, count]) => all + count, 0);
  const each = counts.map(([operation, count]) => `${String(count)} ${operation}`);
  return sum === 0 ? "" : `${counted(sum, "call")}: ${each.join(", ")}`;
}

/** @param {Call} call */
function entry(call) {
  const inside = h("dl", { class: "inside params" });
  const facts = async () => {
    if (!element.open || inside.childElementCount > 0) return;
    // The page receives the beginning of long parameters only.
    const whole = await get("call", { number: call.number }).catch(() => call);
    fill(
      inside,
      ...Object.entries({ ...whole.params, "User-Agent": whole.userAgent ?? "none" }).flatMap(
        ([name, text]) => [h("dt", {}, name), h("dd", {}, String(text))],
      ),
    );
  };
  const line = h("summary", {});
  const element = h(
    "details",
    {
      ontoggle: () => {
        void facts();
      },
    },
    line,
    inside,
  );
  return {
    element,
    update() {
      fill(
        line,
        h("span", { class: "when" }, time(call.at)),
        h("strong", {}, call.operation),
        h("span", { class: "subject" }, subjectOf(call)),
        answerOf(call),
        call.fault === null ? null : h("span", { class: "fault" }, `fault: ${call.fault}`),
      );
      set(element, { "data-operation": call.operation });
    },
  };
}
