/** The lifecycle of a `DomainShare`. */
import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../api";
import { reason, renderAll, textOf, type Reason } from "../problems";
import { isUnknown, scopeText, shareText, type Scope, type Share } from "../reconcile/shares";
import { errorText } from "../support/text";
import type { Host, Operate } from "./host";
import type { CheckFailure, Lifecycle, Props } from "./lifecycle";
import { readManifest } from "./manifest";
import { isPlan, planRequest, type PlanProblem } from "./plan-file";
import { acceptInPlan, inputErrors, writeHeldShare, writeShare } from "./plan-lines";
import { concernsDomains, messagesOf } from "./preview";
import { canonicalShare, doubt, untoldMode, wholeDomain } from "./share-inputs";
import { unknownValue } from "./unknown";

/** @param operation runs a function with the process's host */
export const domainShareProvider = (operation: Operate): Lifecycle => ({
  check: async (olds, news) => {
    try {
      return await operation((host) => check(host, olds, news));
    } catch (error) {
      if (isPlan() && concernsDomains(error))
        return operation((host) => {
          const errors = messagesOf(error).map((text) => ({ code: "zone.refused", text }));
          return Promise.resolve(acceptErrors(host, olds, news, errors));
        });
      return { inputs: { ...news }, failures: [failure(errorText(error))] };
    }
  },

  diff: (_id, olds, news) =>
    Promise.resolve({ replaces: ["domain", "email"].filter((key) => olds[key] !== news[key]) }),

  create: (inputs) =>
    operation(async ({ settings, shares }) => {
      const share = shareOf(inputs);
      const from = fromOf(inputs);
      const full = settings.undocumentedOperations;
      if (!full && !(await shares.isSharedOut(share.domain))) throw new Error(textOf(notShared(share)));
      const id = `${share.domain}/${share.email}`;
      try {
        const made = full && (await shares.create(share, [from], isPlaced(share, from)));
        if (!full) await shares.modify(share, [...new Set([from, share.scope])]);
        return { id, outs: { ...inputs, ...madeOut(made) } };
      } catch (error) {
        if (isUnknown(error)) throw unconfirmed(id, inputs, from, error);
        throw error;
      }
    }),

  update: (id, olds, news) =>
    operation(async ({ settings, shares }) => {
      const share = shareOf(news);
      const before = shareOf(olds);
      const lost = olds["unconfirmedFrom"];
      const same = olds["mode"] !== untoldMode && before.mode === share.mode && before.scope === share.scope;
      // After a lost answer, the share has its new or its old scope.
      const from: readonly Scope[] = lost === undefined ? [before.scope] : [before.scope, scopeOf(lost)];
      const full = settings.undocumentedOperations;
      // In full mode, a refresh may have found another mode, so only a listing proves that nothing changes.
      const outs = { ...news, ...madeOut(olds[madeOutput] === true) };
      if (same && lost === undefined && !full) return { outs };
      try {
        const made = full && (await shares.create(share, from, lost === undefined));
        if (!full) await shares.modify(share, from);
        return { outs: { ...outs, ...madeOut(made) } };
      } catch (error) {
        if (isUnknown(error)) throw unconfirmed(id, outs, before.scope, error);
        throw error;
      }
    }),

  read: (id, props) =>
    operation(async (host) => {
      const { settings, shares, reporter } = host;
      if (props === undefined) return {};
      const share = shareOf(props);
      if (isPlan()) {
        writeHeldShare(host, share);
        if (!planRequest().drift) return { id, props: { ...props } };
      }
      if (settings.undocumentedOperations) {
        const found = await unlessGone(shares.find(share));
        if (found !== undefined)
          return { id, props: { ...props }, inputs: { ...declaredOf(props), mode: found.mode } };
        reporter.warn(`${scopeText(share.domain, share.scope)} is not shared with ${share.email} any more`);
        return {};
      }
      if (await shares.isSharedOut(share.domain)) {
        // A refresh clears the failure. The mark makes a difference, so that the next up checks the outcome.
        const mode = props["unconfirmedFrom"] === undefined ? {} : { mode: `${share.mode}${doubt}` };
        return { id, props: { ...props }, inputs: { ...declaredOf(props), ...mode } };
      }
      reporter.warn(`${share.domain} is shared with nobody any more: its share with ${share.email} is gone`);
      return {};
    }),

  delete: (_id, props) =>
    operation(async ({ reconciler, settings, shares, reporter }) => {
      const share = shareOf(props);
      const what = shareText(share);
      const isDestroy = await reconciler.isDestroy();
      // In a destroy, no resource declares anything.
      const taker = isDestroy ? undefined : await shares.takerOf(share);
      if (taker !== undefined) return reporter.info(`${what}: taken over by ${taker}`);
      const full = settings.undocumentedOperations;
      const mayEnd = full && settings.removal === "delete";
      if (mayEnd && (!isDestroy || props[madeOutput] === true)) return unlessGone(shares.end(share));
      if (!(await (full ? unlessGone(shares.entry(share)) : shares.isSharedOut(share.domain)))) return;
      const why = !full
        ? "the documented interface cannot end one"
        : mayEnd
          ? "a destroy ends what the stack has made, and its state does not say so of this one"
          : `removal: "${settings.removal}" ends none`;
      reporter.warn(
        `${what} stays on the service: ${why}. End it in the service's console${full ? " if it is to go" : ""}`,
      );
    }),
});

/** Undefined if the account has lost the domain, and its shares with it. */
function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ServiceError && error.noSuch("domain")) return undefined;
    throw error;
  });
}

/** True in the outputs of a share that the stack created. A destroy ends only such shares. */
const madeOutput = "__made";

function madeOut(made: boolean): Props {
  return made ? { [madeOutput]: true } : {};
}

/** The declared inputs in a resource's state. */
function declaredOf({ unconfirmedFrom: _lost, [madeOutput]: _made, ...inputs }: Props): Props {
  return inputs;
}

/** Whether the inputs come from an import without a mode. They are never sent. */
function hasUnknownMode({ __provider: _old, ...olds }: Props, { __provider: _new, ...news }: Props): boolean {
  return news["mode"] === untoldMode && isDeepStrictEqual(olds, news);
}

async function check(host: Host, olds: Props, given: Props): ReturnType<Lifecycle["check"]> {
  const { settings, shares, reporter } = host;
  const { manifest, inputs: news } = readManifest(given);
  const refused = manifest.problems?.errors;
  if (refused !== undefined) return { inputs: { ...news }, failures: [failure(refused)] };
  if (hasUnknownMode(olds, news)) {
    reporter.warn(
      `the mode of the share of ${String(news["domain"])} with ${String(news["email"])} is not known: declare "r" or "rw", and the next up sends it`,
    );
    return { inputs: { ...news } };
  }
  const { inputs, problems } = canonicalShare(news);
  if (problems.length > 0)
    return isPlan()
      ? acceptErrors(host, olds, given, inputErrors(problems))
      : { inputs: { ...news }, failures: renderAll(problems).map(failure) };
  const { __provider: _old, ...before } = declaredOf(olds);
  const { __provider: _new, ...now } = inputs;
  const known =
    typeof inputs["domain"] === "string" &&
    inputs["domain"] !== unknownValue &&
    inputs["email"] !== unknownValue;
  if (!known) return { inputs: { ...inputs } };
  const share = shareOf(inputs);
  if (!isPlan()) shares.declare(share, manifest.resource);
  const hasChanged = !isDeepStrictEqual(before, now);
  if (settings.undocumentedOperations) {
    if (isPlan() && hasChanged && !Object.values(inputs).includes(unknownValue))
      await planShare(host, share, inputs, olds);
  } else if (hasChanged) {
    if (!(await shares.isSharedOut(share.domain))) {
      // The listing lacks unshared domains and other accounts' domains. The service's refusal distinguishes
      // them.
      await shares.requireDomain(share);
      const why = notShared(share);
      if (isPlan()) return acceptErrors(host, olds, given, [{ code: why.code, text: textOf(why) }]);
      return { inputs: { ...news }, failures: [failure(textOf(why))] };
    }
    // The documented operations do not show the mode of a share.
    if (isPlan()) writeShare(host, share, "unknown");
  }
  return { inputs: { ...inputs } };
}

/**
 * Whether a new share's scope is certain without labels in the listing: `from` names it, or it is the whole
 * domain.
 */
function isPlaced({ scope }: Share, from: Scope): boolean {
  return from !== scope || scope === undefined;
}

/** Plans a share: created, updated or unchanged. */
async function planShare(host: Host, share: Share, inputs: Props, olds: Props): Promise<void> {
  const isNew = olds["domain"] !== share.domain || olds["email"] !== share.email;
  const from = isNew ? fromOf(inputs) : scopeOf(olds["subDomain"]);
  const { mode, at } = await host.shares.whereIs(share, [from], !isNew || isPlaced(share, from));
  writeShare(host, share, mode && { mode, scope: at[0] });
}

function fromOf(inputs: Props): Scope {
  return scopeOf(inputs["from"] ?? inputs["subDomain"]);
}

function shareOf(props: Props): Share {
  return {
    domain: String(props["domain"]),
    email: String(props["email"]),
    mode: String(props["mode"]).startsWith("rw") ? "rw" : "r",
    scope: scopeOf(props["subDomain"]),
  };
}

function scopeOf(value: unknown): Scope {
  return typeof value === "string" && value !== wholeDomain && value !== "" ? value : undefined;
}

/** In a plan, an error of one resource must not stop the others. */
function acceptErrors(
  host: Host,
  olds: Props,
  given: Props,
  errors: readonly PlanProblem[],
): { inputs: Props } {
  const { manifest, inputs } = readManifest(given);
  return { inputs: { ...acceptInPlan(host, manifest, errors, olds, canonicalShare(inputs).inputs) } };
}

function notShared({ domain, email }: Share): Reason {
  return reason("share.none", { domain, email });
}

function unconfirmed(id: string, inputs: Props, from: Scope, error: unknown): Error {
  const cause = errorText(error);
  const reason = `${cause} It is not known whether the share was changed; the next \`pulumi up\` finds out before it changes anything`;
  const properties = { ...inputs, unconfirmedFrom: from ?? wholeDomain };
  return Object.assign(new Error(reason), { id, properties, reasons: [reason] });
}

function failure(reason: string): CheckFailure {
  return { property: "", reason };
}
