import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../api";
import { messageOf, reason } from "../problems";
import { Refusal } from "../problems/refusal";
import { isUnknown, shareText, type Scope, type Share } from "../reconcile/shares";
import { warnOf } from "../support/reporter";
import { checked } from "./checked";
import type { Host, Operate } from "./host";
import { unknownValue, withoutProvider, type Lifecycle, type Props } from "./lifecycle";
import { canonicalShare, scopeOf, wholeDomain } from "./share-inputs";

export const domainShareProvider = (operate: Operate): Lifecycle => ({
  check: (olds, given) =>
    checked(operate, olds, given, async (host, { resource }, news) => {
      const { inputs, problems } = canonicalShare(news);
      if (problems.length > 0) throw new Refusal(problems);
      await checkLive(host, inputs, olds, resource);
      return inputs;
    }),
  diff: async (_id, olds, news) => {
    const replaces = ["domain", "email"].filter((key) => olds[key] !== news[key]);
    // A refresh may have kept a change with an unknown outcome.
    return olds["unconfirmedFrom"] === undefined ? { replaces } : { replaces, changes: true as const };
  },
  create: (inputs) => operate((host) => create(host, inputs)),
  update: (id, olds, news) => operate((host) => update(host, id, olds, news)),
  read: (id, props) => operate((host) => read(host, id, props)),
  delete: (_id, props) => operate((host) => end(host, props)),
});

/** @throws Refusal if there is no such share */
async function checkLive(
  host: Host,
  inputs: Props,
  olds: Props,
  resource: string | undefined,
): Promise<void> {
  if (inputs["domain"] === unknownValue || inputs["email"] === unknownValue) return;
  const share = shareOf(inputs);
  const { report } = host;
  if (report === undefined) host.shares.declare(share, resource);
  if (isDeepStrictEqual(declaredOf(olds), declaredOf(inputs))) return;
  if (!host.settings.undocumentedOperations) {
    await requireShared(host, share);
    report?.share(share, "unknown");
  } else if (report !== undefined && !Object.values(inputs).includes(unknownValue))
    await planShare(host, share, inputs, olds);
}

async function requireShared({ shares }: Host, share: Share): Promise<void> {
  const { domain, email } = share;
  if (await shares.isSharedOut(domain)) return;
  // The listing lacks unshared domains and other accounts' domains. The service's refusal distinguishes them.
  await shares.requireDomain(domain);
  throw new Refusal([reason("share.none", { domain, email })]);
}

async function planShare(host: Host, share: Share, inputs: Props, olds: Props): Promise<void> {
  const isNew = olds["domain"] !== share.domain || olds["email"] !== share.email;
  const from = isNew ? fromOf(inputs) : scopeOf(olds["subDomain"]);
  const found = (await host.shares.find(share)) ?? (await host.shares.find({ ...share, scope: from }));
  host.report?.share(share, found && { mode: found.mode, scope: found.subDomain });
}

async function create(host: Host, inputs: Props) {
  const share = shareOf(inputs);
  const from = fromOf(inputs);
  if (!host.settings.undocumentedOperations) await requireShared(host, share);
  const id = `${share.domain}/${share.email}`;
  const scopes = [...new Set([from, share.scope])];
  return { id, outs: await write(host, id, inputs, scopes) };
}

async function update(host: Host, id: string, olds: Props, news: Props) {
  const share = shareOf(news);
  const before = shareOf(olds);
  const lost = olds["unconfirmedFrom"];
  const same = before.mode === share.mode && before.scope === share.scope;
  const outs = olds[madeOutput] === true ? { ...news, [madeOutput]: true } : { ...news };
  // In full mode, a refresh may have found another mode, so only a listing proves that nothing changes.
  if (same && lost === undefined && !host.settings.undocumentedOperations) return { outs };
  const from = lost === undefined ? [before.scope] : [before.scope, scopeOf(lost)];
  return { outs: await write(host, id, outs, from) };
}

async function write(
  { settings, shares }: Host,
  id: string,
  outs: Props,
  from: readonly Scope[],
): Promise<Props> {
  try {
    if (!settings.undocumentedOperations) await shares.modify(shareOf(outs), from);
    else if (await shares.create(shareOf(outs), from)) return { ...outs, [madeOutput]: true };
    return outs;
  } catch (error) {
    if (!isUnknown(error)) throw error;
    const share = shareOf(outs);
    const parts = { domain: share.domain, done: "changed", again: "run `pulumi up` again" };
    const text = messageOf(reason("write.uncertain", parts, [{ text: shareText(share) }], error.happened));
    const properties = { ...outs, unconfirmedFrom: from[0] ?? wholeDomain };
    throw Object.assign(new Error(text), { id, properties, reasons: [text] });
  }
}

async function read(host: Host, id: string, given: Props | undefined) {
  if (given === undefined) return {};
  const { settings, shares, reporter, report } = host;
  const props = { ...given };
  const share = shareOf(props);
  report?.heldShare(share);
  if (report?.comparesDrift === false) return { id, props };
  const inputs = inputsOf(props);
  if (settings.undocumentedOperations) {
    const found = await unlessGone(shares.find(share));
    if (found !== undefined) return { id, props, inputs: { ...inputs, mode: found.mode } };
  } else if (await shares.isSharedOut(share.domain)) return { id, props, inputs };
  warnOf(reporter, [reason("share.gone", { share: shareText(share) })]);
  return {};
}

async function end({ reconciler, settings, shares, reporter }: Host, props: Props): Promise<void> {
  const share = shareOf(props);
  const what = shareText(share);
  const isDestroy = await reconciler.isDestroy();
  const owner = isDestroy ? undefined : shares.declarerOf(share);
  if (owner !== undefined) return reporter.info(`${what}: taken over by ${owner}`);
  const full = settings.undocumentedOperations;
  const mayEnd = full && settings.removal === "delete";
  if (mayEnd && (!isDestroy || props[madeOutput] === true)) return unlessGone(shares.end(share));
  if (!(await (full ? unlessGone(shares.entry(share)) : shares.isSharedOut(share.domain)))) return;
  const why = full
    ? "Only `removal: delete` ends a share, and a destroy only one that the stack has created."
    : "The documented API cannot end a share.";
  warnOf(reporter, [reason("share.stays", { share: what }, undefined, why)]);
}

function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ServiceError && error.noSuch("domain")) return undefined;
    throw error;
  });
}

/** A destroy ends only shares that the stack created. */
const madeOutput = "__made";

function inputsOf({ unconfirmedFrom: _lost, [madeOutput]: _made, ...inputs }: Props): Props {
  return inputs;
}

function declaredOf(props: Props): Props {
  return withoutProvider(inputsOf(props));
}

function fromOf(inputs: Props): Scope {
  return scopeOf(inputs["from"] ?? inputs["subDomain"]);
}

function shareOf(props: Props): Share {
  return {
    domain: String(props["domain"]),
    email: String(props["email"]),
    mode: props["mode"] === "rw" ? "rw" : "r",
    scope: scopeOf(props["subDomain"]),
  };
}
