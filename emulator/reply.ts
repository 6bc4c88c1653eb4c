/** Answers with data. Their headers keep a browser from showing or running the body as a page. */
import type { ServerResponse } from "node:http";

/** The headers of such an answer. An XML or a spoilt body has the same type, since callers must not rely on it. */
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
