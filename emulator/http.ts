/** The HTTP shell (api.md, Endpoints). */
import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerAdmin, dataHeaders, replyJson } from "./adminHttp";
import type { Admin } from "./admin";
import type { Box } from "./box";
import type { Outcome } from "./faults";
import { foreign } from "./guard";
import { consolePage } from "./page/page";

interface Shell {
  readonly box: Box;
  readonly admin: Admin;
  readonly page: ReturnType<typeof consolePage>;
  readonly host: string;
  wait(ms: number): Promise<void>;
}

export async function startHttp(box: Box, admin: Admin, host: string, port: number) {
  const page = consolePage(admin);
  const closing = new AbortController();
  // Any number of answers may wait.
  setMaxListeners(0, closing.signal);
  const wait = async (ms: number): Promise<void> => {
    if (ms > 0) await sleep(ms, undefined, closing);
  };

  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    serve({ box, admin, page, host, wait }, request, response).catch((error: unknown) => {
      if (response.destroyed || response.headersSent) response.destroy();
      else replyJson(response, 500, { error: `emulator: ${String(error)}` });
    });
  });
  const listen = async (at: number): Promise<void> => {
    if (!server.listening && !closing.signal.aborted) await once(server.listen(at, host), "listening");
  };
  await listen(port);
  const listening = (server.address() as AddressInfo).port;

  const mute = async (): Promise<void> => {
    if (!server.listening) return;
    const done = once(server.close(), "close");
    server.closeAllConnections();
    await done;
  };
  return {
    port: listening,
    consolePath: page.path,
    mute,
    listen: () => listen(listening),
    close: async (): Promise<void> => {
      closing.abort();
      await mute();
    },
  };
}

async function serve(
  { box, admin, page, host, wait }: Shell,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, why: string): void =>
    replyJson(response, status, { error: `This request is refused: ${why}` });
  const why = foreign(request, host);
  if (why !== null) return refuse(403, why);
  const { url: asked = "/" } = request;
  if (!URL.canParse(asked, "http://emulator")) return refuse(400, "its path is none");
  const url = new URL(asked, "http://emulator");
  const { pathname } = url;
  const own = /^\/_(admin|console)(\/|$)/.test(pathname);
  const body = await bodyOf(request);
  if (body === null) return refuse(413, "its body is larger than 8 MiB");
  if (own && pathname.startsWith("/_console")) return page.answer(request, response, url, body);
  if (own) return answerAdmin(admin, request, response, { url, under: "/_admin", body });
  const pending = box.begin(pathname.slice(1), Object.fromEntries(new URLSearchParams(body)), {
    method: request.method,
    userAgent: request.headers["user-agent"] ?? null,
  });
  await wait(pending.verdict.delayBefore);
  const outcome = pending.run();
  await wait(pending.verdict.delayAfter);
  await send(outcome, response);
}

/** Carries out the box's decision. */
async function send(outcome: Outcome, response: ServerResponse): Promise<void> {
  if (outcome.kind === "refused") {
    response.destroy();
    return;
  }
  if (outcome.kind === "dropped") {
    const bytes = Buffer.from(outcome.body);
    response.writeHead(200, { ...dataHeaders, "content-length": bytes.length });
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    await new Promise<void>((resolve) => response.write(half, () => resolve()));
    response.destroy();
    return;
  }
  response.writeHead(outcome.status, { ...dataHeaders, ...outcome.headers }).end(outcome.body);
}

const longestBody = 8 * 1024 * 1024;

/** Null if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= longestBody) chunks.push(chunk);
  }
  return bytes > longestBody ? null : Buffer.concat(chunks).toString("utf8");
}
