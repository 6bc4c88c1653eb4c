/** Starts an emulator with HTTP and DNS. `Service` and `Box` are the same without I/O. */
import { randomBytes } from "node:crypto";
import { Admin } from "./admin";
import { Box, type Call } from "./box";
import { startDns, type DnsShell } from "./dns";
import { HttpShell } from "./http";
import { isLoopback } from "./guard";
import type { Service } from "./service/service";
import type { AccountInput, DomainInput } from "./service/schemas";
import type { SettingsInput } from "./service/settings";

export { Admin, type RecordView } from "./admin";
export { Box, type Call, type Pending } from "./box";
export { isLoopback } from "./guard";
export type { FaultSpec } from "./faults";
export { Refusal } from "./service/envelope";
export { defaultLine } from "./service/lines";
export { Service } from "./service/service";
export { seedSchema, type DomainInput, type RecordInput } from "./service/schemas";
export type { SettingsInput } from "./service/settings";
export { shapes, type AnswerShape } from "./service/shapes";

export interface StartOptions {
  /** Of the first account. Default: `example.com`. */
  readonly domains?: (string | DomainInput)[] | undefined;
  /** Default: one account, owner@example.com. */
  readonly accounts?: AccountInput[] | undefined;
  /** Of the first account. Default: random, as for accounts without one. */
  readonly token?: string | undefined;
  readonly settings?: SettingsInput | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** 0 for a free one; null (default) for no DNS. */
  readonly dnsPort?: number | null | undefined;
  /** Before the operation, such as `/api`. */
  readonly basePath?: string | undefined;
  readonly onCall?: ((call: Call) => void) | undefined;
}

export interface Emulator {
  /** `http://127.0.0.1:PORT`, with the base path. */
  readonly url: string;
  readonly adminUrl: string;
  /** For a browser on this machine. Null off loopback. */
  readonly consoleUrl: string | null;
  readonly port: number;
  /** Null without DNS. */
  readonly dnsPort: number | null;
  /** Of the first account. */
  readonly token: string;
  readonly admin: Admin;
  readonly service: Service;
  readonly box: Box;
  /** Refuses connections for `forMs` milliseconds, or until `listen`. */
  mute(forMs?: number): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** @throws if a port is taken, or accounts and domains contradict each other */
export async function startEmulator(options: StartOptions = {}): Promise<Emulator> {
  const clock = { offset: 0 };
  const now = options.now ?? Date.now;
  const box = new Box({
    accounts: options.accounts,
    domains: options.domains ?? ["example.com"],
    token: options.token,
    secret: () => randomBytes(16).toString("hex"),
    settings: options.settings,
    seed: options.seed,
    now: () => now() + clock.offset,
  });
  box.onCall = options.onCall ?? null;
  const admin = new Admin(box, clock);
  const host = options.host ?? "127.0.0.1";
  const basePath = normalPath(options.basePath ?? "");
  const http = await HttpShell.start(box, admin, { host, port: options.port ?? 0, basePath });
  let dns: DnsShell | null = null;
  try {
    if (options.dnsPort !== undefined && options.dnsPort !== null)
      dns = await startDns(box.service, host, options.dnsPort);
  } catch (error) {
    await http.close();
    throw error;
  }
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${http.port}`;
  const [first] = box.service.world.accounts;
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const local = isLoopback(host) ? new URL(origin).hostname : everywhere[host];
  return {
    url: `${origin}${basePath}`,
    adminUrl: `${origin}/_admin`,
    consoleUrl: local === undefined ? null : `http://${local}:${http.port}${http.consolePath}`,
    port: http.port,
    dnsPort: dns?.port ?? null,
    token: first?.token ?? "",
    admin,
    service: box.service,
    box,
    mute: (forMs) => http.mute(forMs),
    listen: () => http.listen(),
    close: async () => {
      await Promise.all([http.close(), dns?.close()]);
    },
  };
}

function normalPath(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, "");
  return bare === "" ? "" : `/${bare}`;
}
