/** `Provider`: another account, or other settings, for the resources that name it. */
import * as pulumi from "../sdk";
import type { CheckLevelsInput } from "../dns/checks";
import { explicitKey } from "../lifecycle/host-config";
import type { Settings } from "../settings";
import { isNative } from "./front-end";
import { letPass } from "./problems";

/** Settings of an explicit provider; what is omitted has its default. Nothing is taken from the environment. */
export interface ProviderArgs {
  /** The address of the interface: `https://…`; `http` on loopback only. */
  readonly baseUrl: pulumi.Input<string>;
  /** The service's own token of the main account. Always stored as a secret. */
  readonly loginToken?: pulumi.Input<string>;
  /** Name of the environment variable that holds the token; then the state holds none at all. It begins with `LEGACYDNS_` or ends in `_LOGIN_TOKEN`. */
  readonly loginTokenEnv?: pulumi.Input<string>;
  /** A contact e-mail for the User-Agent. */
  readonly contact?: pulumi.Input<string>;
  /** The default line's name, for a zone whose listing shows none. */
  readonly defaultLine?: pulumi.Input<string>;
  /** The TTL, in seconds, of records that declare none. */
  readonly defaultTtl?: pulumi.Input<number>;
  /** The pace of requests. */
  readonly requestsPerSecond?: pulumi.Input<number>;
  /** Seconds that one request may take, from the connection to the last byte. */
  readonly requestTimeout?: pulumi.Input<number>;
  /** Seconds for which one batch job is waited for. */
  readonly jobTimeout?: pulumi.Input<number>;
  /** Where jobs are cut. */
  readonly maxRecordsPerJob?: pulumi.Input<number>;
  /** Seconds for which a new record may be missing from a listing. */
  readonly indexDelay?: pulumi.Input<number>;
  /** What happens to records that are no longer declared. */
  readonly removal?: pulumi.Input<Settings["removal"]>;
  /** Whether a declared record that is there already is taken over. */
  readonly adopt?: pulumi.Input<boolean>;
  /** What happens in a preview to records beyond the package's limits. */
  readonly limits?: pulumi.Input<Settings["limits"]>;
  /** `note`, `warn`, `refuse` or `off` for the zone checks, or for each by its code; `*` stands for the others. */
  readonly checks?: pulumi.Input<CheckLevelsInput>;
  /** Allows operations that the documented interface does not contain: records are changed and removed, shares made and ended. */
  readonly undocumentedOperations?: pulumi.Input<boolean>;
  /** Per cent of a zone's records that one run may change or remove. */
  readonly maxChangeShare?: pulumi.Input<number>;
  /** Domains whose changes go through though a safety gate would refuse them. */
  readonly confirmedDomains?: pulumi.Input<string | readonly string[]>;
  /** The folder of the journal, of kept limits and of the marker of a failed login. Default: the user's state folder. */
  readonly stateDir?: pulumi.Input<string>;
}

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
    // The plugin refuses a provider before any resource, and the engine then ends the run: the resources' problems come first.
    // An input without a value is not sent.
    const after = native ? { __after: letPass() } : { [explicitKey]: "true" };
    super(native ? "legacydns" : "pulumi-nodejs", name, { ...inputs, ...after }, opts);
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
