/** The console's page. A random token in the path keeps out other users of the machine and other pages. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Admin } from "../admin";
import { answerAdmin } from "../adminHttp";
import { isLoopback } from "../guard";
import { pageOf } from "./views";

const files = new Map([
  ["console.css", "text/css; charset=utf-8"],
  ["console.js", "text/javascript; charset=utf-8"],
  ["icon.svg", "image/svg+xml"],
]);

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

export function consolePage(admin: Admin) {
  const token = randomBytes(16).toString("base64url");
  const path = `/_console/${token}/`;

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    body: string,
  ): Promise<void> => {
    const [, , sent = "", ...way] = url.pathname.split("/");
    const reply = (
      status: number,
      text: string | Buffer,
      more: Readonly<Record<string, string>> = {},
    ): void => {
      response.writeHead(status, { ...headers, "content-type": "text/plain; charset=utf-8", ...more });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    if (!isLoopback(request.socket.remoteAddress ?? ""))
      return reply(403, "The console is for browsers on the emulator's own machine.\n");
    if (!same(sent, token))
      return reply(
        403,
        "Open the whole address that the emulator printed as it started: it holds a token, which is new with each start.\n",
      );
    if (url.pathname === path.slice(0, -1)) return reply(308, "", { location: path });
    if (way[0] === "api") return answerAdmin(admin, request, response, { url, under: `${path}api`, body });
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply(405, "GET is answered here.\n", { allow: "GET, HEAD" });
    const name = way.join("/");
    const page = pageOf(admin, name, url.searchParams);
    if (page !== undefined) return reply(200, page, { "content-type": "text/html; charset=utf-8" });
    const type = files.get(name);
    if (type === undefined) return reply(404, "There is no such file.\n");
    // Read anew each time, so that an edit shows.
    reply(200, await readFile(join(__dirname, "files", name)), { "content-type": type });
  };
  return { path, answer };
}

function same(sent: string, token: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
