/** The HTTP shell (api.md, Endpoints): it reads calls and carries out the box's decisions. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { answerAdmin, dataHeaders, replyJson } from "./adminHttp";
import type { Admin } from "./admin";
import type { Box } from "./box";
import type { Outcome } from "./faults";
import { foreign } from "./guard";
import { consolePage } from "./page/page";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
}

export class HttpShell {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly page: ReturnType<typeof consolePage>;
  private closed = false;
  private listeningPort = 0;

  private constructor(
    private readonly box: Box,
    private readonly admin: Admin,
    private readonly options: HttpOptions,
  ) {
    this.page = consolePage(admin);
    this.server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      this.serve(request, response).catch((error: unknown) => {
        if (response.destroyed || response.headersSent) response.destroy();
        else replyJson(response, 500, { error: `emulator: ${String(error)}` });
      });
    });
    this.server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
    });
  }

  static async start(box: Box, admin: Admin, options: HttpOptions): Promise<HttpShell> {
    const shell = new HttpShell(box, admin, options);
    await listenOn(shell.server, options.host, options.port);
    shell.listeningPort = (shell.server.address() as AddressInfo).port;
    return shell;
  }

  get port(): number {
    return this.listeningPort;
  }

  get consolePath(): string {
    return this.page.path;
  }

  async mute(forMs?: number): Promise<void> {
    if (this.server.listening) await this.stopListening();
    if (forMs !== undefined) this.after(forMs, () => void this.listen().catch(() => undefined));
  }

  async listen(): Promise<void> {
    if (!this.server.listening && !this.closed) await listenOn(this.server, this.options.host, this.port);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (this.server.listening) await this.stopListening();
  }

  private async stopListening(): Promise<void> {
    const done = once(this.server.close(), "close");
    for (const socket of this.sockets) socket.destroy();
    await done;
  }

  private after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }

  private wait(ms: number): Promise<void> {
    return ms === 0 ? Promise.resolve() : new Promise((resolve) => this.after(ms, resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, why: string): void =>
      replyJson(response, status, { error: `This request is refused: ${why}` });
    const why = foreign(request, this.options.host);
    if (why !== null) return refuse(403, why);
    const { url: asked = "/" } = request;
    if (!URL.canParse(asked, "http://emulator")) return refuse(400, "its path is none");
    const url = new URL(asked, "http://emulator");
    const own = /^\/_(admin|console)(\/|$)/.test(url.pathname);
    const operation = operationOf(url.pathname, this.options.basePath);
    // A refused connection is closed before its body is read.
    const body = !own && this.box.faults.peekRefused(operation) ? "" : await bodyOf(request);
    if (body === null) refuse(413, "its body is larger than 8 MiB");
    else if (!own) await this.serveCall(operation, body, request, response);
    else if (url.pathname.startsWith("/_console")) await this.page.answer(request, response, url, body);
    else answerAdmin(this.admin, request, response, { url, under: "/_admin", body });
  }

  private async serveCall(
    operation: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const pending = this.box.begin(operation, Object.fromEntries(new URLSearchParams(body)), {
      method: request.method,
      userAgent: request.headers["user-agent"] ?? null,
      address: request.socket.remoteAddress,
    });
    await this.wait(pending.verdict.delayBefore);
    const outcome = pending.run();
    await this.wait(pending.verdict.delayAfter);
    await this.carryOut(outcome, request, response);
  }

  private async carryOut(
    outcome: Outcome,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (outcome.kind === "refused") {
      request.socket.destroy();
      if (outcome.forMs > 0) await this.mute(outcome.forMs);
      return;
    }
    if (outcome.kind === "dropped") {
      const bytes = Buffer.from(outcome.body);
      response.writeHead(200, { ...dataHeaders, "content-length": bytes.length });
      const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
      await new Promise<void>((resolve) => response.write(half, () => resolve()));
      request.socket.destroy();
      return;
    }
    response.writeHead(outcome.status, { ...dataHeaders, ...outcome.headers });
    await pad(response, outcome.padding);
    response.end(outcome.body);
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  await once(server.listen(port, host), "listening");
}

function operationOf(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1) : path;
}

const longestBody = 8 * 1024 * 1024;

/** Null if it is too long. The rest is read, since the caller still sends it. */
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
    if (!more && !response.destroyed) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
}
