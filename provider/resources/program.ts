/**
 * The declarations of a program. If two resources declare one record, it is an error of both. The provider of
 * each resource gets the digests of the others' records.
 */
import * as pulumi from "../support/sdk";
import type { DeclaredRecord } from "../dns";
import { gather } from "../support/collections";
import { DeclaredOnce } from "../lifecycle/declared-once";
import type { Manifest, ManifestProblems } from "../lifecycle/manifest";
import type { Problem } from "../problems";
import { ofProgram } from "../support/running";
import { providerType } from "./front-end";
import { isUnitTest, problemsOfProgram } from "./problems";
import { providerSettings, stackSetting } from "./provider";

/** A program's resources with one provider, because two accounts may have zones with the same name. */
class Scope extends DeclaredOnce {
  /** Resource with unknown records → its domains, if they are known. */
  readonly unknown = new Map<string, readonly string[] | undefined>();
}

/** Provider → its resources. The default provider is undefined. */
const scopesOfProgram = ofProgram(() => new Map<object | undefined, Scope>());

function scopeOf(provider: object | undefined): Scope {
  return gather(scopesOfProgram(), provider, new Scope());
}

/**
 * {@link DeclaredOnce.errorsOf} for the resources of one provider. The resource's records are known from now
 * on.
 */
export function errorsOf(
  resource: string,
  expansion: { readonly records: readonly DeclaredRecord[]; readonly problems: readonly Problem[] },
  provider: object | undefined,
): Problem[] {
  const scope = scopeOf(provider);
  scope.unknown.delete(resource);
  return scope.errorsOf(resource, expansion);
}

/** {@link DeclaredOnce.shareErrors} for the resources of one provider. */
export function shareErrors(
  resource: string,
  share: Readonly<Record<string, unknown>>,
  provider: object | undefined,
  sensitive: boolean,
): Problem[] {
  return scopeOf(provider).shareErrors(resource, share, sensitive);
}

/**
 * Notes a resource whose records depend on outputs.
 * @param domains undefined if they depend on outputs, too
 */
export function declaredLater(
  resource: string,
  domains: readonly string[] | undefined,
  provider: object | undefined,
): void {
  scopeOf(provider).unknown.set(resource, domains);
}

/**
 * The provider of a resource: from `provider`, `providers` or a parent. The SDK knows it after the
 * construction.
 */
export class ProviderOf {
  readonly provider: Promise<pulumi.ProviderResource | undefined>;
  private resolve: (provider: pulumi.ProviderResource | undefined) => void = () => undefined;

  constructor() {
    this.provider = new Promise((resolve) => (this.resolve = resolve));
  }

  /** To be called after `super()`. */
  constructed(resource: pulumi.Resource): void {
    this.resolve(providerOf(resource));
  }
}

/** The provider of a resource, or of a component's children. */
export function providerOf(resource: pulumi.Resource): pulumi.ProviderResource | undefined {
  return resource.getProvider(providerType());
}

/** The part of a resource that its manifest depends on. */
interface Declarer {
  readonly resource: string;
  readonly provider: object | undefined;
  /** The domains of its records. */
  readonly domains: readonly string[];
  /** The name of its only record. */
  readonly name?: string | undefined;
}

/** The manifest of a resource. It waits for the synchronous part of the program. */
export async function manifestOf(
  { resource, provider, domains, name }: Declarer,
  messages: ManifestProblems = {},
): Promise<Manifest> {
  const errors = await problemsOfProgram();
  const updates = pulumi.runtime.isDryRun() ? undefined : true;
  if (errors !== undefined || isUnitTest()) return { resource, updates, problems: { ...messages, errors } };
  const unknown = unknownBeside(resource, provider, domains);
  const declared: Record<string, string> = {};
  for (const [domain, claims] of scopeOf(provider).domains) {
    if (name !== undefined && !domains.includes(domain)) continue;
    const text = claims.textBeside(resource, name);
    if (text !== "") declared[domain] = text;
  }
  return { resource, updates, problems: messages, declared, ...(unknown.length > 0 ? { unknown } : {}) };
}

/** Other resources with possibly unknown records in these domains. */
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
    // The records of another provider's resources are known to that provider only.
    ...(scope === own ? [] : domains.flatMap((domain) => scope.domains.get(domain)?.resources ?? [])),
  ]);
  return [...new Set(names)].filter((other) => other !== resource).sort();
}

/** The setting `defaultLine` of a provider or of the stack, in the program's process. */
export function defaultLineOf(provider: object | undefined): string {
  if (provider !== undefined) {
    const line = providerSettings(provider)?.args["defaultLine"];
    return typeof line === "string" ? line : "默认";
  }
  return stackSetting("LEGACYDNS_DEFAULT_LINE", "defaultLine") ?? "默认";
}
