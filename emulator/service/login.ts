/** Authentication (api.md, Authentication; service-notes.md, Transport and Common return codes). */
import { sent, type Params } from "./context";
import { commonCodes, Refusal, texts } from "./envelope";
import type { Account, World } from "./model";

export interface Caller {
  readonly method?: string | undefined;
  readonly userAgent?: string | null | undefined;
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
  private readonly failures = new Map<Account, readonly number[]>();
  private readonly bannedUntil = new Map<Account, number>();

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
    const now = this.world.now();
    if (meant !== undefined && (this.bannedUntil.get(meant) ?? 0) > now) {
      throw new Refusal(commonCodes.loginBanned, "Too many failed logins, banned for a while");
    }
    const account = this.world.accounts.find((candidate) => candidate.token === token);
    if (account !== undefined) return account;
    if (token !== "" && this.world.accounts.some((candidate) => candidate.subTokens.includes(token))) {
      throw new Refusal(commonCodes.noRight, "No right to this interface: main account only");
    }
    if (meant !== undefined) this.fail(meant, now);
    throw failure(token, meant !== undefined, this.world.settings.loginCode);
  }

  private fail(account: Account, now: number): void {
    const recent = [...(this.failures.get(account) ?? []).filter((at) => now - at < fiveMinutes), now];
    this.failures.set(account, recent);
    if (recent.length > allowedFailures) this.bannedUntil.set(account, now + hour);
  }
}

function failure(token: string, idKnown: boolean, instead: string | null): Refusal {
  if (instead !== null) return new Refusal(instead, texts.login);
  if (token !== "" && !token.includes(","))
    return new Refusal(commonCodes.tokenForm, "The login token is not of the form ID,token");
  if (token === "" || idKnown) return new Refusal(commonCodes.loginFailed, texts.login);
  return new Refusal(commonCodes.tokenWrong, texts.tokenId);
}
