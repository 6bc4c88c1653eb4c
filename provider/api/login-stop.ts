/**
 * The stop after a failed login: repeated failures ban the account (service-notes, Transport), so the first one ends
 * every further call of this client, and a marker on disk those of other processes, for five minutes or until the token
 * changes.
 */
import { createHash } from "node:crypto";
import * as path from "node:path";
import { z } from "zod";
import type { Clock } from "../clock";
import { readPrivateJson, writePrivate } from "../private-file";
import type { Secret } from "../settings";
import { LoginError } from "./errors";
import { common } from "./meanings";

/** How long a failed login stops further calls, in milliseconds. */
export const LOGIN_STOP_MS = 5 * 60_000;

const marker = z.object({ time: z.iso.datetime(), code: z.string().regex(/^-?\d{1,9}$/) });

interface Failure {
  readonly at: number;
  readonly code: string;
}

/** Knows whether logging in has failed, in this client or lately on this machine. */
export class LoginStop {
  /** The marker's file: named by a hash of address and token, so that another token is not held back. */
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
   * Notes a failed login here and on disk. A disk that cannot be written stops this client only.
   * The file is small and the reading must be in step with the calls, so both are done synchronously.
   */
  fail(code: string): void {
    if (this.current() !== undefined) return;
    this.own = { at: this.clock.now(), code };
    this.written = writePrivate(this.file, this.marked(code));
  }

  private marked(code: string): string {
    return `${JSON.stringify({ time: new Date(this.clock.wall()).toISOString(), code })}\n`;
  }

  /** How the way out of a stop is told, after a failure of this client's own. */
  advice(): string {
    if (!this.written)
      return "Repeated failures ban the account, so this run makes no further call for five minutes.";
    return `Repeated failures ban the account, so nothing on this machine tries this token for five minutes; to try sooner, remove ${this.file}.`;
  }

  /** The error for a call that must not be made, or undefined. */
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

  /** This client's own failure, as long as it stops anything: a process may live longer. */
  private current(): Failure | undefined {
    if (this.own !== undefined && !this.isRecent(this.own)) this.own = undefined;
    return this.own;
  }

  private fromDisk(): Failure | undefined {
    const parsed = marker.safeParse(readPrivateJson(this.file));
    if (!parsed.success) return undefined;
    const { code } = parsed.data;
    const age = this.clock.wall() - Date.parse(parsed.data.time);
    // A marker of the future was written before the clock was set back: it counts as of now, once.
    if (age < 0 && !writePrivate(this.file, this.marked(code))) return undefined;
    return age < LOGIN_STOP_MS ? { at: this.clock.now() - Math.max(0, age), code } : undefined;
  }

  private isRecent({ at }: Failure): boolean {
    return this.clock.now() - at < LOGIN_STOP_MS;
  }
}
