/**
 * The HTTP shell (api.md, What the service does: POST to
 * `{base_url}/<Operation.Name>`, form-encoded): it takes calls in, carries out
 * what the box decided, and hands `/_admin` to the admin interface and
 * `/_console` to the page.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { answerAdmin } from "./adminHttp";
import type { Admin } from "./admin";
import type { Box } from "./box";
import type { Outcome } from "./faults";
import { foreign } from "./page/guard";
import { consolePage } from "./page/page";

export interface HttpShell {
  readonly port: number;
  /** Path of the console's page, its token in it. */
  readonly consolePath: string;
  /** Refuses connections for real, by not listening; milliseconds, or until `listen`. */
  mute(forMs?: number): Promise<void>;
  /** Listens again on the same port. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface HttpOptions {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** Path before the operation's name, such as `/api`; empty for none. */
  readonly basePath: string;
}

/** Starts the shell. Rejects where the port is taken. */
export async function startHttp(box: Box, admin: Admin, options: HttpOptions): Promise<HttpShell> {
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const page = consolePage(admin);
  let closed = false;

  const wait = (ms: number): Promise<void> =>
    ms === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          const timer = setTimeout(() => {
            timers.delete(timer);
            resolve();
          }, ms);
          timers.add(timer);
        });

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: unknown) => {
      // A caller that went away is no failure of ours; anything else is a bug and shows as a 500 of its own kind.
      if (response.destroyed || response.headersSent) response.destroy();
      else response.writeHead(500, { "content-type": "text/plain" }).end(`emulator: ${String(error)}`);
    });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://emulator");
    if (/^\/_(admin|console)(\/|$)/.test(url.pathname)) return serveOwn(request, response, url);
    const operation = operationOf(url.pathname, options.basePath);
    const early = box.faults.peekRefused(operation);
    // A refused connection is closed before its body is read.
    const params = early ? {} : Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const pending = box.begin(operation, params, {
      method: request.method,
      userAgent: request.headers["user-agent"] ?? null,
      address: request.socket.remoteAddress,
    });
    await wait(pending.verdict.delayBefore);
    const outcome = pending.run();
    await wait(pending.verdict.delayAfter);
    await carryOut(outcome, request, response);
  };

  /** What no service has: the admin interface and the page. */
  const serveOwn = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const why = foreign(request, options.host);
    if (why !== null) {
      response.writeHead(403, { "content-type": "application/json; charset=utf-8" });
      response.end(`${JSON.stringify({ error: `This request is refused: ${why}` })}\n`);
      return;
    }
    const body = await bodyOf(request);
    if (url.pathname.startsWith("/_console")) await page.answer(request, response, url, body);
    else answerAdmin(admin, request, response, { url, under: "/_admin", body });
  };

  const carryOut = async (
    outcome: Outcome,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    if (outcome.kind === "refused") {
      request.socket.destroy();
      if (outcome.forMs > 0) await shell.mute(outcome.forMs);
      return;
    }
    if (outcome.kind === "dropped") {
      const bytes = Buffer.from(outcome.body);
      response.writeHead(200, { "content-type": "text/html;charset=UTF-8", "content-length": bytes.length });
      await new Promise<void>((resolve) =>
        response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
          resolve();
        }),
      );
      request.socket.destroy();
      return;
    }
    response.writeHead(outcome.status, outcome.headers);
    await pad(response, outcome.padding);
    response.end(outcome.body);
  };

  const server: Server = createServer({ keepAliveTimeout: 30_000 }, answer);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await listenOn(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;

  const stopListening = async (): Promise<void> => {
    const done = new Promise<void>((resolve) =>
      server.close(() => {
        resolve();
      }),
    );
    for (const socket of sockets) socket.destroy();
    await done;
  };

  const shell: HttpShell = {
    port,
    consolePath: page.path,
    mute: async (forMs) => {
      if (server.listening) await stopListening();
      if (forMs === undefined) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        shell.listen().catch(() => undefined);
      }, forMs);
      timers.add(timer);
    },
    listen: async () => {
      if (!server.listening && !closed) await listenOn(server, options.host, port);
    },
    close: async () => {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      if (server.listening) await stopListening();
    },
  };
  return shell;
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      reject(error);
    };
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });
}

/** The operation's name is what follows the base path; a path outside it is no operation. */
function operationOf(path: string, basePath: string): string {
  const inside = path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1) : path;
  return decodeURIComponent(inside);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const blank = Buffer.alloc(64 * 1024, " ");

async function pad(response: ServerResponse, bytes: number): Promise<void> {
  for (let left = bytes; left > 0 && !response.destroyed; left -= blank.length) {
    const more = response.write(left < blank.length ? blank.subarray(0, left) : blank);
    if (!more)
      await new Promise<void>((resolve) => {
        const go = (): void => {
          response.off("drain", go);
          response.off("close", go);
          resolve();
        };
        response.on("drain", go);
        response.on("close", go);
      });
  }
}
