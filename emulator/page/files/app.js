/** The connection to the emulator: its state, its admin interface, and the messages about actions. */
import { h } from "./dom.js";

/** @import { Call, Overview } from "../../index" */
/** @import { Attributes, Child } from "./dom.js" */
/** @typedef {{ title: string, draw: () => Child[] }} View */

const keptCalls = 500;

/**
 * The last state of the emulator.
 * @type {{ overview: Overview | null, calls: readonly Call[], line: "connecting" | "live" | "lost" | "closed" }}
 */
export const known = { overview: null, calls: [], line: "connecting" };

/** Draws the page. */
export let redraw = () => undefined;

/**
 * Starts to listen. The browser reconnects by itself after a break; a new start of the emulator has another address.
 * @param {() => undefined} draw
 */
export function listen(draw) {
  redraw = draw;
  const events = new EventSource("events");
  /** @param {string} name @param {(data: any) => void} learn */
  const on = (name, learn) => {
    events.addEventListener(name, (event) => {
      learn(event instanceof MessageEvent ? JSON.parse(event.data) : null);
      redraw();
    });
  };
  on("open", () => (known.line = "live"));
  on("error", () => (known.line = events.readyState === EventSource.CLOSED ? "closed" : "lost"));
  on("overview", (/** @type {Overview} */ overview) => {
    known.overview = overview;
    const { kept, oldest } = overview.calls;
    known.calls = kept === 0 ? [] : known.calls.filter((call) => call.number >= oldest);
  });
  on("calls", (/** @type {Call[]} */ newer) => {
    known.calls = [...newer.toReversed(), ...known.calls].slice(0, keptCalls);
  });
}

/**
 * @param {string} route
 * @param {Record<string, string | number>} [query]
 * @returns {Promise<any>}
 */
export const get = (route, query = {}) =>
  ask(`${route}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`);

/**
 * @param {string} route
 * @param {object} [input]
 * @returns {Promise<any>}
 */
export const post = (route, input = {}) => ask(route, { method: "POST", body: JSON.stringify(input) });

/** @param {string} route @param {RequestInit} [options] @throws Error with the emulator's refusal */
async function ask(route, options) {
  const response = await fetch(`api/${route}`, options).catch(() => {
    throw new Error("The emulator does not answer");
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer = isJson ? JSON.parse(text) : { error: text };
  if (!response.ok) throw new Error(answer.error.trim());
  return answer;
}

/** Shows a text for a while; a screen reader reads it. @param {string} text @param {"done" | "bad"} [kind] */
export function notice(text, kind = "done") {
  const box = h("p", { class: kind }, text);
  document.getElementById("notices")?.append(box);
  setTimeout(() => void box.remove(), kind === "done" ? 5000 : 10000);
}

/** Runs an action, and shows its text or its error. @param {() => Promise<unknown>} action @param {string} [text] */
export async function act(action, text = "") {
  try {
    await action();
    if (text !== "") notice(text);
  } catch (error) {
    notice(messageOf(error), "bad");
  }
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * A button that runs an action.
 * @param {string} text
 * @param {() => unknown} action
 * @param {string} [label]
 */
export const button = (text, action, label) =>
  h("button", { type: "button", "aria-label": label, onclick: () => act(async () => action()) }, text);

/** Key of an opened item → its content, and the version of the item. @template T @typedef {Map<number, { version: string, content?: T | undefined }>} Opened */

/**
 * Details. Their content is loaded when they are opened, and again when the version changes.
 * @template T
 * @param {Opened<T>} opened
 * @param {{ key: number, version?: string, load: () => Promise<T>, show: (content: T) => Node, summary: Child[] }} item
 * @param {Attributes} [attributes]
 */
export function fold(opened, { key, version = "", load, show, summary }, attributes) {
  const entry = opened.get(key);
  const reload = async () => {
    const next = { version, content: entry?.content };
    opened.set(key, next);
    next.content = await load();
    redraw();
  };
  if (entry !== undefined && entry.version !== version) void act(reload);
  const ontoggle = (/** @type {{ target: HTMLDetailsElement }} */ { target }) => {
    if (target.open === opened.has(key)) return;
    if (target.open) void act(reload);
    else opened.delete(key);
  };
  const content = entry?.content && show(entry.content);
  return h(
    "details",
    { ...attributes, open: entry !== undefined, ontoggle },
    h("summary", {}, ...summary),
    content,
  );
}
