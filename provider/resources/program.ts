/**
 * What a program declares: a record that two resources declare is an error of both, and the provider of each resource gets to
 * know the records of the others.
 */
import * as pulumi from "../sdk";
import type { DeclaredRecord } from "../dns";
import { gather } from "../gather";
import { DeclaredOnce } from "../lifecycle/declared-once";
import type { Manifest, ManifestProblems } from "../lifecycle/manifest";
import type { Problem } from "../problems";
import { ofProgram } from "../running";
import { providerType } from "./front-end";
import { isUnitTest, problemsOfProgram } from "./problems";
import { providerSettings, stackSetting } from "./provider";

/** The resources of a program under one provider: two accounts may hold zones of one name. */
class Scope extends DeclaredOnce {
  /** Resource whose records are not known yet → its domains, if they are known. */
  readonly unknown = new Map<string, readonly string[] | undefined>();
}

/** Provider → its resources; undefined is the stack's own provider. */
const scopesOfProgram = ofProgram(() => new Map<object | undefined, Scope>());

function scopeOf(provider: object | undefined): Scope {
  return gather(scopesOfProgram(), provider, new Scope());
}

/** As {@link DeclaredOnce.errorsOf}, of the resources under one provider. The records of the resource are known from now on. */
export function errorsOf(
  resource: string,
  expansion: { readonly records: readonly DeclaredRecord[]; readonly problems: readonly Problem[] },
  provider: object | undefined,
): Problem[] {
  const scope = scopeOf(provider);
  scope.unknown.delete(resource);
  return scope.errorsOf(resource, expansion);
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

/** Notes a resource whose records depend on outputs. @param domains undefined if they do so as well */
export function declaredLater(
  resource: string,
  domains: readonly string[] | undefined,
  provider: object | undefined,
): void {
  scopeOf(provider).unknown.set(resource, domains);
}

/**
 * The provider of a resource, whether it comes from `provider`, `providers` or a parent. The SDK has it once the resource is
 * constructed.
 */
export class ProviderOf {
  readonly provider: Promise<pulumi.ProviderResource | undefined>;
  private resolve: (provider: pulumi.ProviderResource | undefined) => void = () => undefined;

  constructor() {
    this.provider = new Promise((resolve) => (this.resolve = resolve));
  }

  /** Called as soon as `super()` has returned. */
  constructed(resource: pulumi.Resource): void {
    this.resolve(providerOf(resource));
  }
}

/** The provider of this package's resources that a resource, or the children of a component, have. */
export function providerOf(resource: pulumi.Resource): pulumi.ProviderResource | undefined {
  return resource.getProvider(providerType());
}

/**
 * The manifest of a resource. Waits until the program has constructed all that it constructs at once.
 * @param domains those of its records
 */
export async function manifestOf(
  resource: string,
  provider: object | undefined,
  domains: readonly string[],
  messages: ManifestProblems = {},
): Promise<Manifest> {
  const errors = await problemsOfProgram();
  const updates = pulumi.runtime.isDryRun() ? undefined : true;
  if (errors !== undefined || isUnitTest()) return { resource, updates, problems: { ...messages, errors } };
  const unknown = unknownBeside(resource, provider, domains);
  const declared: Record<string, string> = {};
  for (const [domain, claims] of scopeOf(provider).domains) {
    const text = claims.textBeside(resource);
    if (text !== "") declared[domain] = text;
  }
  return { resource, updates, problems: messages, declared, ...(unknown.length > 0 ? { unknown } : {}) };
}

/** Other resources that may declare records in these domains which the provider does not know. */
function unknownBeside(
  resource: string,
  provider: object | undefined,
  domains: readonly string[],
): readonly string[] {
  const own = scopeOf(provider);
  const names = [...scopesOfProgram().values()].flatMap((scope) => [
    ...[...scope.unknown]
      .filter(([, where]) => (where ?? domains).some((domain) => domains.includes(domain)))
      .map(([other]) => other),
    // Another provider's records are known to that provider only.
    ...(scope === own ? [] : domains.flatMap((domain) => scope.domains.get(domain)?.resources ?? [])),
  ]);
  return [...new Set(names)].filter((other) => other !== resource).sort();
}

/** The setting `defaultLine` of a provider, or of the stack, as the program can see it. */
export function defaultLineOf(provider: object | undefined): string {
  if (provider !== undefined) {
    const line = providerSettings(provider)?.args["defaultLine"];
    return typeof line === "string" ? line : "默认";
  }
  return stackSetting("LEGACYDNS_DEFAULT_LINE", "defaultLine") ?? "默认";
}
