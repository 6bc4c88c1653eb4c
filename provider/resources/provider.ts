/** `Provider`: another account, or other settings, for the resources that name it. */
import * as pulumi from "../sdk";
import { explicitKey } from "../lifecycle/host-config";
import type { ProviderInputs } from "../settings";
import { isNative } from "./front-end";

type Inputs = { readonly [N in keyof ProviderInputs]: pulumi.Input<NonNullable<ProviderInputs[N]>> };

/** Settings of an explicit provider. An omitted setting has its default. The environment is not read. */
export interface ProviderArgs extends Omit<Inputs, "baseUrl">, Required<Pick<Inputs, "baseUrl">> {}

/**
 * Another account.
 *
 * @example
 * const other = new Provider("other", { baseUrl: "https://dns.example.net", loginTokenEnv: "OTHER_LOGIN_TOKEN" });
 * new Record("www", { domain: "example.net", name: "www", type: "A", value: "192.0.2.1" }, { provider: other });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const native = isNative();
    const inputs: Record<string, pulumi.Input<string | undefined>> = {};
    // A program in plain JavaScript may leave the arguments out: what is missing is told with the settings' own words.
    const given: [string, unknown][] = Object.entries((args as ProviderArgs | null | undefined) ?? {});
    for (const [key, value] of given) {
      if (value === undefined) continue;
      // An output without a value, such as a configuration key that is not set, counts as left out.
      const text = pulumi
        .output(value)
        .apply((known: unknown) => (known === undefined || known === null ? undefined : textOf(known)));
      inputs[native ? key : `legacydns:${key}`] = key === "loginToken" ? pulumi.secret(text) : text;
    }
    const more = native ? {} : { [explicitKey]: "true" };
    super(native ? "legacydns" : "pulumi-nodejs", name, { ...inputs, ...more }, opts);
    declared.set(this, { name, inputs: pulumi.output(inputs), args: Object.fromEntries(given) });
  }
}

/** A setting as text, as the stack's configuration has it: a list with commas, an object as JSON. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : String(value);
}

/** What an explicit provider was declared with. */
export interface ProviderSettings {
  readonly name: string;
  /** `legacydns:NAME` to text; secret where the token is among them. */
  readonly inputs: pulumi.Output<Readonly<Record<string, string | undefined>>>;
  /** What the program wrote; each may be an output. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Kept for as long as the provider is. Not a property of the class: the engine's answer would show under it, and a printed provider would show the token. */
const declared = new WeakMap<object, ProviderSettings>();

/** The settings of a provider, for look-ups in the same program; undefined where it was not made by this package. */
export function providerSettings(provider: object): ProviderSettings | undefined {
  return declared.get(provider);
}

/** A setting of the stack as the program can see it: of the environment, where a blank variable counts as none, else of the configuration. */
export function stackSetting(variable: string, name: string): string | undefined {
  const set = (process.env[variable] ?? "").trim();
  return set === "" ? new pulumi.Config("legacydns").get(name) : set;
}
