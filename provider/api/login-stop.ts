/** The stop of five minutes after a failed login, for all processes (service-notes, Transport). */
import { hash } from "node:crypto";
import * as path from "node:path";
import { z } from "zod";
import type { Clock } from "../support/clock";
import { readPrivateJson, writePrivate } from "../support/private-file";
import type { Secret } from "../settings";
import { LoginError } from "./errors";
import { meaningOf } from "./meanings";

export const LOGIN_STOP_MS = 5 * 60_000;

const marker = z.object({ time: z.iso.datetime(), code: z.string().regex(/^-?\d{1,9}$/) });

interface Failure {
  readonly at: number;
  readonly code: string;
}

export class LoginStop {
  readonly file: string;
  private own: Failure | undefined;
  private isOnDisk = true;

  constructor(
    settings: { readonly baseUrl: string; readonly loginToken: Secret; readonly stateDir: string },
    private readonly clock: Clock,
  ) {
    const account = hash("sha256", `${settings.baseUrl}\n${settings.loginToken.reveal()}`).slice(0, 20);
    this.file = path.join(settings.stateDir, `login-stopped-${account}.json`);
  }

  fail(code: string): void {
    if (this.current() !== undefined) return;
    this.own = { at: this.clock.now(), code };
    this.isOnDisk = this.mark(code);
  }

  private mark(code: string): boolean {
    const time = new Date(this.clock.wall()).toISOString();
    return writePrivate(this.file, `${JSON.stringify({ time, code })}\n`);
  }

  /** The last help after a failed login: failures ban the account. */
  advice(): string {
    return this.isOnDisk
      ? `wait: nothing on this machine tries this token for five minutes; to try sooner: rm ${this.file}`
      : "wait: no call of this run tries this token for five minutes";
  }

  check(operation: string, target: string | undefined): LoginError | undefined {
    const failure = this.current() ?? this.fromDisk();
    if (failure === undefined) return undefined;
    const { code } = failure;
    const words = meaningOf("", code);
    const ago = Math.max(0, Math.floor((this.clock.now() - failure.at) / 1000));
    const meaning = `not sent, because the login failed ${ago} s ago: ${words.meaning}`;
    const help = [...words.help, this.advice()];
    return new LoginError({ operation, target, code, meaning, help, outcome: "not-sent" });
  }

  private current(): Failure | undefined {
    if (this.own !== undefined && this.clock.now() - this.own.at >= LOGIN_STOP_MS) this.own = undefined;
    return this.own;
  }

  private fromDisk(): Failure | undefined {
    const parsed = marker.safeParse(readPrivateJson(this.file));
    if (!parsed.success) return undefined;
    const { code } = parsed.data;
    const age = this.clock.wall() - Date.parse(parsed.data.time);
    // The clock was set back.
    if (age < 0 && !this.mark(code)) return undefined;
    return age < LOGIN_STOP_MS ? { at: this.clock.now() - Math.max(0, age), code } : undefined;
  }
}
