/** Settings: one declaration each. */
import { readCheckLevels, type CheckLevels, type CheckLevelsInput } from "./dns/checks";
import { canonicalDomain } from "./dns/names";
import { textOf, type Reason } from "./problems";
import { Secret } from "./support/secret";
import { Reading, type SettingsSource } from "./support/settings-reading";

export { environmentName, isLoopback, SettingsError, type SettingsSource } from "./support/settings-reading";
export { Secret } from "./support/secret";
export { defaultStateDir, noStateDir } from "./support/state-dir";

export type Removal = "verify" | "retain" | "delete";

export interface Setting<Value, Input = Value> {
  readonly type: "string" | "integer" | "number" | "boolean";
  /** For messages, the schema and docs/settings.md: `true or false`. */
  readonly rule: string;
  readonly fallback: string;
  readonly fallbackInFullMode?: string;
  /** `problem` is set if the rule does not explain the fault. */
  readonly read: (text: string) => { readonly value: Value } | { readonly problem: string | undefined };
  /** It is no input of a Provider. */
  readonly ofProgram?: true;
  readonly input?: Input;
}

const unfit = { problem: undefined };

function number(
  type: "integer" | "number",
  [min, max]: readonly [number, number],
  fallback: string,
  unit = "",
): Setting<number> {
  const form = type === "integer" ? /^\d{1,15}$/ : /^\d+(\.\d+)?$/;
  return {
    type,
    rule: `a ${type === "integer" ? "whole number" : "number"}${unit} from ${min} to ${max}`,
    fallback,
    read: (text) => (form.test(text) && +text >= min && +text <= max ? { value: +text } : unfit),
  };
}

function flag(fallback: "true" | "false"): Setting<boolean> {
  return {
    type: "boolean",
    rule: "true or false",
    fallback,
    read: (text) => (["true", "false"].includes(text) ? { value: text === "true" } : unfit),
  };
}

function text<Value, Input = Value>(
  rule: string,
  fallback: string,
  read: Setting<Value>["read"],
): Setting<Value, Input> {
  return { type: "string", rule, fallback, read };
}

function word<W extends string>(fallback: W, ...others: readonly W[]): Setting<W> {
  const words = [fallback, ...others];
  const rule = `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`;
  return text(rule, fallback, (given) => {
    const value = words.find((each) => each === given);
    return value === undefined ? unfit : { value };
  });
}

/** Other settings decide about it, so `Reading` parses it. */
function own(rule: string): Setting<string> {
  return text(rule, "", (value) => ({ value }));
}

const contact = text<string | undefined, string>(
  "an e-mail address, of at most 200 ASCII characters and without brackets",
  "",
  (value) =>
    value === ""
      ? { value: undefined }
      : /^[\x20-\x7e]{3,200}$/.test(value) && !/[()\\]/.test(value) && /[^\s@]@[^\s@]/.test(value)
        ? { value }
        : unfit,
);

const defaultLine = text<string>("a line's name of 1 to 64 characters, without [ and ]", "默认", (value) =>
  /^[^\p{Cc}[\]]{1,64}$/u.test(value) ? { value } : unfit,
);

const checks = text<CheckLevels, CheckLevelsInput>(
  "note, warn, refuse or off, or levels by check such as warn,mx-cname=refuse",
  "warn",
  (given) => {
    const read = readCheckLevels(given);
    return "levels" in read ? { value: read.levels } : { problem: textOf(read.problem) };
  },
);

const confirmedDomains = text<readonly string[], string | readonly string[]>(
  "a list of domains with commas between them, such as example.com,example.net",
  "",
  (list) => {
    const given = list.split(/[\s,]+/).filter((each) => each !== "");
    const value = given.map(canonicalDomain).flatMap((name) => ("domain" in name ? [name.domain] : []));
    return value.length === given.length ? { value } : unfit;
  },
);

/** The comments are the descriptions in the editor, the schema and docs/settings.md. */
const declarations = {
  /** The address of the interface. The name of each operation is appended to it. */
  baseUrl: own("an https:// address; http:// is for loopback addresses only"),
  /** The service's own token of the main account. Always stored as a secret. */
  loginToken: own("1 to 512 visible ASCII characters"),
  /** Name of the environment variable that holds the token. The state then contains no token. */
  loginTokenEnv: own("the name of a variable that begins with LEGACYDNS_ or ends in _LOGIN_TOKEN"),
  /** A contact for the User-Agent. The service bans clients without one. */
  contact,
  /** The default line's name, for a zone whose listing shows none. `默认`, `Default`, `default` and the line with number 0 are always recognised. */
  defaultLine,
  /** The TTL, in seconds, of records that declare none. */
  defaultTtl: number("integer", [1, 2_147_483_647], "600", " of seconds"),
  /** The pace of requests. */
  requestsPerSecond: number("number", [0.1, 1000], "10"),
  /** Seconds that one request may take, from the connection to the last byte. */
  requestTimeout: number("number", [0.1, 600], "30", " of seconds"),
  /** Seconds that the provider waits for one batch job. */
  jobTimeout: number("number", [1, 86_400], "120", " of seconds"),
  /** The largest number of records in one batch job. */
  maxRecordsPerJob: number("integer", [1, 100_000], "1000"),
  /** The longest delay, in seconds, until a listing shows a new record. */
  indexDelay: number("number", [0, 3600], "30", " of seconds"),
  /** The fate of records that are no longer declared. `delete` needs `undocumentedOperations`, and is the default with it. */
  removal: { ...word<Removal>("verify", "retain", "delete"), fallbackInFullMode: "delete" },
  /** Whether a declared record that is live already is adopted. `false` makes it an error. */
  adopt: flag("true"),
  /** The preview's reaction to records beyond the package's limits. */
  limits: word<"refuse" | "warn" | "off">("refuse", "warn", "off"),
  /** The level of the zone checks in a preview, for all checks or by code. `*` stands for the other codes. */
  checks,
  /** Allows operations that the documented interface does not contain: records are changed and removed, shares created and ended. */
  undocumentedOperations: flag("false"),
  /** Per cent of a zone's records that one run may change or remove. Zones with fewer than ten live records have no such limit. */
  maxChangeShare: number("integer", [0, 100], "30", " of per cent"),
  /** Domains whose changes no safety gate refuses. */
  confirmedDomains,
  /** The folder of the journal, the cached limits and the marker of a failed login. No file contains the token or a secret value. */
  stateDir: own("an absolute path, or a path that begins with ~/"),
  /** Whether a TypeScript program uses the native plugin instead of the dynamic provider. A Provider follows the stack. */
  usePlugin: { ...flag("false"), ofProgram: true as const },
};

type Declarations = typeof declarations;
export type SettingName = keyof Declarations;
type Values = {
  readonly [N in keyof Declarations]: Declarations[N] extends Setting<infer V, infer _> ? V : never;
};
type Inputs = { readonly [N in keyof Declarations]?: Declarations[N]["input"] };

export type ProviderInputs = Omit<Inputs, "usePlugin">;

export interface Settings extends Omit<Values, "loginToken" | "loginTokenEnv" | "contact" | "usePlugin"> {
  readonly loginToken: Secret;
  readonly contact?: string;
  /** Whether a `Provider` sets them. */
  readonly explicit: boolean;
  readonly warnings: readonly Reason[];
}

export const settingRows: readonly (Setting<unknown, unknown> & { readonly name: string })[] = Object.entries(
  declarations,
).map(([name, row]) => ({ name, ...row }));

export const settingNames: readonly string[] = settingRows.map(({ name }) => name);

function valuesOf(reading: Reading): Values {
  const isFull = reading.find("undocumentedOperations")?.value.trim() === "true";
  const values = settingRows.map((row) => [
    row.name,
    reading.value(row.name, row, (isFull ? row.fallbackInFullMode : undefined) ?? row.fallback),
  ]);
  // fromEntries loses the type of the names.
  return Object.fromEntries(values) as Values;
}

/** @throws SettingsError */
export function parseSettings(source: SettingsSource): Settings {
  const reading = new Reading(source, settingNames);
  reading.refuseUnknown();
  const loginToken = reading.token();
  const baseUrl = reading.baseUrl(loginToken);
  const stateDir = reading.stateDir();
  const { contact: from, loginTokenEnv: _variable, usePlugin: _frontEnd, ...settings } = valuesOf(reading);
  if (settings.removal === "delete" && !settings.undocumentedOperations) {
    reading.problem(
      "removal",
      `${reading.label("removal")} is "delete", and the documented API cannot delete records`,
      `allow it: ${reading.howTo("undocumentedOperations", "true")}`,
      "or write verify or retain",
    );
  }
  reading.finish(loginToken);
  return {
    ...settings,
    baseUrl,
    loginToken: new Secret(loginToken),
    ...(from === undefined ? {} : { contact: from }),
    stateDir,
    explicit: source.explicit,
    warnings: reading.warnings(baseUrl, stateDir, from),
  };
}
