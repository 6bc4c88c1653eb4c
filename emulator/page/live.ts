/**
 * Server-sent events of the page: `overview` after a change, and `calls`. The state machine has no
 * timers, so it is read some times a second.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admin } from "../admin";
import type { Call } from "../box";

const everyMs = 200;
const aliveMs = 15_000;
/** Earlier calls for a new page, and characters of a parameter. */
const past = 200;
const shownText = 200;
const waiting = 1 << 20;

export function streamEvents(
  admin: Admin,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  let last = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? Number.NaN);
  let known = "";
  let sentAt = Date.now();
  const send = (event: string, data: string, id?: number): void => {
    response.write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
    sentAt = Date.now();
  };
  const look = (): void => {
    if (response.writableLength > waiting) return;
    const overview = JSON.stringify(admin.overview());
    if (overview !== known) send("overview", overview);
    known = overview;
    const calls = Number.isNaN(last) ? admin.calls().slice(-past) : since(admin.calls(), last);
    const newest = calls.at(-1)?.number;
    if (newest !== undefined) send("calls", JSON.stringify(calls.map(short)), newest);
    last = newest ?? (Number.isNaN(last) ? 0 : last);
    if (Date.now() - sentAt > aliveMs) send("alive", "{}");
  };
  response.write("retry: 1000\n\n");
  look();
  const timer = setInterval(look, everyMs);
  response.on("close", () => {
    clearInterval(timer);
  });
}

function since(calls: readonly Call[], last: number): readonly Call[] {
  let from = calls.length;
  while (from > 0 && (calls[from - 1]?.number ?? 0) > last) from -= 1;
  return calls.slice(from);
}

function short(call: Call): Call {
  const params = Object.entries(call.params).map(([name, text]) => [
    name,
    text.length > shownText ? `${text.slice(0, shownText)}…` : text,
  ]);
  return { ...call, params: Object.fromEntries(params) as Record<string, string> };
}
