import * as pulumi from "../support/sdk";
import { explicitKey } from "../lifecycle/manifest";
import type { ProviderInputs } from "../settings";
import { isNative } from "./front-end";

type Inputs = { readonly [N in keyof ProviderInputs]: pulumi.Input<NonNullable<ProviderInputs[N]>> };

/** Settings of an explicit provider. An omitted setting has its default. The environment is not read. */
export interface ProviderArgs extends Omit<Inputs, "baseUrl">, Required<Pick<Inputs, "baseUrl">> {}

/**
 * Another account.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const native = isNative();
    const inputs: Record<string, pulumi.Input<string | undefined>> = {};
    // The settings report missing ones.
    const given: [string, unknown][] = Object.entries((args as ProviderArgs | null | undefined) ?? {});
    for (const [key, value] of given) {
      if (value === undefined) continue;
      const text = pulumi.output(value).apply(textOf);
      inputs[native ? key : `legacydns:${key}`] = key === "loginToken" ? pulumi.secret(text) : text;
    }
    const more = native ? {} : { [explicitKey]: "true" };
    super(native ? "legacydns" : "pulumi-nodejs", name, { ...inputs, ...more }, opts);
    declared.set(this, { name, inputs: pulumi.output(inputs), args: Object.fromEntries(given) });
  }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}

export interface ProviderSettings {
  readonly name: string;
  readonly inputs: pulumi.Output<Readonly<Record<string, string | undefined>>>;
  readonly args: Readonly<Record<string, unknown>>;
}

/** No property of the class: a printed provider would show the token. */
const declared = new WeakMap<object, ProviderSettings>();

export function providerSettings(provider: object): ProviderSettings | undefined {
  return declared.get(provider);
}
