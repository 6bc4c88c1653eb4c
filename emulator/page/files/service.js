/** The connection to the emulator: its admin interface and its events. */

/** @import { Call, Overview } from "../../index" */

/** The emulator's refusal. */
export class Refused extends Error {}

/**
 * @param {string} route
 * @param {Record<string, string | number | undefined>} [query]
 * @returns {Promise<any>}
 */
export async function get(route, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return answerOf(fetch(`api/${route}${search === "" ? "" : `?${search}`}`));
}

/**
 * @param {string} route
 * @param {object} [input]
 * @returns {Promise<any>}
 */
export async function post(route, input = {}) {
  return answerOf(
    fetch(`api/${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    }),
  );
}

/** @param {Promise<Response>} coming */
async function answerOf(coming) {
  const response = await coming.catch(() => {
    throw new Refused("The emulator does not answer");
  });
  const text = await response.text();
  const answer =
    response.headers.get("content-type")?.startsWith("application/json") === true
      ? JSON.parse(text)
      : { error: text };
  if (!response.ok) throw new Refused(answer.error.trim());
  return answer;
}

const keptCalls = 500;

/**
 * The last state of the emulator.
 * @type {{ overview: Overview | null, calls: readonly Call[], line: "connecting" | "live" | "lost" | "closed" }}
 */
export const known = { overview: null, calls: [], line: "connecting" };

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener called whenever `known` has changed */
export function whenKnown(listener) {
  listeners.add(listener);
}

function tell() {
  for (const listener of listeners) listener();
}

/** Starts to listen. The browser finds its way back by itself after a break; a new start of the emulator has another address. */
export function listen() {
  const events = new EventSource("events");
  events.addEventListener("open", () => {
    known.line = "live";
    tell();
  });
  events.addEventListener("error", () => {
    known.line = events.readyState === EventSource.CLOSED ? "closed" : "lost";
    tell();
  });
  events.addEventListener("overview", (event) => {
    known.overview = /** @type {Overview} */ (JSON.parse(event.data));
    const { kept, oldest } = known.overview.calls;
    known.calls = kept === 0 ? [] : known.calls.filter((call) => call.number >= oldest);
    tell();
  });
  events.addEventListener("calls", (event) => {
    const newer = /** @type {Call[]} */ (JSON.parse(event.data));
    known.calls = [...newer.toReversed(), ...known.calls].slice(0, keptCalls);
    tell();
  });
}
