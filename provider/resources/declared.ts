/**
 * What a program declares, as it is declared: problems of plain specs are shown at once for every resource (the engine
 * would show those of the first only), and a record declared by two resources is named with both.
 */
import * as pulumi from "../sdk";
import { canonicalDomain, type DeclaredRecord } from "../dns";
import { gather } from "../gather";
import type { Problem } from "../problems";
import type { DomainClaims } from "../lifecycle/claims";
import { DeclaredOnce } from "../lifecycle/declared-once";
import type { News } from "../lifecycle/news";
import type * as Settings from "../settings";
import { providerType } from "./front-end";
import { providerSettings, stackSetting } from "./provider";
import { ofProgram } from "../running";

/** The settings, loaded where a program has several providers: with zod they take longer to load than all the rest. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load them with the program
const settings = (): typeof Settings => require("../settings") as typeof Settings;

/** What a program has declared under one provider: two accounts may hold zones of one name. */
class Scope extends DeclaredOnce {
  /** Resources whose records are known later, with their domains; undefined where these are known later as well. */
  readonly later = new Map<string, readonly string[] | undefined>();
  /** How many batches have been told of other domains. */
  told = 0;
}

/** By provider; undefined is the stack's own. */
const scopesOfProgram = ofProgram(() => new Map<object | undefined, Scope>());

/** As {@link DeclaredOnce.errorsOf}, of the resources under one provider. */
export function errorsOf(
  resource: string,
  expansion: { readonly records: readonly DeclaredRecord[]; readonly problems: readonly Problem[] },
  provider: object | undefined,
): Problem[] {
  return scopeOf(provider).errorsOf(resource, expansion);
}

/** As {@link DeclaredOnce.shareErrors}, of the resources under one provider. */
export function shareErrors(
  resource: string,
  share: Readonly<Record<string, unknown>>,
  provider: object | undefined,
  sensitive: boolean,
): Problem[] {
  return scopeOf(provider).shareErrors(resource, share, sensitive);
}

function scopeOf(provider: object | undefined): Scope {
  return gather(scopesOfProgram(), provider, new Scope());
}

/** Notes a resource whose records hang on outputs. @param domains its domains, where these are known already. */
export function declaredLater(
  resource: string,
  domains: readonly string[] | undefined,
  provider: object | undefined,
): void {
  scopeOf(provider).later.set(resource, domains);
}

/**
 * The provider that a resource has been given, by whatever way: `provider`, `providers`, or a parent's. It is known once
 * the SDK has constructed the resource.
 */
export class Given {
  readonly provider: Promise<pulumi.ProviderResource | undefined>;
  private tell: (provider: pulumi.ProviderResource | undefined) => void = () => undefined;

  constructor() {
    this.provider = new Promise((resolve) => (this.tell = resolve));
  }

  /** Called as soon as `super()` has returned. */
  constructed(resource: pulumi.Resource): void {
    this.tell(providerOf(resource));
  }
}

/** The provider of this package's resources that a resource, or the children of a component, have. */
export function providerOf(resource: pulumi.Resource): pulumi.ProviderResource | undefined {
  return resource.getProvider(providerType());
}

/** What the program's other resources declare. Waits until the program has constructed what it does at once. */
export async function besides(
  resource: string,
  domains: readonly string[],
  given: Given,
): Promise<Pick<News, "declared" | "elsewhere" | "mail" | "amongOthers">> {
  const provider = await given.provider;
  const isUnsure = await mayDeclareMore(resource, domains, provider);
  return {
    declared: await declaredBeside(resource, domains, provider),
    ...(await declaredElsewhere(resource, domains, provider)),
    amongOthers: isUnsure || undefined,
  };
}

/**
 * The same for a single record: of the program's others in its domain only the first are told, since one process hears them
 * all. @param domain as the program has it
 */
export async function besideRecord(
  resource: string,
  domain: unknown,
  given: Given,
): Promise<Pick<News, "declared" | "mail">> {
  const zone = typeof domain === "string" ? canonicalDomain(domain) : undefined;
  if (zone === undefined || "problem" in zone) return {};
  const [domains, provider] = [[zone.domain], await given.provider];
  const declared = await declaredBeside(resource, domains, provider, mostTold);
  return {
    declared,
    mail:
      declared === undefined
        ? undefined
        : inWords(mailBeside(resource, domains, await scopesOfAccount(provider))),
  };
}

/** More than the engine hands over before it asks about the next. */
const mostTold = 100;

/** Whether other resources of the program may hold records in these domains that are known later, or to another provider only. */
async function mayDeclareMore(
  resource: string,
  domains: readonly string[],
  provider: object | undefined,
): Promise<boolean> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  const own = scopeOf(provider);
  const ours = new Set(domains);
  return [...scopesOfProgram().values()].some(
    (scope) =>
      [...scope.later].some(
        ([other, where]) => other !== resource && (where ?? domains).some((domain) => ours.has(domain)),
      ) ||
      (scope !== own && domains.some((domain) => (scope.domains.get(domain)?.size ?? 0) > 0)),
  );
}

/**
 * What other resources of the program declare in these domains, as digests: a batch that gives up a record learns so
 * before the engine has registered the resource that takes it over. Waits until the program has constructed what it
 * constructs at once; undefined where there is nothing, so that nothing is sent.
 */
async function declaredBeside(
  resource: string,
  domains: readonly string[],
  provider: object | undefined,
  most = Infinity,
): Promise<string | undefined> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  const own = scopeOf(provider);
  if (domains.every((domain) => (own.domains.get(domain)?.placeOf(resource) ?? 0) >= most)) return undefined;
  const scopes = await scopesOfAccount(provider);
  const digests = scopes
    .flatMap((scope) => domains.map((domain) => scope.domains.get(domain)?.digestsBeside(resource) ?? ""))
    .filter((text) => text !== "");
  return digests.length === 0 ? undefined : digests.join(" ");
}

/**
 * What other resources declare in other domains: a batch may have given up one of these. One process hears all, so the first
 * few are told; a program that declares very much tells nobody, and a preview may then count as removed what moves. Where
 * others declare MX records is told of its own domains in any case.
 */
async function declaredElsewhere(
  resource: string,
  domains: readonly string[],
  provider: object | undefined,
): Promise<Pick<News, "elsewhere" | "mail">> {
  const own = scopeOf(provider);
  const scopes = await scopesOfAccount(provider);
  const mail = mailBeside(resource, domains, scopes);
  const ofOwn = { mail: inWords(mail) };
  if (own.told >= 4) return ofOwn;
  own.told += 1;
  const others = scopes.flatMap((scope) =>
    [...scope.domains].filter(([domain]) => !domains.includes(domain)),
  );
  if (others.length === 0 || others.reduce((sum, [, claims]) => sum + claims.size, 0) > 5000) return ofOwn;
  return {
    elsewhere: others.map(([, claims]) => claims.digestsBeside()).join(" "),
    mail: inWords([...mail, ...mailWords(others)]),
  };
}

/** In which of these domains other resources declare MX records ({@link News.mail}). */
function mailBeside(resource: string, domains: readonly string[], scopes: readonly Scope[]): string[] {
  return scopes.flatMap(({ domains: claimed }) =>
    mailWords(
      domains.flatMap((domain) => {
        const claims = claimed.get(domain);
        return claims === undefined ? [] : [[domain, claims] as const];
      }),
      resource,
    ),
  );
}

function mailWords(claimed: readonly (readonly [string, DomainClaims])[], resource?: string): string[] {
  return claimed.flatMap(([domain, claims]) => {
    const where = claims.mailBeside(resource);
    return where === undefined ? [] : [where === "apex" ? `${domain}@` : domain];
  });
}

function inWords(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(" ");
}

/** What the program declares under a provider, and under the others of the same account: a record that moves to one of these is given up by nobody. */
async function scopesOfAccount(provider: object | undefined): Promise<Scope[]> {
  const own = scopeOf(provider);
  const others = [...scopesOfProgram()].filter(([, scope]) => scope !== own);
  const account = others.length === 0 ? undefined : await accountOf(provider);
  if (account === undefined) return [own];
  const accounts = await Promise.all(
    others.map(async ([other, scope]) => ({ scope, account: await accountOf(other) })),
  );
  return [own, ...accounts.filter((each) => each.account === account).map(({ scope }) => scope)];
}

/** The service and the token that a provider speaks with; undefined where a setting is wrong, or not known yet: nobody may wait for it. */
async function accountOf(provider: object | undefined): Promise<string | undefined> {
  const given = provider === undefined ? undefined : providerSettings(provider);
  if (provider !== undefined && given === undefined) return undefined;
  const known =
    given &&
    new Promise<Readonly<Record<string, unknown>>>(
      (resolve) => void pulumi.unsecret(given.inputs).apply(resolve),
    );
  const soon = new Promise<undefined>((resolve) =>
    setImmediate(() => setImmediate(() => resolve(undefined))),
  );
  const config = known === undefined ? pulumi.runtime.allConfig() : await Promise.race([known, soon]);
  if (config === undefined) return undefined;
  try {
    const { baseUrl, loginToken } = settings().parseSettings({
      config,
      env: process.env,
      explicit: given !== undefined,
    });
    return `${baseUrl} ${loginToken.reveal()}`;
  } catch {
    return undefined;
  }
}

/** The setting `defaultLine` of a provider, or of the stack, as the program can see it. */
export function defaultLineOf(provider: object | undefined): string {
  if (provider !== undefined) {
    const line = providerSettings(provider)?.args["defaultLine"];
    return typeof line === "string" ? line : "默认";
  }
  return stackSetting("LEGACYDNS_DEFAULT_LINE", "defaultLine") ?? "默认";
}

/** True where the program runs for an update, not for a preview. */
export function updates(): true | undefined {
  return !pulumi.runtime.isDryRun() || undefined;
}

/** True where an output is secret, else undefined, so that nothing is stored. */
export async function secretOrNothing(value: pulumi.Output<unknown>): Promise<true | undefined> {
  return (await pulumi.isSecret(value)) || undefined;
}
