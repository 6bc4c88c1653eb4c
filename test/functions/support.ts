import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator, StartOptions } from "../../emulator";
import { LookupError } from "../../provider/functions";
import { settingsOf, startService } from "../support/service";
import { cleanUp, freshFolder } from "../api/support";

export async function withEnvironment<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.entries(process.env).filter(([key]) => key.startsWith("LEGACYDNS_"));
  const clear = () => {
    for (const key of Object.keys(process.env))
      if (key.startsWith("LEGACYDNS_")) Reflect.deleteProperty(process.env, key);
  };
  clear();
  Object.assign(process.env, variables, { LEGACYDNS_STATE_DIR: freshFolder() });
  try {
    return await work();
  } finally {
    clear();
    Object.assign(process.env, Object.fromEntries(before));
    cleanUp();
  }
}

export function withService(
  options: StartOptions,
  work: (emulator: Emulator) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const emulator = await startService({ token: freshToken(), ...options });
    try {
      await withEnvironment(settingsOf(emulator), () => work(emulator));
    } finally {
      await emulator.close();
    }
  };
}

export function freshToken(): string {
  return `13490,${randomBytes(16).toString("hex")}`;
}

export function withScript(
  script: Readonly<Record<string, object>>,
  work: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        const operation = (request.url ?? "").slice(1);
        response.end(
          JSON.stringify({
            status: { code: "1", message: "ok", created_at: "2026-01-01 08:00:00" },
            ...script[operation],
          }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await withEnvironment(
        { LEGACYDNS_BASE_URL: `http://127.0.0.1:${port}`, LEGACYDNS_LOGIN_TOKEN: freshToken() },
        work,
      );
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
}

export async function errorOf(lookup: Promise<unknown>): Promise<LookupError> {
  try {
    await lookup;
  } catch (error) {
    if (error instanceof LookupError) return error;
    throw error;
  }
  throw new Error("the look-up succeeded");
}

export function timesOf(value: unknown): string[] {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(timesOf) : [];
}
