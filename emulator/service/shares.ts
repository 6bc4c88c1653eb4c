/** Sharing (api.md, Domainshare.Modify; service-notes.md, Operations outside api.md). */
import { domainOf, sent, strictCodes, type Context } from "./context";
import type { JsonObject } from "./envelope";
import { checkLabel, hostLabel } from "./rules";
import type { Account, Domain } from "./model";
import type { Share } from "./schemas";

const noLimit = 99999;

export function shareModify(context: Context): JsonObject {
  const { params, refusal } = context;
  const domain = domainOf(context, strictCodes);
  // 8 e-mail unknown, 9 no such share (service-notes.md, older sharing codes).
  const person = personOf(context, "8");
  if (!person.verified) throw refusal("25");
  const mode = modeOf(context);

  const alone = sent(params, "sub_domain");
  const from = scope(sent(params, "old_sub_domain") ?? alone);
  const to = scope(sent(params, "new_sub_domain") ?? alone);
  if (to !== "") checkLabel(to, domain);
  const share = shareAt(domain, person, from);
  if (share === undefined) throw refusal("9", "No such share");
  if (from !== to && shareAt(domain, person, to) !== undefined)
    throw refusal("9", "The new share exists already");
  share.mode = mode;
  share.subDomain = to;
  touch(context, domain);
  return {};
}

/** Each share counts towards the plan's number (an assumption: persons may count). */
export function shareCreate(context: Context): JsonObject {
  const { params, account, refusal } = context;
  const domain = domainOf(context, strictCodes);
  const person = personOf(context, "7");
  // No source has a code for a share with oneself.
  if (person === account) throw refusal("7", "E-mail invalid: the domain's owner");
  const mode = modeOf(context);
  const subDomain = scope(sent(params, "sub_domain"));
  if (subDomain !== "") checkLabel(subDomain, domain);
  if (shareAt(domain, person, subDomain) !== undefined) throw refusal("9", "The share exists already");
  const { shares } = domain.purview;
  if (shares < noLimit && domain.shares.length >= shares)
    throw refusal("10", `The number of shares exceeds the limit of ${shares}`);
  domain.shares.push({ email: person.email, mode, subDomain });
  touch(context, domain);
  return {};
}

export function shareList(context: Context): JsonObject {
  const domain = domainOf(context);
  if (domain.shares.length === 0) throw context.refusal("7", "No shares");
  return {
    share: domain.shares.map((share) => ({
      share_to: share.email,
      mode: share.mode,
      status: status(context, share),
      // Not in the notes: it distinguishes two shares of one person.
      ...(share.subDomain === "" ? {} : { sub_domain: share.subDomain }),
    })),
    // In samples of older public editions.
    owner: domain.owner.email,
  };
}

/** Ends all shares of a person: the operation takes an e-mail only. */
export function shareRemove(context: Context): JsonObject {
  const domain = domainOf(context, strictCodes);
  const person = personOf(context, "7");
  const left = domain.shares.filter((share) => share.email !== person.email);
  if (left.length === domain.shares.length) throw context.refusal("9", "No such share");
  domain.shares = left;
  touch(context, domain);
  return {};
}

function personOf({ world, params, refusal }: Context, bad: string): Account {
  const email = (sent(params, "email") ?? "").trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refusal(bad, "E-mail invalid");
  const person = world.accounts.find((account) => account.email === email);
  if (person === undefined) throw refusal("8", "E-mail unknown");
  return person;
}

function modeOf({ params, refusal }: Context): Share["mode"] {
  const mode = sent(params, "mode") ?? "r";
  if (mode !== "r" && mode !== "rw") throw refusal("34", "Mode is neither r nor rw");
  return mode;
}

function scope(text: string | undefined): string {
  const label = hostLabel(text ?? "");
  return label === "@" ? "" : label;
}

function shareAt(domain: Domain, person: Account, where: string): Share | undefined {
  return domain.shares.find((share) => share.email === person.email && share.subDomain === where);
}

/** The notes have the word `pending`, not its meaning. */
function status({ world }: Context, share: Share): string {
  return world.accounts.some(({ email, verified }) => email === share.email && verified)
    ? "enabled"
    : "pending";
}

function touch({ now }: Context, domain: Domain): void {
  domain.updatedAt = now;
  domain.operatedAt = now;
}
