/**
 * The program's declarations and problems. The engine shows the first refused resource only, so every
 * resource is refused with all problems.
 */
import * as pulumi from "../support/sdk";
import { append, gather } from "../support/collections";
import type { Manifest, ManifestProblems } from "../lifecycle/manifest";
import { renderAll, type Problem } from "../problems";
import { isUnitTest, ofProgram } from "../support/running";
import { DeclaredOnce } from "./claims";
import { providerType, stackSetting } from "./front-end";
import { providerSettings } from "./provider";

const scopesOfProgram = ofProgram(() => new Map<object | undefined, DeclaredOnce>());

export function scopeOf(provider: object | undefined): DeclaredOnce {
  return gather(scopesOfProgram(), provider, new DeclaredOnce());
}

/** Has its resource after the call of `super()`. */
export interface Constructed {
  resource?: pulumi.Resource;
}

/** The SDK knows the provider after the construction. */
export async function providerOf(own: Constructed): Promise<pulumi.ProviderResource | undefined> {
  await Promise.resolve();
  return own.resource?.getProvider(providerType());
}

/** @throws RunError in a unit test, because no provider refuses the resource there */
export async function manifestOf(
  resource: string,
  provider: object | undefined,
  domains: readonly string[],
  name?: string,
  messages: ManifestProblems = {},
): Promise<Manifest> {
  const errors = await problemsOfProgram();
  const own = problemsSoFar().get(resource) ?? [];
  if (isUnitTest() && own.length > 0) {
    problemsSoFar().delete(resource);
    const texts = named(resource, own);
    for (const text of texts) void pulumi.log.error(text);
    throw new pulumi.RunError(texts.join("\n"));
  }
  const updates = pulumi.runtime.isDryRun() ? undefined : true;
  if (errors !== undefined || isUnitTest()) return { resource, updates, problems: { ...messages, errors } };
  const unknown = unknownElsewhere(resource, provider, domains);
  const declared: Record<string, string> = {};
  const constructed: string[] = [];
  for (const [domain, claims] of scopeOf(provider).domains) {
    constructed.push(claims.textOfOwn(resource));
    if (name !== undefined && !domains.includes(domain)) continue;
    const text = claims.textOfOthers(resource, name);
    if (text !== "") declared[domain] = text;
  }
  return {
    resource,
    updates,
    problems: messages,
    constructed: constructed.filter((text) => text !== "").join(" "),
    declared,
    ...(unknown.length > 0 ? { unknown } : {}),
  };
}

function unknownElsewhere(
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

export function defaultLineOf(provider: object | undefined): string {
  const line =
    provider === undefined ? stackSetting("defaultLine") : providerSettings(provider)?.args["defaultLine"];
  return typeof line === "string" ? line : "默认";
}

const problemsSoFar = ofProgram(() => new Map<string, string[]>());

export function note(resource: string, problems: readonly Problem[]): void {
  append(gather(problemsSoFar(), resource, []), renderAll(problems));
}

async function problemsOfProgram(): Promise<readonly string[] | undefined> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  const wrong = [...problemsSoFar()].flatMap(([resource, texts]) => named(resource, texts));
  return wrong.length === 0 ? undefined : wrong;
}

function named(resource: string, texts: readonly string[]): string[] {
  return texts.map((text) => `${resource}: ${text}`);
}
