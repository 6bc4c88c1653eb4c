import { ServiceError } from "../api";
import { reason } from "../problems";
import { Refusal } from "../problems/refusal";
import { isUnknown, shareText, type Scope, type Share } from "../reconcile/shares";
import { warnOf } from "../support/reporter";
import { checked } from "./checked";
import { halfDone } from "./failures";
import type { Host, Operate } from "./host";
import type { Lifecycle, Props } from "./lifecycle";
import { canonicalShare } from "./share-inputs";
import { isSame, readShare, shareInputs, shareProps, type ShareInputs, type ShareState } from "./state";

export const domainShareProvider = (operate: Operate): Lifecycle => ({
  check: (olds, given) =>
    checked(operate, olds, given, async (host, { resource }, news) => {
      const { inputs, problems } = canonicalShare(news);
      if (problems.length > 0) throw new Refusal(problems);
      await checkLive(host, shareInputs(inputs), readShare(olds).inputs, resource);
      return inputs;
    }),
  diff: async (_id, olds, news) => {
    const { inputs, unconfirmed } = readShare(olds);
    const { share } = shareInputs(news);
    const replaces = (["domain", "email"] as const).filter((key) => inputs.share[key] !== share[key]);
    // A refresh may have kept a change with an unknown outcome.
    return unconfirmed === undefined ? { replaces } : { replaces, changes: true as const };
  },
  create: (inputs) => operate((host) => create(host, shareInputs(inputs))),
  update: (id, olds, news) => operate((host) => update(host, id, readShare(olds), shareInputs(news))),
  read: (id, props) => operate((host) => read(host, id, props)),
  delete: (_id, props) => operate((host) => end(host, readShare(props))),
});

/** @throws Refusal if there is no such share */
async function checkLive(
  host: Host,
  inputs: ShareInputs,
  olds: ShareInputs,
  resource: string | undefined,
): Promise<void> {
  const { share, isNamed, isKnown } = inputs;
  const { report } = host;
  if (!isNamed) return;
  if (report === undefined) host.shares.declare(share, resource);
  if (isSame(olds, inputs)) return;
  if (!host.settings.undocumentedOperations) {
    await requireShared(host, share);
    report?.share(share, "unknown");
  } else if (report !== undefined && isKnown) await planShare(host, inputs, olds.share);
}

async function requireShared({ shares }: Host, share: Share): Promise<void> {
  const { domain, email } = share;
  if (await shares.isSharedOut(domain)) return;
  // The listing lacks unshared domains and other accounts' domains. The service's refusal distinguishes them.
  await shares.requireDomain(domain);
  throw new Refusal([reason("share.none", { domain, email })]);
}

async function planShare({ shares, report }: Host, { share, from }: ShareInputs, olds: Share): Promise<void> {
  const isNew = olds.domain !== share.domain || olds.email !== share.email;
  const scope = isNew ? from : olds.scope;
  const found = (await shares.find(share)) ?? (await shares.find({ ...share, scope }));
  report?.share(share, found && { mode: found.mode, scope: found.subDomain });
}

async function create(host: Host, inputs: ShareInputs) {
  const { share, from } = inputs;
  if (!host.settings.undocumentedOperations) await requireShared(host, share);
  const id = `${share.domain}/${share.email}`;
  return { id, outs: await write(host, id, { inputs, isMade: false }, [...new Set([from, share.scope])]) };
}

async function update(
  host: Host,
  id: string,
  { inputs: olds, unconfirmed, isMade }: ShareState,
  inputs: ShareInputs,
) {
  const [before, { share }] = [olds.share, inputs];
  const same = before.mode === share.mode && before.scope === share.scope;
  const state = { inputs, isMade };
  // In full mode, a refresh may have found another mode, so only a listing proves that nothing changes.
  if (same && unconfirmed === undefined && !host.settings.undocumentedOperations)
    return { outs: shareProps(state) };
  const from = unconfirmed === undefined ? [before.scope] : [before.scope, unconfirmed.from];
  return { outs: await write(host, id, state, from) };
}

async function write(
  { settings, shares }: Host,
  id: string,
  state: ShareState,
  scopes: readonly Scope[],
): Promise<Props> {
  const { share } = state.inputs;
  try {
    if (!settings.undocumentedOperations) await shares.modify(share, scopes);
    else if (await shares.create(share, scopes)) return shareProps({ ...state, isMade: true });
    return shareProps(state);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    const parts = { domain: share.domain, done: "changed", again: "run `pulumi up` again" };
    const why = reason("write.uncertain", parts, [{ text: shareText(share) }], error.happened);
    const [from] = scopes;
    throw halfDone(id, shareProps({ ...state, unconfirmed: { from } }), [why]);
  }
}

async function read(host: Host, id: string, given: Props | undefined) {
  if (given === undefined) return {};
  const { settings, shares, reporter, report } = host;
  const { share, props: inputs } = readShare(given).inputs;
  const props = { ...given };
  report?.heldShare(share);
  if (report?.comparesDrift === false) return { id, props };
  if (settings.undocumentedOperations) {
    const found = await unlessGone(shares.find(share));
    if (found !== undefined) return { id, props, inputs: { ...inputs, mode: found.mode } };
  } else if (await shares.isSharedOut(share.domain)) return { id, props, inputs };
  warnOf(reporter, [reason("share.gone", { share: shareText(share) })]);
  return {};
}

async function end(
  { reconciler, settings, shares, reporter }: Host,
  { inputs: { share }, isMade }: ShareState,
): Promise<void> {
  const what = shareText(share);
  const isDestroy = await reconciler.isDestroy();
  const owner = isDestroy ? undefined : shares.declarerOf(share);
  if (owner !== undefined) return reporter.info(`${what}: taken over by ${owner}`);
  const full = settings.undocumentedOperations;
  const mayEnd = full && settings.removal === "delete";
  if (mayEnd && (!isDestroy || isMade)) return unlessGone(shares.end(share));
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
