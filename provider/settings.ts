/**
 * Settings: every knob of the provider, read once from the stack's configuration, the environment and the inputs of
 * an explicit provider, checked with all problems at once. Times are in seconds.
 */
import * as os from "node:os";
import * as path from "node:path";
import { inspect } from "node:util";
import { z } from "zod";
import { readCheckLevels, type CheckLevels } from "./dns/checks";
import { canonicalDomain } from "./dns/names";
import { nearest } from "./dns/nearest";
import { textOf } from "./problems";

/** Not in a private `#` field: a compiler with an old target refuses one in the types of the package. */
const secretTexts = new WeakMap<Secret, string>();

/** A text that cannot be printed by accident: only `reveal` gives it away. */
export class Secret {
  constructor(value: string) {
    secretTexts.set(this, value);
  }

  /** The text itself, for the one place that sends it. */
  reveal(): string {
    return secretTexts.get(this) ?? "";
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}

/**
 * What happens to a record that is no longer declared (DESIGN §4, Honest where the service is limited): `delete` where
 * the undocumented operations are on, and then the default; else `verify`.
 */
export type Removal = "verify" | "retain" | "delete";

/** Every setting, checked, with its default filled in (docs/settings.md). */
export interface Settings {
  /** Without a trailing slash; https, or http on a loopback host. */
  readonly baseUrl: string;
  readonly loginToken: Secret;
  /** For the User-Agent: an e-mail address, or absent. */
  readonly contact?: string;
  /** The name of the default line as the service writes it. */
  readonly defaultLine: string;
  /** Seconds. */
  readonly defaultTtl: number;
  readonly requestsPerSecond: number;
  /** Seconds for one request, from the connection to the last byte. */
  readonly requestTimeout: number;
  /** Seconds for one batch job. */
  readonly jobTimeout: number;
  readonly maxRecordsPerJob: number;
  /** Seconds until a new record must appear in a listing (api.md, Record.List rule 2). */
  readonly indexDelay: number;
  readonly removal: Removal;
  readonly adopt: boolean;
  readonly limits: "refuse" | "warn" | "off";
  /** What becomes of what the zone checks find. */
  readonly checks: CheckLevels;
  readonly undocumentedOperations: boolean;
  /** Per cent of a zone's records that one run may change or remove without being asked for by name. */
  readonly maxChangeShare: number;
  /** The domains, as A-labels, whose changes go through though a safety gate would refuse them. */
  readonly confirmedDomains: readonly string[];
  /** An absolute folder for the journal, the caches and the login marker. */
  readonly stateDir: string;
  /** Whether an explicit `Provider` sets them: nothing of the stack's or of the environment counts then. */
  readonly explicit: boolean;
  /** Warnings about the settings, for the first call of a process. */
  readonly warnings: readonly string[];
}

/** One setting that is wrong. */
export interface SettingProblem {
  /** Its name: `baseUrl`. */
  readonly setting: string;
  /** What is wrong, with which value, and what to do; never the token. */
  readonly message: string;
}

/** The settings are wrong: all problems, one line each. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    const count = problems.length === 1 ? "One setting is" : `${problems.length} settings are`;
    super([`${count} wrong:`, ...problems.map((problem) => `- ${problem.message}`)].join("\n"));
    this.problems = problems;
  }
}

/** Where settings come from. */
export interface SettingsSource {
  /** The stack's configuration or a provider's inputs; keys `legacydns:NAME` or `NAME`, other namespaces ignored. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True for a `Provider` declared in a program: the environment then counts only through `loginTokenEnv`. */
  readonly explicit: boolean;
  /** Of a command: its options that were given in place of variables, by setting: `{ baseUrl: "--base-url" }`. */
  readonly options?: Readonly<Record<string, string>>;
}

const NAMESPACE = "legacydns:";
const VARIABLES = "LEGACYDNS_";
/** Inputs that the engine itself may add to a provider. */
const ENGINE_KEYS = new Set([
  "version",
  "pluginDownloadURL",
  "pluginChecksums",
  "parameterization",
  "__internal",
  "__defaults",
]);

const decimal = (min: number, max: number, unit: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .describe(`must be a number${unit} from ${min} to ${max}`);
const whole = (min: number, max: number, unit = "") =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .describe(`must be a whole number${unit} from ${min} to ${max}`);
const flag = z
  .enum(["true", "false"])
  .transform((word) => word === "true")
  .describe("must be true or false");
const domains = z
  .string()
  .transform((text) =>
    text
      .split(/[\s,]+/)
      .filter((each) => each !== "")
      .map((each) => canonicalDomain(each)),
  )
  .refine((names) => names.every((name) => "domain" in name))
  .transform((names) => names.flatMap((name) => ("domain" in name ? [name.domain] : [])))
  .describe("must be a list of domains with commas between them, such as example.com,example.net");
const checks = z
  .string()
  .transform((text) => readCheckLevels(text))
  .transform((read, context) => {
    if ("levels" in read) return read.levels;
    context.addIssue({ code: "custom", message: textOf(read.problem) });
    return z.NEVER;
  })
  .describe("must be note, warn, refuse or off, or levels by check such as warn,mx-cname=refuse");
const seconds = (min: number, max: number) => decimal(min, max, " of seconds");

type PlainName = Exclude<
  keyof Settings,
  "baseUrl" | "loginToken" | "contact" | "stateDir" | "explicit" | "warnings"
>;

/** One row per setting that is a plain value: how to read it, and the text of its default. */
const PLAIN: {
  readonly [N in PlainName]: { readonly schema: z.ZodType<Settings[N]>; readonly fallback: string };
} = {
  defaultLine: {
    schema: z
      .string()
      .regex(/^[^\p{Cc}[\]]{1,64}$/u)
      .describe("must be a line's name of 1 to 64 characters, without [ and ]"),
    fallback: "默认",
  },
  defaultTtl: { schema: whole(1, 2_147_483_647, " of seconds"), fallback: "600" },
  requestsPerSecond: { schema: decimal(0.1, 1000, ""), fallback: "10" },
  requestTimeout: { schema: seconds(0.1, 600), fallback: "30" },
  jobTimeout: { schema: seconds(1, 86_400), fallback: "120" },
  maxRecordsPerJob: { schema: whole(1, 100_000), fallback: "1000" },
  indexDelay: { schema: seconds(0, 3600), fallback: "30" },
  removal: {
    schema: z.enum(["verify", "retain", "delete"]).describe("must be verify, retain or delete"),
    fallback: "verify",
  },
  adopt: { schema: flag, fallback: "true" },
  limits: {
    schema: z.enum(["refuse", "warn", "off"]).describe("must be refuse, warn or off"),
    fallback: "refuse",
  },
  checks: { schema: checks, fallback: "warn" },
  undocumentedOperations: { schema: flag, fallback: "false" },
  maxChangeShare: { schema: whole(0, 100, " of per cent"), fallback: "30" },
  confirmedDomains: { schema: domains, fallback: "" },
};

/** Settings of a program and not of its provider. */
const programSettings: readonly string[] = ["usePlugin"];

/** What a setting must be, and its default where it has one: for the schema of the native plugin. */
export function settingRule(
  setting: string,
): { readonly rule: string; readonly fallback: string } | undefined {
  const row = Object.entries(PLAIN).find(([name]) => name === setting)?.[1];
  return row === undefined ? undefined : { rule: row.schema.description ?? "", fallback: row.fallback };
}

/** The names of all settings, `loginTokenEnv` included, as a program and the configuration spell them. */
export const settingNames: readonly string[] = [
  "baseUrl",
  "loginToken",
  "loginTokenEnv",
  "contact",
  ...Object.keys(PLAIN),
  "stateDir",
];

/** The environment variable of a setting: `LEGACYDNS_REQUESTS_PER_SECOND` for `requestsPerSecond`. */
export function environmentName(setting: string): string {
  return `LEGACYDNS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The variable that was meant: what the names have in common proves nothing, a part of one does (`TTL`, `DEFAULT_TTL`). */
function nearestVariable(written: string, variables: readonly string[]): string | undefined {
  const word = written.replace(/^LEGACYDNS_?/, "");
  const names = variables.map((variable) => variable.slice(VARIABLES.length));
  const guess = nearest(word, names) ?? names.find((name) => word !== "" && name.endsWith(`_${word}`));
  return guess === undefined ? undefined : `${VARIABLES}${guess}`;
}

/** Variables that `loginTokenEnv` may name. With any other, a change of the stack's file could send any secret to `baseUrl`. */
const tokenVariable = /^(LEGACYDNS_[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*_LOGIN_TOKEN)$/;

interface Found {
  readonly value: string;
  /** What the reader calls it: `legacydns:baseUrl` or `LEGACYDNS_BASE_URL`. */
  readonly label: string;
}

/** Of all settings those that name the files of a service's state; an empty `baseUrl` where it is wrong or missing. */
export function stateOf(source: SettingsSource): Pick<Settings, "baseUrl" | "stateDir"> {
  const reading = new Reading(source);
  return { baseUrl: reading.baseUrl(""), stateDir: reading.stateDir() };
}

/**
 * Reads and checks all settings.
 * @throws SettingsError with every problem at once
 */
export function parseSettings(source: SettingsSource): Settings {
  const reading = new Reading(source);
  reading.refuseUnknown();
  reading.usePlugin();
  const loginToken = reading.token();
  const baseUrl = reading.baseUrl(loginToken);
  const contact = reading.contact();
  const stateDir = reading.stateDir();
  const undocumentedOperations = reading.plain("undocumentedOperations");
  const settings = {
    defaultLine: reading.plain("defaultLine"),
    defaultTtl: reading.plain("defaultTtl"),
    requestsPerSecond: reading.plain("requestsPerSecond"),
    requestTimeout: reading.plain("requestTimeout"),
    jobTimeout: reading.plain("jobTimeout"),
    maxRecordsPerJob: reading.plain("maxRecordsPerJob"),
    indexDelay: reading.plain("indexDelay"),
    // Whoever switches the means on wants the end, unless another is named.
    removal: reading.plain("removal", undocumentedOperations ? "delete" : undefined),
    adopt: reading.plain("adopt"),
    limits: reading.plain("limits"),
    checks: reading.plain("checks"),
    undocumentedOperations,
    maxChangeShare: reading.plain("maxChangeShare"),
    confirmedDomains: reading.plain("confirmedDomains"),
  };
  if (settings.removal === "delete" && !settings.undocumentedOperations) {
    reading.problem(
      "removal",
      `${reading.label("removal")} is "delete", but the documented interface cannot remove a record: set ` +
        `undocumentedOperations to true as well (${reading.howTo("undocumentedOperations", "true")}), or use verify or retain.`,
    );
  }
  reading.finish(loginToken);
  return {
    baseUrl,
    loginToken: new Secret(loginToken),
    ...(contact === undefined ? {} : { contact }),
    ...settings,
    stateDir,
    explicit: source.explicit,
    warnings: reading.warnings(baseUrl, stateDir),
  };
}

/** One reading of one source: collects the problems while the values are taken. */
class Reading {
  readonly #problems: SettingProblem[] = [];

  constructor(private readonly source: SettingsSource) {}

  problem(setting: string, message: string): void {
    this.#problems.push({ setting, message });
  }

  /** The command that sets it where it is set now, for the end of a message: a variable wins over the configuration. */
  howTo(setting: string, example: string): string {
    const variable = environmentName(setting);
    const { explicit, options } = this.source;
    if (options?.[setting] !== undefined) return `${options[setting]} ${example}`;
    if (this.find(setting)?.label === variable) return `export ${variable}=${example}`;
    return explicit
      ? `the Provider's input ${setting}: ${JSON.stringify(example)}`
      : `pulumi config set ${NAMESPACE}${setting} ${example}`;
  }

  label(setting: string): string {
    return this.find(setting)?.label ?? `${NAMESPACE}${setting}`;
  }

  /** An unknown name in our namespace is a mistake that must not pass for a default. */
  refuseUnknown(): void {
    const seen = new Set<string>();
    for (const key of Object.keys(this.source.config)) {
      const ours = key.startsWith(NAMESPACE);
      const name = ours ? key.slice(NAMESPACE.length) : key;
      // Another namespace is another provider's; the engine adds a few names of its own.
      if ((!ours && (key.includes(":") || !this.source.explicit)) || ENGINE_KEYS.has(name)) continue;
      if (settingNames.includes(name) || seen.has(name) || programSettings.includes(name)) continue;
      seen.add(name);
      const guess = nearest(name, settingNames);
      // A Provider's inputs have no namespace, whichever way they have come.
      const namespace = this.source.explicit ? "" : NAMESPACE;
      const rather =
        guess === undefined
          ? `The settings are ${settingNames.join(", ")}.`
          : `Did you mean ${namespace}${guess}?`;
      const away = this.source.explicit ? "" : ` Take it away with: pulumi config rm ${key}`;
      this.problem(name, `${namespace}${name} is not a setting. ${rather}${away}`);
    }
    // Only what is clearly meant for this provider: others may use the prefix for their own.
    const variables = [...settingNames, ...programSettings].map(environmentName);
    for (const variable of this.source.explicit ? [] : Object.keys(this.source.env)) {
      if (!variable.startsWith(VARIABLES) || variables.includes(variable)) continue;
      const guess = nearestVariable(variable, variables);
      if (guess !== undefined)
        this.problem(
          variable,
          `${variable} is not a setting. Did you mean ${guess}? Take it away with: unset ${variable}`,
        );
    }
  }

  /** The program has read it already and took another value for the default. */
  usePlugin(): void {
    const found = this.find("usePlugin");
    if (found === undefined || flag.safeParse(found.value).success) return;
    this.problem(
      "usePlugin",
      `${found.label} is ${show(found.value)}: it ${flag.description}. The default is false; set it with ${this.howTo("usePlugin", "true")}, or leave it out.`,
    );
  }

  find(setting: string): Found | undefined {
    const variable = environmentName(setting);
    const fromEnv = this.source.explicit ? undefined : this.source.env[variable];
    // An empty variable is how many runners say "not set".
    if (fromEnv !== undefined && fromEnv.trim() !== "")
      return { value: fromEnv, label: this.source.options?.[setting] ?? variable };
    for (const key of [`${NAMESPACE}${setting}`, setting]) {
      const value = Object.hasOwn(this.source.config, key) ? this.source.config[key] : undefined;
      if (value === undefined || value === null) continue;
      if (typeof value === "string") return { value, label: key };
      if (typeof value === "number" || typeof value === "boolean")
        return { value: String(value), label: key };
      this.problem(
        setting,
        `${key} must be a plain text, not ${Array.isArray(value) ? "a list" : "an object"}.`,
      );
      return undefined;
    }
    return undefined;
  }

  /** @param usual what holds where nothing is set, if other settings decide it */
  plain<N extends PlainName>(setting: N, usual?: string): Settings[N] {
    const { schema, fallback: always }: { schema: z.ZodType<Settings[N]>; fallback: string } = PLAIN[setting];
    const fallback = usual ?? always;
    const found = this.find(setting);
    const parsed = schema.safeParse(found === undefined ? fallback : found.value.trim());
    if (parsed.success) return parsed.data;
    const own = parsed.error.issues.find(
      ({ code, message }) => code === "custom" && message !== "Invalid input",
    )?.message;
    const wrong = own ?? `it ${schema.description ?? "is not valid"}`;
    const instead =
      fallback === ""
        ? "By default there is none: leave it out."
        : `The default is ${fallback}; set it with ${this.howTo(setting, fallback)}, or leave it out.`;
    this.problem(
      setting,
      `${found?.label ?? setting} is ${show(found?.value ?? fallback)}: ${wrong}${wrong.endsWith("?") ? "" : "."} ${instead}`,
    );
    return schema.parse(fallback);
  }

  token(): string {
    const { env, explicit } = this.source;
    const given = this.find("loginToken");
    const pointer = this.find("loginTokenEnv");
    if (given !== undefined && pointer !== undefined && given.label !== environmentName("loginToken")) {
      this.problem("loginTokenEnv", `${given.label} and ${pointer.label} are both given: keep one of them.`);
    }
    if (given === undefined && pointer !== undefined) {
      if (!tokenVariable.test(pointer.value)) {
        // The value is not shown: it may be the token itself.
        this.problem(
          "loginTokenEnv",
          `${pointer.label} must be the name of an environment variable that begins with ${VARIABLES} or ends in _LOGIN_TOKEN, such as OTHER_LOGIN_TOKEN.`,
        );
        return "";
      }
      const value = env[pointer.value]?.trim() ?? "";
      if (value === "") {
        this.problem(
          "loginTokenEnv",
          `${pointer.label} names the environment variable ${pointer.value}, which is not set. Run: export ${pointer.value}=TOKEN`,
        );
        return "";
      }
      return this.wellFormed(value, `the environment variable ${pointer.value}`);
    }
    const value = given?.value.trim() ?? "";
    if (value === "") {
      this.problem(
        "loginToken",
        explicit
          ? `loginToken is missing: give the Provider its input loginToken (a secret), or loginTokenEnv with the name of an environment variable.`
          : `${NAMESPACE}loginToken is missing. Run: pulumi config set --secret ${NAMESPACE}loginToken TOKEN, ` +
              `or: export ${environmentName("loginToken")}=TOKEN (the token is then in no state at all).${this.misspelt("loginToken")}`,
      );
      return "";
    }
    return this.wellFormed(value, given?.label ?? "loginToken");
  }

  private wellFormed(value: string, label: string): string {
    if (/^https?:\/\//i.test(value)) {
      this.problem(
        "loginToken",
        `${label} holds an address, not a token: are the two swapped? Its value is not shown.`,
      );
    } else if (!/^[\x21-\x7e]{1,512}$/.test(value)) {
      this.problem(
        "loginToken",
        `${label} contains blanks or characters that a token cannot have. Copy it again; its value is not shown.`,
      );
    }
    return value;
  }

  baseUrl(token: string): string {
    const found = this.find("baseUrl");
    const value = found?.value.trim() ?? "";
    if (found === undefined || value === "") {
      this.problem(
        "baseUrl",
        this.source.explicit
          ? `baseUrl is missing: give the Provider its input baseUrl, the address of the service's interface.`
          : `${NAMESPACE}baseUrl is missing: the address of the service's interface. Run: pulumi config set ${NAMESPACE}baseUrl https://HOST/PATH, ` +
              `or: export ${environmentName("baseUrl")}=https://HOST/PATH.${this.misspelt("baseUrl")}`,
      );
      return "";
    }
    const refuse = (what: string): string => {
      this.problem(
        "baseUrl",
        `${found.label} ${what}. Set it with ${this.howTo("baseUrl", "https://HOST/PATH")}.`,
      );
      return "";
    };
    if (value === token || !/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) {
      // Not shown: without a scheme it may well be the token in the wrong place.
      return refuse(
        "is not an address such as https://HOST/PATH (its value is not shown, in case it is the token)",
      );
    }
    const url = new URL(value);
    if (url.username !== "" || url.password !== "") return refuse("must not hold a user name or a password");
    if (url.search !== "" || url.hash !== "" || /[?#]/.test(value))
      return refuse(`must end with its path, without a query or a fragment`);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
      return refuse(
        `is ${show(value)}: it must begin with https://, since the token travels in every request (http is for loopback addresses only)`,
      );
    }
    return url.href.replace(/\/+$/, "");
  }

  contact(): string | undefined {
    const found = this.find("contact");
    const value = found?.value.trim() ?? "";
    if (found === undefined || value === "") return undefined;
    if (!/^[\x20-\x7e]{3,200}$/.test(value) || /[()\\]/.test(value) || !/[^\s@]@[^\s@]/.test(value)) {
      this.problem(
        "contact",
        `${found.label} is ${show(value)}: it must be an e-mail address, of at most 200 ASCII characters and without brackets, since the service bans clients that name none.`,
      );
    }
    return value;
  }

  stateDir(): string {
    const found = this.find("stateDir");
    const value = found?.value.trim() ?? "";
    const home = homeOf(this.source.env);
    if (found === undefined) return defaultStateDir(this.source.env, process.platform, home) ?? noStateDir;
    if (home !== undefined && /^~($|[\\/])/.test(value)) return path.join(home, value.slice(1));
    if (!path.isAbsolute(value)) {
      this.problem(
        "stateDir",
        `${found.label} is ${show(value)}: it must be an absolute path (or begin with ~/), so that every run finds the same folder.`,
      );
    }
    return path.resolve(value);
  }

  /** Warnings about settings that are valid. */
  warnings(baseUrl: string, stateDir: string): string[] {
    const warnings: string[] = [];
    const [address, token] = [this.find("baseUrl")?.label ?? "", this.find("loginToken")?.label];
    const isOfEnvironment = token === undefined || token === environmentName("loginToken");
    if (!this.source.explicit && isOfEnvironment && this.source.config[address] !== undefined)
      warnings.push(
        `${address} comes from the stack's configuration, and the token from the environment: whoever changes that file, as in a pull request, can have the token sent to another address. Set it beside the token: export ${environmentName("baseUrl")}=${baseUrl}`,
      );
    if (stateDir === noStateDir)
      warnings.push(
        `HOME is not set, so there is no folder of this user's own and the provider keeps no journal: if this run is killed, the next one cannot know what was on its way. Name a folder: ${this.howTo("stateDir", "/FOLDER")}`,
      );
    return warnings;
  }

  /** A variable that is nearly the right one, as a hint. */
  private misspelt(setting: string): string {
    const variable = environmentName(setting);
    const others = Object.keys(this.source.env).filter(
      (key) => key.startsWith("LEGACYDNS") && !settingNames.map(environmentName).includes(key),
    );
    const close = others.find((key) => nearestVariable(key, [variable]) === variable);
    return close === undefined ? "" : ` (${close} is set: did you mean ${variable}?)`;
  }

  /** Throws what was found, each message scrubbed of the token as a last line of defence. */
  finish(token: string): void {
    if (this.#problems.length === 0) return;
    const scrub = (text: string): string => (token.length < 4 ? text : text.split(token).join("[secret]"));
    throw new SettingsError(
      this.#problems.map(({ setting, message }) => ({ setting, message: scrub(message) })),
    );
  }
}

function show(value: string): string {
  return JSON.stringify(value.length > 120 ? `${value.slice(0, 120)}…` : value);
}

/** 127.0.0.0/8, ::1 and localhost, of a host name as URL normalises it. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/** Stands for a folder if there is none: nothing can be written below a device. */
export const noStateDir = path.join(os.devNull, "pulumi-legacydns");

/**
 * The user's state folder: XDG_STATE_HOME if it is set, else the platform's own place. Undefined without a home folder: a
 * folder that other users share, such as the temporary one, can belong to anybody.
 */
export function defaultStateDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string | undefined,
): string | undefined {
  const join = platform === "win32" ? path.win32.join : path.posix.join;
  const absolute = platform === "win32" ? path.win32.isAbsolute : path.posix.isAbsolute;
  const xdg = env["XDG_STATE_HOME"];
  if (xdg !== undefined && absolute(xdg)) return join(xdg, "pulumi-legacydns");
  if (platform === "win32" && env["LOCALAPPDATA"] !== undefined)
    return join(env["LOCALAPPDATA"], "pulumi-legacydns");
  if (home === undefined) return undefined;
  if (platform === "darwin") return join(home, "Library", "Application Support", "pulumi-legacydns");
  if (platform === "win32") return join(home, "AppData", "Local", "pulumi-legacydns");
  return join(home, ".local", "state", "pulumi-legacydns");
}

/** The user's home folder; undefined in a container that has neither HOME nor a passwd entry. */
function homeOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = env["HOME"] || userHome();
  return home !== undefined && path.isAbsolute(home) ? home : undefined;
}

function userHome(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}
