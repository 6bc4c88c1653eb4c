/** Starts an emulator with HTTP and DNS. `Service` and `Box` are the same without I/O. */
import { randomBytes } from "node:crypto";
import { Admin } from "./admin";
import { Box, type Call } from "./box";
import { startDns } from "./dns";
import { startHttp } from "./http";
import { isLoopback } from "./guard";
import type { ServiceOptions } from "./service/service";

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

export interface StartOptions extends Omit<ServiceOptions, "secret"> {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** 0 for a free one; null (default) for no DNS. */
  readonly dnsPort?: number | null | undefined;
  readonly onCall?: ((call: Call) => void) | undefined;
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

/** @throws if a port is taken, or accounts and domains contradict each other */
export async function startEmulator(options: StartOptions = {}) {
  const { host = "127.0.0.1", port = 0, dnsPort = null, onCall = null, ...service } = options;
  const clock = { offset: 0 };
  const now = options.now ?? Date.now;
  const box = new Box({
    ...service,
    domains: options.domains ?? ["example.com"],
    secret: () => randomBytes(16).toString("hex"),
    now: () => now() + clock.offset,
  });
  box.onCall = onCall;
  const admin = new Admin(box, clock);
  const http = await startHttp(box, admin, host, port);
  const dns = await (dnsPort === null ? null : startDns(box.service, host, dnsPort))?.catch(
    async (error: unknown) => {
      await http.close();
      throw error;
    },
  );
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${http.port}`;
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const local = isLoopback(host) ? new URL(url).hostname : everywhere[host];
  return {
    url,
    adminUrl: `${url}/_admin`,
    /** For a browser on this machine. Null off loopback. */
    consoleUrl: local === undefined ? null : `http://${local}:${http.port}${http.consolePath}`,
    port: http.port,
    dnsPort: dns?.port ?? null,
    token: box.service.world.accounts[0]?.token ?? "",
    admin,
    service: box.service,
    /** Refuses connections until `listen`. */
    mute: http.mute,
    listen: http.listen,
    close: async (): Promise<void> => {
      await Promise.all([http.close(), dns?.close()]);
    },
  };
}
