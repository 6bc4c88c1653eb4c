/**
 * The context of an operation: the world, the caller, the form parameters. It also finds the domain of a
 * call (api.md, General rules: one of `domain_id` and `domain` must be sent, either is enough).
 */
import type { JsonObject, Refusal } from "./envelope";
import type { Account, Domain, Share, World } from "./model";

export type Params = Readonly<Record<string, string>>;

export interface Context {
  readonly world: World;
  readonly account: Account;
  readonly params: Params;
  /** Milliseconds since the epoch, one reading per call. */
  readonly now: number;
  /** The refusal to throw, with the text that the operation's table row gives for the code. */
  readonly refusal: (code: string, message?: string) => Refusal;
}

export type Handler = (context: Context) => JsonObject;

/** A parameter that is sent and not empty. */
export function sent(params: Params, name: string): string | undefined {
  const value = params[name];
  return value === undefined || value === "" ? undefined : value;
}

/** A non-negative integer, or NaN. */
export function integer(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Error codes for a wrong domain. */
export interface DomainCodes {
  /** Neither parameter, or an id that is no number. */
  readonly badId: string;
  /** An id that no domain has. */
  readonly noSuchId: string;
  /** A name that no domain has. */
  readonly noSuchName: string;
  readonly notOwner: string;
  /** Refuse a banned or locked domain too. */
  readonly banned?: string;
  readonly locked?: string;
}

/** api.md, Errors: 6 domain ID wrong, 8 domain invalid, 13 domain wrong, 7 not the owner. */
export const readCodes: DomainCodes = { badId: "6", noSuchId: "8", noSuchName: "13", notOwner: "7" };
/** The same, and -15 domain banned, 21 domain locked. */
export const strictCodes: DomainCodes = { ...readCodes, banned: "-15", locked: "21" };

/** The domain a call is about; whatever is wrong with it is refused, and with `write` a share for reading only too. */
export function domainOf(context: Context, codes: DomainCodes = readCodes, write = false): Domain {
  const domain = namedDomain(context, codes);
  checkAccess(context, domain, codes, write);
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

/** A domain by its name or its punycode name. */
export function findByName(world: World, name: string): Domain | undefined {
  return world.domainByName.get(name.trim().toLowerCase().replace(/\.$/, ""));
}

/** Refuses callers and states that the operation does not accept. */
export function checkAccess(context: Context, domain: Domain, codes: DomainCodes, write = false): void {
  if (domain.owner !== context.account) {
    const share = wholeShare(domain, context.account);
    const allowed =
      context.world.settings.sharedDomains === "allow" &&
      share !== undefined &&
      (!write || share.mode === "rw");
    if (!allowed) throw context.refusal(codes.notOwner);
  }
  if (domain.status === "spam" && codes.banned !== undefined) throw context.refusal(codes.banned);
  if (domain.status === "lock" && codes.locked !== undefined) throw context.refusal(codes.locked);
}

/** The share of the whole domain that an account has. */
export function wholeShare(domain: Domain, account: Account): Share | undefined {
  return domain.shares.find((share) => share.email === account.email && share.subDomain === "");
}

/**
 * The `id` of the answer's `domain` object flips its type (service-notes.md,
 * Types that flip): a number when `domain_id` was sent, a string when `domain` was.
 */
export function flippedId(context: Context, domain: Domain): number | string {
  return sent(context.params, "domain_id") === undefined ? String(domain.id) : domain.id;
}
