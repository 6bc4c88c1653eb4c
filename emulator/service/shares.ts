/**
 * Domainshare.Modify (api.md, use cases by parameter combination): an existing
 * share gets another mode or another scope. It never creates one.
 */
import { domainOf, sent, strictCodes, type Context } from "./context";
import type { JsonObject } from "./envelope";
import { hostLabel, judgeLabel } from "./labels";
import type { Share } from "./model";

export function shareModify(context: Context): JsonObject {
  const { world, params, refusal, now } = context;
  const domain = domainOf(context, strictCodes);
  const email = (sent(params, "email") ?? "").trim().toLowerCase();
  // service-notes.md, older sharing codes: 8 e-mail unknown, 9 no such share.
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refusal("8", "E-mail invalid");
  const person = world.accounts.find((account) => account.email === email);
  if (person === undefined) throw refusal("8", "E-mail unknown");
  if (!person.verified) throw refusal("25");
  // The mode that is not sent is read-only: a share loses its write right that way.
  const mode = sent(params, "mode") ?? "r";
  if (mode !== "r" && mode !== "rw") throw refusal("34", "Mode is neither r nor rw");

  const alone = sent(params, "sub_domain");
  const from = scope(sent(params, "old_sub_domain") ?? alone);
  const to = scope(sent(params, "new_sub_domain") ?? alone);
  if (to !== "") {
    const verdict = judgeLabel(to, domain.name, domain.purview);
    if (verdict !== null) throw refusal(verdict.code, verdict.message);
  }
  const shareAt = (where: string): Share | undefined =>
    domain.shares.find((share) => share.email === email && share.subDomain === where);
  const share = shareAt(from);
  if (share === undefined) throw refusal("9", "No such share");
  if (from !== to && shareAt(to) !== undefined) throw refusal("9", "The new share exists already");
  share.mode = mode;
  share.subDomain = to;
  domain.updatedAt = now;
  domain.operatedAt = now;
  return {};
}

/** A share's scope: empty for the whole domain. */
function scope(text: string | undefined): string {
  const label = hostLabel(text ?? "");
  return label === "@" ? "" : label;
}
