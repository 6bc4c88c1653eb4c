/** One reading of the settings. It collects all problems. */
import * as path from "node:path";
import { nearest } from "./nearest";
import { defaultStateDir, homeOf, noStateDir } from "./state-dir";

export interface SettingProblem {
  readonly setting: string;
  /** The fault, the value and the remedy; never the token. */
  readonly message: string;
}

export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    const count = problems.length === 1 ? "One setting is" : `${problems.length} settings are`;
    super([`${count} wrong:`, ...problems.map((problem) => `- ${problem.message}`)].join("\n"));
    this.problems = problems;
  }
}

export interface SettingsSource {
  /** Keys `legacydns:NAME` or `NAME`. Other namespaces are ignored. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment then counts only through `loginTokenEnv`. */
  readonly explicit: boolean;
  /** Setting → the command's option: `{ baseUrl: "--base-url" }`. */
  readonly options?: Readonly<Record<string, string>>;
}

const NAMESPACE = "legacydns:";
const VARIABLES = "LEGACYDNS_";
/** Inputs that the engine may add to a provider. */
const ENGINE_KEYS = new Set([
  "version",
  "pluginDownloadURL",
  "pluginChecksums",
  "parameterization",
  "__internal",
  "__defaults",
]);

/** `LEGACYDNS_REQUESTS_PER_SECOND` for `requestsPerSecond`. */
export function environmentName(setting: string): string {
  return `LEGACYDNS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Compares names without the common prefix. A last part also matches (`TTL`, `DEFAULT_TTL`). */
function nearestVariable(written: string, variables: readonly string[]): string | undefined {
  const word = written.replace(/^LEGACYDNS_?/, "");
  const names = variables.map((variable) => variable.slice(VARIABLES.length));
  const guess = nearest(word, names) ?? names.find((name) => word !== "" && name.endsWith(`_${word}`));
  return guess === undefined ? undefined : `${VARIABLES}${guess}`;
}

/** With any other variable, a change of the stack's file could send any secret to `baseUrl`. */
const tokenVariable = /^(LEGACYDNS_[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*_LOGIN_TOKEN)$/;

/** `problem` is set if the setting's rule does not explain the fault. */
export type Parsed<V> = { readonly value: V } | { readonly problem: string | undefined };

export const unfit = { problem: undefined };

interface Declared<V> {
  readonly rule: string;
  readonly read: (text: string) => Parsed<V>;
}

interface Found {
  readonly value: string;
  /** `legacydns:baseUrl` or `LEGACYDNS_BASE_URL`. */
  readonly label: string;
}

export class Reading {
  private readonly problems: SettingProblem[] = [];

  constructor(
    private readonly source: SettingsSource,
    private readonly names: readonly string[],
  ) {}

  problem(setting: string, message: string): void {
    if (this.problems.some((each) => each.message === message)) return;
    this.problems.push({ setting, message });
  }

  /** The command that sets the setting in its current source. */
  howTo(setting: string, example: string): string {
    const variable = environmentName(setting);
    const { explicit, options } = this.source;
    if (options?.[setting] !== undefined) return `${options[setting]} ${example}`;
    // A command reads no stack's configuration.
    if (options !== undefined || this.find(setting)?.label === variable)
      return `export ${variable}=${example}`;
    return explicit
      ? `the Provider's input ${setting}: ${JSON.stringify(example)}`
      : `pulumi config set ${NAMESPACE}${setting} ${example}`;
  }

  label(setting: string): string {
    return this.find(setting)?.label ?? `${NAMESPACE}${setting}`;
  }

  /** A misspelt setting must not silently have its default. */
  refuseUnknown(): void {
    const seen = new Set<string>();
    for (const key of Object.keys(this.source.config)) {
      const isNamespaced = key.startsWith(NAMESPACE);
      const name = isNamespaced ? key.slice(NAMESPACE.length) : key;
      // Other namespaces belong to other providers.
      if ((!isNamespaced && (key.includes(":") || !this.source.explicit)) || ENGINE_KEYS.has(name)) continue;
      if (this.names.includes(name) || seen.has(name)) continue;
      seen.add(name);
      const guess = nearest(name, this.names);
      const namespace = this.source.explicit ? "" : NAMESPACE;
      const rather =
        guess === undefined
          ? `The settings are ${this.names.join(", ")}.`
          : `Did you mean ${namespace}${guess}?`;
      const away = this.source.explicit ? "" : ` Take it away with: pulumi config rm ${key}`;
      this.problem(name, `${namespace}${name} is not a setting. ${rather}${away}`);
    }
    // Other programs may use the prefix, too.
    const variables = this.names.map(environmentName);
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

  find(setting: string): Found | undefined {
    const variable = environmentName(setting);
    const fromEnv = this.source.explicit ? undefined : this.source.env[variable];
    // Many runners set an empty variable for "not set".
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

  /** @param fallback the default as text */
  value<V>(name: string, { read, rule }: Declared<V>, fallback: string): V | undefined {
    const found = this.find(name);
    const parsed = read(found === undefined ? fallback : found.value.trim());
    if ("value" in parsed) return parsed.value;
    const wrong = parsed.problem ?? `it ${rule}`;
    const instead =
      fallback === ""
        ? "By default there is none: leave it out."
        : `The default is ${fallback}; set it with ${this.howTo(name, fallback)}, or leave it out.`;
    this.problem(
      name,
      `${found?.label ?? name} is ${show(found?.value ?? fallback)}: ${wrong}${wrong.endsWith("?") ? "" : "."} ${instead}`,
    );
    const usual = read(fallback);
    return "value" in usual ? usual.value : undefined;
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
        // It may be the token itself.
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
              `or: export ${environmentName("loginToken")}=TOKEN (the token is then in no state at all).`,
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
              `or: export ${environmentName("baseUrl")}=https://HOST/PATH.`,
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
      // Without a scheme, it may be the token in the wrong place.
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

  warnings(baseUrl: string, stateDir: string, contact: string | undefined): string[] {
    const warnings: string[] = [];
    if (contact === undefined)
      warnings.push(
        `the service bans clients that do not say whom to write to, and no contact is set. Set it: ${this.howTo("contact", "you@example.com")}`,
      );
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

  /** As a last defence, the token is removed from each message. */
  finish(token: string): void {
    if (this.problems.length === 0) return;
    const scrub = (text: string): string => (token.length < 4 ? text : text.split(token).join("[secret]"));
    throw new SettingsError(
      this.problems.map(({ setting, message }) => ({ setting, message: scrub(message) })),
    );
  }
}

function show(value: string): string {
  return JSON.stringify(value.length > 120 ? `${value.slice(0, 120)}…` : value);
}

/** Whether a host name is in 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
