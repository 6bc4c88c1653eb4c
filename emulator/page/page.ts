/** The console's page. A random token in the path keeps out other users of the machine and other pages. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Admin } from "../admin";
import { answerAdmin } from "../adminHttp";
import { isLoopback } from "../guard";
import { streamEvents } from "./live";

export interface ConsolePage {
  readonly path: string;
  answer(request: IncomingMessage, response: ServerResponse, url: URL, body: string): Promise<void>;
}

const folder = join(__dirname, "files");
const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

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

export function consolePage(admin: Admin): ConsolePage {
  const token = randomBytes(16).toString("base64url");
  const path = `/_console/${token}/`;

  const answer: ConsolePage["answer"] = async (request, response, url, body) => {
    const [, , sent = "", first = "", ...rest] = url.pathname.split("/");
    const say = (status: number, text: string, more: Readonly<Record<string, string>> = {}): void => {
      response
        .writeHead(status, { ...headers, "content-type": "text/plain; charset=utf-8", ...more })
        .end(`${text}\n`);
    };
    if (!isLoopback(request.socket.remoteAddress ?? ""))
      return say(403, "The console is for browsers on the emulator's own machine.");
    if (!same(sent, token))
      return say(
        403,
        "Open the whole address that the emulator printed as it started: it holds a token, which is new with each start.",
      );
    if (url.pathname === path.slice(0, -1)) return say(308, path, { location: path });
    if (first === "api") return answerAdmin(admin, request, response, { url, under: `${path}api`, body });
    if (request.method !== "GET" && request.method !== "HEAD")
      return say(405, "GET is answered here.", { allow: "GET, HEAD" });
    if (first === "events" && rest.length === 0) return streamEvents(admin, request, response, url);
    const file = rest.length === 0 ? await fileNamed(first === "" ? "index.html" : first) : null;
    if (file === null) return say(404, "There is no such file.");
    response.writeHead(200, { ...headers, "content-type": file.type });
    response.end(request.method === "HEAD" ? undefined : file.text);
  };
  return { path, answer };
}

/** Read anew each time, so that an edit shows. */
async function fileNamed(name: string): Promise<{ text: Buffer; type: string } | null> {
  const [, ending = ""] = /^[a-z][a-z-]*\.([a-z]+)$/.exec(name) ?? [];
  const type = types[ending];
  if (type === undefined) return null;
  try {
    return { text: await readFile(join(folder, name)), type };
  } catch {
    return null;
  }
}

function same(sent: string, token: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
