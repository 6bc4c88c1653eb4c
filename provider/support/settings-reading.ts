/** One reading of the settings. It collects all problems. */
import * as path from "node:path";
import { didYouMean, reason, renderAll, type Reason } from "../problems";
import { nearest } from "./nearest";
import { defaultStateDir, homeOf, noStateDir } from "./state-dir";

export interface SettingProblem extends Reason<"setting.wrong"> {
  readonly setting: string;
}

export class SettingsError extends Error {
  override readonly name = "SettingsError";

  constructor(readonly problems: readonly SettingProblem[]) {
    super(renderAll(problems).join("\n"));
  }
}

export interface SettingsSource {
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment then counts only through `loginTokenEnv`. */
  readonly explicit: boolean;
  /** Setting → the command's option. */
  readonly options?: Readonly<Record<string, string>>;
}

const NAMESPACE = "legacydns:";
const VARIABLES = "LEGACYDNS_";
/** The engine may add them to a provider. */
const ENGINE_KEYS = new Set([
  "version",
  "pluginDownloadURL",
  "pluginChecksums",
  "parameterization",
  "__internal",
  "__defaults",
]);

export function environmentName(setting: string): string {
  return `LEGACYDNS_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A last part also matches (`TTL`, `DEFAULT_TTL`). */
function nearestVariable(written: string, variables: readonly string[]): string | undefined {
  const word = written.replace(/^LEGACYDNS_?/, "");
  const names = variables.map((variable) => variable.slice(VARIABLES.length));
  const guess = nearest(word, names) ?? names.find((name) => word !== "" && name.endsWith(`_${word}`));
  return guess === undefined ? undefined : `${VARIABLES}${guess}`;
}

/** Otherwise a change of the stack's file could send any secret to `baseUrl`. */
const tokenVariable = /^(LEGACYDNS_[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*_LOGIN_TOKEN)$/;

export type Parsed<V> = { readonly value: V } | { readonly problem: string | undefined };

export const unfit = { problem: undefined };

interface Declared<V> {
  readonly rule: string;
  readonly read: (text: string) => Parsed<V>;
}

interface Found {
  readonly value: string;
  readonly label: string;
}

export class Reading {
  private readonly problems: SettingProblem[] = [];

  constructor(
    private readonly source: SettingsSource,
    private readonly names: readonly string[],
  ) {}

  problem(setting: string, detail: string, ...help: readonly string[]): void {
    if (this.problems.some(({ parts }) => parts.detail === detail)) return;
    this.problems.push({ setting, ...reason("setting.wrong", { detail, hint: help.join("\n") }) });
  }

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
      const hint = didYouMean(guess && `${namespace}${guess}`, "see the settings in docs/settings.md");
      const away = this.source.explicit ? [] : [`remove it: pulumi config rm ${key}`];
      this.problem(name, `${namespace}${name} is not a setting`, hint, ...away);
    }
    const variables = this.names.map(environmentName);
    for (const variable of this.source.explicit ? [] : Object.keys(this.source.env)) {
      if (!variable.startsWith(VARIABLES) || variables.includes(variable)) continue;
      const guess = nearestVariable(variable, variables);
      if (guess !== undefined)
        this.problem(
          variable,
          `${variable} is not a setting`,
          didYouMean(guess, ""),
          `remove it: unset ${variable}`,
        );
    }
  }

  find(setting: string): Found | undefined {
    const variable = environmentName(setting);
    const fromEnv = this.source.explicit ? undefined : this.source.env[variable];
    // Many runners set empty variables.
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
        `${key} is ${Array.isArray(value) ? "a list" : "an object"}`,
        "write it as plain text",
      );
      return undefined;
    }
    return undefined;
  }

  value<V>(name: string, { read, rule }: Declared<V>, fallback: string): V | undefined {
    const found = this.find(name);
    const parsed = read(found === undefined ? fallback : found.value.trim());
    if ("value" in parsed) return parsed.value;
    const label = found?.label ?? name;
    this.problem(
      name,
      `${label} is ${show(found?.value ?? fallback)}`,
      parsed.problem ?? `write ${rule}`,
      fallback === "" ? "leave it out" : `set its default: ${this.howTo(name, fallback)}`,
    );
    const usual = read(fallback);
    return "value" in usual ? usual.value : undefined;
  }

  token(): string {
    const { env, explicit } = this.source;
    const given = this.find("loginToken");
    const pointer = this.find("loginTokenEnv");
    if (given !== undefined && pointer !== undefined && given.label !== environmentName("loginToken")) {
      this.problem("loginTokenEnv", `${given.label} and ${pointer.label} are both given`, "keep one of them");
    }
    if (given === undefined && pointer !== undefined) {
      if (!tokenVariable.test(pointer.value)) {
        // It may be the token itself.
        this.problem(
          "loginTokenEnv",
          `${pointer.label} is not the name of an environment variable for a token`,
          `write one that begins with ${VARIABLES} or ends in _LOGIN_TOKEN, such as OTHER_LOGIN_TOKEN`,
        );
        return "";
      }
      const value = env[pointer.value]?.trim() ?? "";
      if (value === "") {
        this.problem(
          "loginTokenEnv",
          `${pointer.label} names the environment variable ${pointer.value}, which is not set`,
          `export ${pointer.value}=TOKEN`,
        );
        return "";
      }
      return this.wellFormed(value, `the environment variable ${pointer.value}`);
    }
    const value = given?.value.trim() ?? "";
    if (value === "") {
      if (explicit)
        this.problem(
          "loginToken",
          "loginToken is missing",
          "give the Provider its input loginToken (a secret)",
          "or loginTokenEnv, the name of an environment variable",
        );
      else this.missing("loginToken", "TOKEN", "--secret ");
      return "";
    }
    return this.wellFormed(value, given?.label ?? "loginToken");
  }

  private wellFormed(value: string, label: string): string {
    if (/^https?:\/\//i.test(value)) {
      this.problem(
        "loginToken",
        `${label} is an address (its value is not shown)`,
        "write the token; it may be swapped with baseUrl",
      );
    } else if (!/^[\x21-\x7e]{1,512}$/.test(value)) {
      this.problem(
        "loginToken",
        `${label} has blanks, or characters that a token cannot have (its value is not shown)`,
        "copy it again",
      );
    }
    return value;
  }

  baseUrl(token: string): string {
    const found = this.find("baseUrl");
    const value = found?.value.trim() ?? "";
    if (found === undefined || value === "") {
      if (this.source.explicit)
        this.problem(
          "baseUrl",
          "baseUrl is missing",
          "give the Provider its input baseUrl, the address of the service",
        );
      else this.missing("baseUrl", "https://HOST/PATH");
      return "";
    }
    const refuse = (what: string): string => {
      this.problem(
        "baseUrl",
        `${found.label} ${what}`,
        `set it: ${this.howTo("baseUrl", "https://HOST/PATH")}`,
      );
      return "";
    };
    if (value === token || !/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) {
      // It may be the token in the wrong place.
      return refuse("is not an address (its value is not shown, because it may be the token)");
    }
    const url = new URL(value);
    if (url.username !== "" || url.password !== "") return refuse("must not hold a user name or a password");
    if (url.search !== "" || url.hash !== "" || /[?#]/.test(value))
      return refuse(`must end with its path, without a query or a fragment`);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
      return refuse(`does not begin with https:// (http:// is for loopback addresses only)`);
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
        `${found.label} is ${show(value)}`,
        "write an absolute path, or one that begins with ~/",
      );
    }
    return path.resolve(value);
  }

  warnings(baseUrl: string, stateDir: string, contact: string | undefined): Reason[] {
    const warnings: Reason[] = [];
    if (contact === undefined)
      warnings.push(
        reason("setting.risk", {
          detail: "no contact is set, and the service bans such clients",
          hint: `set one: ${this.howTo("contact", "you@example.com")}`,
        }),
      );
    const [address, token] = [this.find("baseUrl")?.label ?? "", this.find("loginToken")?.label];
    const isOfEnvironment = token === undefined || token === environmentName("loginToken");
    if (!this.source.explicit && isOfEnvironment && this.source.config[address] !== undefined)
      warnings.push(
        reason("setting.risk", {
          detail: `who changes ${address} in the stack's file can get the token of the environment`,
          hint: `set it beside the token: export ${environmentName("baseUrl")}=${baseUrl}`,
        }),
      );
    if (stateDir === noStateDir)
      warnings.push(
        reason("setting.risk", {
          detail: "HOME is not set, so there is no journal for the run after a kill",
          hint: `name a folder: ${this.howTo("stateDir", "/FOLDER")}`,
        }),
      );
    return warnings;
  }

  private missing(setting: string, example: string, flag = ""): void {
    const variable = environmentName(setting);
    if (this.source.options !== undefined)
      this.problem(setting, `${variable} is missing`, `export ${variable}=${example}`);
    else
      this.problem(
        setting,
        `${NAMESPACE}${setting} is missing`,
        `pulumi config set ${flag}${NAMESPACE}${setting} ${example}`,
        `or keep it out of the stack: export ${variable}=${example}`,
      );
  }

  finish(token: string): void {
    if (this.problems.length === 0) return;
    const scrub = (text: string | number): string =>
      token.length < 4 ? String(text) : String(text).split(token).join("[secret]");
    throw new SettingsError(
      this.problems.map(({ parts: { detail, hint }, ...problem }) => ({
        ...problem,
        parts: { detail: scrub(detail), hint: scrub(hint) },
      })),
    );
  }
}

function show(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    hostname === "::1" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
