import { fail } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { Emulator, StartOptions } from "../../emulator";
import * as functions from "../../provider/functions";
import { settingsOf, startService } from "../support/service";
import { closeAll, listen } from "../api/servers";
import { cleanUp, enveloped, freshFolder } from "../api/support";

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

function freshToken(): string {
  return `13490,${randomBytes(16).toString("hex")}`;
}

/** A service with one answer per operation. */
export async function serving<T>(
  answers: Readonly<Record<string, object>>,
  work: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end(enveloped("1", answers[(request.url ?? "").slice(1)])));
  });
  try {
    return await work(`http://127.0.0.1:${await listen(server)}`);
  } finally {
    await closeAll();
  }
}

export function withScript(
  answers: Readonly<Record<string, object>>,
  work: () => Promise<void>,
): () => Promise<void> {
  return () =>
    serving(answers, (baseUrl) =>
      withEnvironment({ LEGACYDNS_BASE_URL: baseUrl, LEGACYDNS_LOGIN_TOKEN: freshToken() }, work),
    );
}

export async function errorOf(lookup: Promise<unknown>): Promise<functions.LookupError> {
  try {
    await lookup;
  } catch (error) {
    if (error instanceof functions.LookupError) return error;
    throw error;
  }
  throw new Error("the look-up succeeded");
}

type LookUp = (args?: unknown, options?: unknown) => Promise<unknown>;

/** The error of a look-up by its name, with arguments of any type. */
export const errorFrom = (lookup: string, ...given: Parameters<LookUp>) =>
  errorOf((functions as unknown as Readonly<Record<string, LookUp>>)[lookup]?.(...given) ?? fail(lookup));

export function timesOf(value: unknown): string[] {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(timesOf) : [];
}
