/** Authentication (api.md, Authentication; service-notes.md, Transport and Common return codes). */
import { sent, type Params } from "./context";
import { commonCodes, Refusal, texts } from "./envelope";
import type { Account, World } from "./model";

export interface Caller {
  readonly method?: string | undefined;
  readonly userAgent?: string | null | undefined;
  readonly address?: string | undefined;
}

const fiveMinutes = 5 * 60 * 1000;
const hour = 60 * 60 * 1000;
const allowedFailures = 30;

/** `Name/Version (contact)`, not a browser's. */
export function goodUserAgent(userAgent: string | null): boolean {
  if (userAgent === null || /^Mozilla\//i.test(userAgent)) return false;
  return /^[^/\s]+(?: [^/\s]+)*\/\S+ \([^\s@]+@[^\s)]+\)/.test(userAgent);
}

export class Gate {
  private readonly failures = new Map<string, number[]>();
  private readonly bannedUntil = new Map<string, number>();

  constructor(private readonly world: World) {}

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
