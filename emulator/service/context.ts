/** The context of an operation, and the domain of a call (api.md, General rules). */
import { Refusal, type JsonObject } from "./envelope";
import { lineNamed, linesOf, type Line } from "./lines";
import type { Account, Domain, World } from "./model";

export type Params = Readonly<Record<string, string>>;

export interface Context {
  readonly world: World;
  readonly account: Account;
  readonly params: Params;
  readonly now: number;
  readonly refusal: (code: string, message?: string) => Refusal;
}

export type Handler = (context: Context) => JsonObject;

export function sent(params: Params, name: string): string | undefined {
  const value = params[name];
  return value === undefined || value === "" ? undefined : value;
}

export function integer(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

export interface DomainCodes {
  readonly badId: string;
  readonly noSuchId: string;
  readonly noSuchName: string;
  readonly notOwner: string;
  readonly banned?: string;
  readonly locked?: string;
}

/** api.md, Errors: 6 domain ID wrong, 8 domain invalid, 13 domain wrong, 7 not the owner. */
export const readCodes: DomainCodes = { badId: "6", noSuchId: "8", noSuchName: "13", notOwner: "7" };
export const strictCodes: DomainCodes = { ...readCodes, banned: "-15", locked: "21" };

export function domainOf(context: Context, codes: DomainCodes = readCodes): Domain {
  const domain = namedDomain(context, codes);
  checkAccess(context, domain, codes);
  return domain;
}

function namedDomain({ world, params, refusal }: Context, codes: DomainCodes): Domain {
  const id = sent(params, "domain_id");
  if (id !== undefined) {
    const number = integer(id);
    if (Number.isNaN(number)) throw refusal(codes.badId);
    const domain = world.domains.get(number);
    if (domain === undefined) throw refusal(codes.noSuchId);
    return domain;
  }
  const name = sent(params, "domain");
  if (name === undefined) throw refusal(codes.badId);
  const domain = findByName(world, name);
  if (domain === undefined) throw refusal(codes.noSuchName);
  return domain;
}

export function findByName(world: World, name: string): Domain | undefined {
  return world.domainByName.get(name.trim().toLowerCase().replace(/\.$/, ""));
}

/** A share gives no access (api.md, Authentication 4). */
export function checkAccess({ account, refusal }: Context, domain: Domain, codes: DomainCodes): void {
  if (domain.owner !== account) throw refusal(codes.notOwner);
  if (domain.status === "spam" && codes.banned !== undefined) throw refusal(codes.banned);
  if (domain.status === "lock" && codes.locked !== undefined) throw refusal(codes.locked);
}

/** service-notes.md, Types that flip: a number if `domain_id` was sent, else a string. */
export function flippedId(context: Context, domain: Domain): number | string {
  return sent(context.params, "domain_id") === undefined ? String(domain.id) : domain.id;
}

export function accountNamed({ accounts }: World, email?: string): Account {
  const found = email === undefined ? accounts[0] : accounts.find((account) => account.email === email);
  if (found === undefined) throw new Refusal("3", `No account ${email ?? ""}`);
  return found;
}

/** The sent line; null if none is sent. `record_line_id` wins (api.md, Record.List). */
export function lineSent({ world, params }: Context, domain: Domain): Line | null | undefined {
  const id = sent(params, "record_line_id");
  const name = sent(params, "record_line");
  const lines = linesOf(domain, world.settings);
  if (id !== undefined) return lines.find((line) => line.id === id);
  return name === undefined ? null : lineNamed(lines, name);
}
