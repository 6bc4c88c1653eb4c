import { listDomains, listRecords, ServiceError, type Client, type ZoneListing } from "../../api";
import { nearest } from "../../dns";
import { reason, type Reason } from "../../problems";
import { groupBy } from "../../support/collections";

/** @throws LegacyDnsError; `RefusedDomain` if the account does not have the domain */
export function listZone(client: Client, domain: string, onSend?: () => void): Promise<ZoneListing> {
  const listing = listRecords(client, { domain }, {}, onSend);
  return listing.catch((error: unknown) => notInAccount(client, domain, error));
}

/** The account that the token belongs to, and the domains that it does not have. */
interface TokenAccount {
  readonly names: readonly string[];
  /** The owner's e-mail, if the list shows which one is the account's. */
  readonly owner: string | undefined;
  readonly refused: Map<string, RefusedDomain>;
  /** Not in a message yet. */
  readonly unnamed: Set<RefusedDomain>;
  isNamed: boolean;
}

/** Milliseconds: concurrent refusals share one list. */
const accountAge = 60_000;
const accounts = new WeakMap<Client, { readonly at: number; readonly account: Promise<TokenAccount> }>();

function accountOf(client: Client): Promise<TokenAccount> {
  const now = client.clock.now();
  const kept = accounts.get(client);
  if (kept !== undefined && now - kept.at < accountAge) return kept.account;
  const account = readAccount(client);
  accounts.set(client, { at: now, account });
  account.catch(() => accounts.delete(client));
  return account;
}

async function readAccount(client: Client): Promise<TokenAccount> {
  const { counters, domains } = await listDomains(client);
  // Shared domains have other owners.
  const owners = [...groupBy(domains, ({ owner }) => owner)].filter(
    ([owner, { length }]) => owner !== undefined && length === (counters?.mine ?? domains.length),
  );
  return {
    names: domains.map((each) => each.punycode ?? each.name),
    owner: owners.length === 1 ? owners[0]?.[0] : undefined,
    refused: new Map(),
    unnamed: new Set(),
    isNamed: false,
  };
}

/** @throws RefusedDomain if the service refuses the domain and the account's list lacks it; else the error */
export async function notInAccount(client: Client, domain: string, error: unknown): Promise<never> {
  if (!(error instanceof ServiceError) || !error.refusesDomain) throw error;
  const account = await accountOf(client).catch(() => undefined);
  if (account === undefined || account.names.includes(domain)) throw error;
  const known = account.refused.get(domain);
  if (known?.code === error.code) throw known;
  const isGone = error.noSuch("domain");
  throw isGone ? new DomainNotInAccount(error, domain, account) : new RefusedDomain(error, domain, account);
}

const help = [
  "if another account has them: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN, with its token",
  "compare with the domains of this account: pulumi-legacydns account",
  "if a name is wrong, correct it in the program",
].join("\n");

class RefusedDomain extends ServiceError {
  private readonly note: string;
  private diagnostic: Reason<"zone.refused"> | undefined;

  constructor(
    { details }: ServiceError,
    readonly domain: string,
    private readonly account: TokenAccount,
  ) {
    const advice = adviceFor(domain, account.names);
    super(advice === undefined ? details : { ...details, help: [advice] });
    this.note = advice ?? `${details.meaning} (${details.code})`;
    account.refused.set(domain, this);
    account.unnamed.add(this);
  }

  /** The first message names all domains that are refused by then. The later ones need no help. */
  override reason(): Reason<"zone.refused"> {
    return (this.diagnostic ??= this.makeDiagnostic());
  }

  private makeDiagnostic(): Reason<"zone.refused"> {
    const { account } = this;
    const { owner, unnamed } = account;
    const all = unnamed.has(this) ? [...unnamed] : [this];
    const who = owner === undefined ? "the account of the token" : `the account ${owner}`;
    const parts = { detail: `${who} does not have these domains`, hint: account.isNamed ? "" : help };
    unnamed.clear();
    account.isNamed = true;
    return reason(
      "zone.refused",
      parts,
      all.map((each) => ({ text: each.domain, note: each.note })),
    );
  }
}

function adviceFor(domain: string, names: readonly string[]): string | undefined {
  const parents = names.filter((name) => domain.endsWith(`.${name}`));
  const [parent] = parents.sort((a, b) => b.length - a.length);
  if (parent !== undefined)
    return `this account holds ${parent}: declare that domain, and ${domain} as a name in it`;
  // The labels after the first are often the same, so that any two domains seem similar.
  const near = names.filter((name) => nearest(firstLabel(domain), [firstLabel(name)]) !== undefined);
  const guess = nearest(domain, near);
  return guess === undefined ? undefined : `this account holds no ${domain}; did you mean ${guess}?`;
}

/** The service knows no such domain, and the account's list lacks it. */
export class DomainNotInAccount extends RefusedDomain {}

function firstLabel(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}
