import { fail, ok } from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import {
  type ClientOptions,
  createClient,
  listRecords,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../../provider/api";
import type { Clock } from "../../provider/support/clock";
import { parseSettings, type Settings } from "../../provider/settings";

export const TOKEN = "13490+/=,6b5976c68aba5b14a0558b77c17c3932";

let base: string | undefined;
let folders = 0;

/** A path that nothing has used. The folder does not exist. */
function freshPath() {
  base ??= mkdtempSync(path.join(tmpdir(), "legacydns-test-"));
  return path.join(base, String(++folders));
}

export function freshFolder() {
  const folder = freshPath();
  mkdirSync(folder);
  return folder;
}

export function cleanUp() {
  if (base !== undefined) rmSync(base, { recursive: true, force: true });
  base = undefined;
}

export function settingsFor(changes: Partial<Settings> = {}): Settings {
  const config = {
    baseUrl: "https://dns.example/api",
    loginToken: TOKEN,
    contact: "tests@example.com",
    requestsPerSecond: 1000,
    requestTimeout: 5,
    stateDir: changes.stateDir ?? freshPath(),
  };
  return { ...parseSettings({ config, env: {}, explicit: true }), explicit: false, ...changes };
}

export function skippingClock() {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    wall: () => now,
    set: (ms: number) => {
      now = ms;
    },
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      now += ms;
    },
  };
}

export class StandingClock implements Clock {
  private time = 0;
  private sleepers: { at: number; wake: () => void }[] = [];
  readonly now = () => this.time;
  readonly wall = this.now;

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.time + ms, wake: resolve };
      this.sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.sleepers = this.sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      });
    });
  }

  async move(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const next = this.sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.time = Math.max(this.time, next.at);
      this.sleepers = this.sleepers.filter((other) => other !== next);
      next.wake();
    }
    this.time = end;
    await settled();
  }
}

export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function enveloped(code: string, rest: object = {}, message = "said by the service") {
  return JSON.stringify({ status: { code, message, created_at: "2026-01-01 08:00:00" }, ...rest });
}

export function answer(body: string, status = 200, headers: TransportResponse["headers"] = {}) {
  return { status, headers, body };
}

export function said(...given: Parameters<typeof enveloped>) {
  return answer(enveloped(...given));
}

export type Step =
  TransportResponse | Error | ((request: TransportRequest) => TransportResponse | Promise<TransportResponse>);

export function scripted(...steps: Step[]) {
  const requests: TransportRequest[] = [];
  return {
    requests,
    closed: false,
    form: (index: number) => Object.fromEntries(new URLSearchParams(requests[index]?.body)),
    async send(request: TransportRequest) {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1];
      if (step === undefined) throw new Error("the script is empty");
      if (step instanceof Error) throw step;
      return typeof step === "function" ? await step(request) : step;
    },
    async close() {
      this.closed = true;
    },
  };
}

export function clientOn(transport: Transport, options: Partial<ClientOptions> = {}) {
  return createClient({
    settings: settingsFor(),
    clock: skippingClock(),
    random: () => 1,
    ...options,
    transport,
  });
}

/** Lists the records of example.com. */
export async function listing(...steps: Step[]) {
  const transport = scripted(...steps);
  const zone = await listRecords(clientOn(transport), { domain: "example.com" });
  return { ...zone, transport };
}

export const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => fail("no failure"),
    (error: unknown) => {
      ok(error instanceof Error, String(error));
      return error;
    },
  );

export async function failureAs<E extends Error>(
  kind: new (...given: never[]) => E,
  promise: Promise<unknown>,
): Promise<E> {
  const failure = await failureOf(promise);
  ok(failure instanceof kind, failure.message);
  return failure;
}
