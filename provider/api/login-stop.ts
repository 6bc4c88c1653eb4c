/**
 * The stop after a failed login, since repeated failures ban the account (service-notes, Transport). It lasts
 * five minutes or until the token changes. A marker on disk stops other processes.
 */
import { createHash } from "node:crypto";
import * as path from "node:path";
import { z } from "zod";
import type { Clock } from "../support/clock";
import { readPrivateJson, writePrivate } from "../support/private-file";
import type { Secret } from "../settings";
import { LoginError } from "./errors";
import { common } from "./meanings";

/** Milliseconds. */
export const LOGIN_STOP_MS = 5 * 60_000;

const marker = z.object({ time: z.iso.datetime(), code: z.string().regex(/^-?\d{1,9}$/) });

interface Failure {
  readonly at: number;
  readonly code: string;
}

export class LoginStop {
  /** Named by a hash of address and token. */
  readonly file: string;
  private own: Failure | undefined;
  private written = false;

  constructor(
    settings: { readonly baseUrl: string; readonly loginToken: Secret; readonly stateDir: string },
    private readonly clock: Clock,
  ) {
    const hash = createHash("sha256")
      .update(`${settings.baseUrl}\n${settings.loginToken.reveal()}`)
      .digest("hex");
    this.file = path.join(settings.stateDir, `login-stopped-${hash.slice(0, 20)}.json`);
  }

  /**
   * Written and read synchronously, since it must be current before each call. Without it, only this client
   * stops.
   */
  fail(code: string): void {
    if (this.current() !== undefined) return;
    this.own = { at: this.clock.now(), code };
    this.written = writePrivate(this.file, this.marked(code));
  }

  private marked(code: string): string {
    return `${JSON.stringify({ time: new Date(this.clock.wall()).toISOString(), code })}\n`;
  }

  advice(): string {
    if (!this.written)
      return "Repeated failures ban the account, so this run makes no further call for five minutes.";
    return `Nothing on this machine tries this token for five minutes, since failures ban the account. To try sooner: rm ${this.file}.`;
  }

  check(operation: string, target: string | undefined): LoginError | undefined {
    const failure = this.current() ?? this.fromDisk();
    if (failure === undefined) return undefined;
    const { meaning, hint } = common[failure.code] ?? { meaning: "the login failed", hint: "" };
    const now = this.clock.now();
    const left = Math.max(1, Math.ceil((failure.at + LOGIN_STOP_MS - now) / 1000));
    const ago = Math.max(0, Math.floor((now - failure.at) / 1000));
    const how =
      this.own === undefined
        ? `No call is made for another ${left} s, so that the account is not banned. A changed token is tried at once; to try this one again now, remove ${this.file}.`
        : this.advice();
    return new LoginError({
      operation,
      target,
      code: failure.code,
      meaning: `not sent, because the login failed ${ago} s ago: ${meaning}`,
      hint: `${hint} ${how}`.trim(),
      outcome: "not-sent",
    });
  }

  private current(): Failure | undefined {
    if (this.own !== undefined && !this.isRecent(this.own)) this.own = undefined;
    return this.own;
  }

  private fromDisk(): Failure | undefined {
    const parsed = marker.safeParse(readPrivateJson(this.file));
    if (!parsed.success) return undefined;
    const { code } = parsed.data;
    const age = this.clock.wall() - Date.parse(parsed.data.time);
    // The clock was set back. The marker is written again with the present time.
    if (age < 0 && !writePrivate(this.file, this.marked(code))) return undefined;
    return age < LOGIN_STOP_MS ? { at: this.clock.now() - Math.max(0, age), code } : undefined;
  }

  private isRecent({ at }: Failure): boolean {
    return this.clock.now() - at < LOGIN_STOP_MS;
  }
}
