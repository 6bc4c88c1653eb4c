/** Answers that carry data and are no page: whatever they hold, a browser neither shows nor runs it. */
import type { ServerResponse } from "node:http";

/** The headers of such an answer. The type is JSON even where a body is XML or spoilt: no caller may rely on it. */
export const dataHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

/** Answers with a value as JSON. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, dataHeaders).end(`${JSON.stringify(value, null, 2)}\n`);
}
