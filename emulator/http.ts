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
import { foreign } from "./guard";
import { consolePage } from "./page/page";
import { dataHeaders, replyJson } from "./reply";

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
      else replyJson(response, 500, { error: `emulator: ${String(error)}` });
    });
  };

  const refuse = (response: ServerResponse, status: number, why: string): void => {
    replyJson(response, status, { error: `This request is refused: ${why}` });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const why = foreign(request, options.host);
    if (why !== null) return refuse(response, 403, why);
    const { url: asked = "/" } = request;
    if (!URL.canParse(asked, "http://emulator")) return refuse(response, 400, "its path is none");
    const url = new URL(asked, "http://emulator");
    const own = /^\/_(admin|console)(\/|$)/.test(url.pathname);
    const operation = operationOf(url.pathname, options.basePath);
    // A refused connection is closed before its body is read.
    const body = !own && box.faults.peekRefused(operation) ? "" : await bodyOf(request);
    if (body === null) refuse(response, 413, "its body is larger than 8 MiB");
    else if (!own) await serveCall(operation, body, request, response);
    else if (url.pathname.startsWith("/_console")) await page.answer(request, response, url, body);
    else answerAdmin(admin, request, response, { url, under: "/_admin", body });
  };

  const serveCall = async (
    operation: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const pending = box.begin(operation, Object.fromEntries(new URLSearchParams(body)), {
      method: request.method,
      userAgent: request.headers["user-agent"] ?? null,
      address: request.socket.remoteAddress,
    });
    await wait(pending.verdict.delayBefore);
    const outcome = pending.run();
    await wait(pending.verdict.delayAfter);
    await carryOut(outcome, request, response);
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
      response.writeHead(200, { ...dataHeaders, "content-length": bytes.length });
      await new Promise<void>((resolve) =>
        response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
          resolve();
        }),
      );
      request.socket.destroy();
      return;
    }
    response.writeHead(outcome.status, { ...dataHeaders, ...outcome.headers });
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
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1) : path;
}

const longestBody = 8 * 1024 * 1024;

/** The body; null for one that is too long. Its rest is read and dropped, since a caller still sends while it waits. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= longestBody) chunks.push(chunk);
  }
  return bytes > longestBody ? null : Buffer.concat(chunks).toString("utf8");
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
