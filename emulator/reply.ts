/** Answers with data. A browser must not show or run the body as a page. */
import type { ServerResponse } from "node:http";

/** XML and spoilt bodies have the same type: callers must not rely on it. */
export const dataHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, dataHeaders).end(`${JSON.stringify(value, null, 2)}\n`);
}
