/**
 * Authentication (api.md, Authentication; service-notes.md, Transport and Common return codes). A call
 * needs POST, a token of the main account, and a User-Agent of a program. Too many failed logins lead to a
 * ban.
 */
import { sent, type Params } from "./context";
import { commonCodes, Refusal } from "./envelope";
import type { Account, World } from "./model";
import { texts } from "./texts";

/** The facts of a call beside its parameters. */
export interface Caller {
  /** HTTP method; POST when left out. */
  readonly method?: string | undefined;
  /** The User-Agent header; left out, the call is not judged by it (an in-process call has none). */
  readonly userAgent?: string | null | undefined;
  /** Whose failed logins are counted together. */
  readonly address?: string | undefined;
}

const fiveMinutes = 5 * 60 * 1000;
const hour = 60 * 60 * 1000;
const allowedFailures = 30;

/** `Name/Version (contact)`, the name with or without blanks, and not a browser's. */
export function goodUserAgent(userAgent: string | null): boolean {
  if (userAgent === null || /^Mozilla\//i.test(userAgent)) return false;
  return /^[^/\s]+(?: [^/\s]+)*\/\S+ \([^\s@]+@[^\s)]+\)/.test(userAgent);
}

/** Checks logins and remembers the failed ones. */
export class Gate {
  private readonly failures = new Map<string, number[]>();
  private readonly bannedUntil = new Map<string, number>();

  constructor(private readonly world: World) {}

  /** The account a call belongs to; throws a Refusal for a call that may not pass. */
  admit(params: Params, caller: Caller): Account {
    if ((caller.method ?? "POST") !== "POST") throw new Refusal(commonCodes.postOnly, "POST only");
    const { userAgent } = caller;
    if (this.world.settings.userAgent === "refuse" && userAgent !== undefined && !goodUserAgent(userAgent)) {
      throw new Refusal(
        commonCodes.loginBanned,
        "Banned: the User-Agent must look like Name/Version (contact e-mail)",
      );
    }
    const token = sent(params, "login_token") ?? "";
    const idPart = token.split(",")[0] ?? "";
    const meant = this.world.accounts.find((account) => account.token.split(",")[0] === idPart);
    // Failures count against the account that a token names and against the caller's address.
    const keys = [
      `address ${caller.address ?? "local"}`,
      ...(meant === undefined ? [] : [`account ${meant.id}`]),
    ];
    const now = this.world.now();
    if (keys.some((key) => (this.bannedUntil.get(key) ?? 0) > now)) {
      throw new Refusal(commonCodes.loginBanned, "Too many failed logins, banned for a while");
    }
    const account = this.world.accounts.find((candidate) => candidate.token === token);
    if (account !== undefined) return account;
    if (token !== "" && this.world.accounts.some((candidate) => candidate.subTokens.includes(token))) {
      throw new Refusal(commonCodes.noRight, "No right to this interface: main account only");
    }
    for (const key of keys) this.fail(key, now);
    throw failure(token, meant !== undefined, this.world.settings.loginCode);
  }

  private fail(key: string, now: number): void {
    const recent = [...(this.failures.get(key) ?? []).filter((at) => now - at < fiveMinutes), now];
    this.failures.set(key, recent);
    if (recent.length > allowedFailures) this.bannedUntil.set(key, now + hour);
  }
}

function failure(token: string, idKnown: boolean, instead: string | null): Refusal {
  if (instead !== null) return new Refusal(instead, texts.login);
  if (token !== "" && !token.includes(","))
    return new Refusal(commonCodes.tokenForm, "The login token is not of the form ID,token");
  if (token === "" || idKnown) return new Refusal(commonCodes.loginFailed, texts.login);
  return new Refusal(commonCodes.tokenWrong, texts.tokenId);
}
