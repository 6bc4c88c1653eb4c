/** One reading of the settings, with all problems. */
import * as path from "node:path";
import { didYouMean, reason, renderAll, type Reason } from "../problems";
import type { Setting } from "../settings";
import { nearest } from "./nearest";
import { hiddenText } from "./secret";
import { withoutEnd } from "./text";
import { defaultStateDir, homeOf, noStateDir } from "./state-dir";

interface SettingProblem extends Reason<"setting.wrong"> {
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
const ENGINE_KEYS = /^(version|pluginDownloadURL|pluginChecksums|parameterization|__internal|__defaults)$/;

export function environmentName(setting: string): string {
  return `${VARIABLES}${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A last part also matches (`TTL`, `DEFAULT_TTL`). */
function nearestVariable(written: string, settings: readonly string[]): string | undefined {
  const word = written.replace(/^LEGACYDNS_?/, "");
  const names = settings.map((name) => environmentName(name).slice(VARIABLES.length));
  const guess = nearest(word, names) ?? names.find((name) => word !== "" && name.endsWith(`_${word}`));
  return guess && `${VARIABLES}${guess}`;
}

/** Otherwise a change of the stack's file could send any secret to `baseUrl`. */
const tokenVariable = /^(LEGACYDNS_[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*_LOGIN_TOKEN)$/;

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

  /** @returns an empty value */
  problem(setting: string, detail: string, ...help: readonly string[]): string {
    if (!this.problems.some(({ parts }) => parts.detail === detail))
      this.problems.push({ setting, ...reason("setting.wrong", { detail, hint: help.join("\n") }) });
    return "";
  }

  /** In the setting's current source. */
  howTo(setting: string, example: string): string {
    const variable = environmentName(setting);
    const { explicit, options } = this.source;
    if (options?.[setting] !== undefined) return `${options[setting]} ${example}`;
    // The command was not started in a project.
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
    const { config, env, explicit } = this.source;
    const namespace = explicit ? "" : NAMESPACE;
    for (const key of Object.keys(config)) {
      const isNamespaced = key.startsWith(NAMESPACE);
      const name = isNamespaced ? key.slice(NAMESPACE.length) : key;
      // Other namespaces belong to other providers.
      if ((!isNamespaced && (key.includes(":") || !explicit)) || ENGINE_KEYS.test(name)) continue;
      if (this.names.includes(name)) continue;
      const guess = nearest(name, this.names);
      const hint = didYouMean(guess && `${namespace}${guess}`, "see the settings in docs/settings.md");
      const away = explicit ? [] : [`remove it: pulumi config rm ${key}`];
      this.problem(name, `${namespace}${name} is not a setting`, hint, ...away);
    }
    const variables = this.names.map(environmentName);
    for (const variable of explicit ? [] : Object.keys(env)) {
      if (!variable.startsWith(VARIABLES) || variables.includes(variable)) continue;
      // Other programs may use the prefix, too.
      const guess = nearestVariable(variable, this.names);
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
    const { config, env, explicit, options } = this.source;
    const variable = environmentName(setting);
    const fromEnv = explicit ? undefined : env[variable];
    // Many runners set empty variables.
    if (fromEnv !== undefined && fromEnv.trim() !== "")
      return { value: fromEnv, label: options?.[setting] ?? variable };
    for (const label of [`${NAMESPACE}${setting}`, setting]) {
      const value = Object.hasOwn(config, label) ? config[label] : undefined;
      if (value === undefined || value === null) continue;
      if (typeof value !== "object") return { value: String(value), label };
      const kind = Array.isArray(value) ? "a list" : "an object";
      this.problem(setting, `${label} is ${kind}`, "write it as plain text");
      return undefined;
    }
    return undefined;
  }

  value<V>(name: string, { read, rule }: Setting<V, unknown>, fallback: string): V | undefined {
    const found = this.find(name);
    const parsed = read(found === undefined ? fallback : found.value.trim());
    if ("value" in parsed) return parsed.value;
    this.problem(
      name,
      `${found?.label ?? name} is ${show(found?.value ?? fallback)}`,
      parsed.problem ?? `write ${rule}`,
      fallback === "" ? "leave it out" : `set its default: ${this.howTo(name, fallback)}`,
    );
    return undefined;
  }

  token(): string {
    const [given, pointer] = [this.find("loginToken"), this.find("loginTokenEnv")];
    if (given !== undefined && pointer !== undefined && given.label !== environmentName("loginToken"))
      this.problem("loginTokenEnv", `${given.label} and ${pointer.label} are both given`, "keep one of them");
    if (given === undefined && pointer !== undefined) return this.tokenAt(pointer);
    const value = given?.value.trim() ?? "";
    if (given !== undefined && value !== "") return this.wellFormed(value, given.label);
    const pointing = this.source.explicit ? ["or loginTokenEnv, the name of an environment variable"] : [];
    return this.missing("loginToken", "ID,TOKEN", "--secret ", ...pointing);
  }

  private tokenAt({ value: variable, label }: Found): string {
    if (!tokenVariable.test(variable))
      // It may be the token itself.
      return this.problem(
        "loginTokenEnv",
        `${label} is not the name of an environment variable for a token`,
        `write one that begins with ${VARIABLES} or ends in _LOGIN_TOKEN, such as OTHER_LOGIN_TOKEN`,
      );
    const value = this.source.env[variable]?.trim() ?? "";
    if (value !== "") return this.wellFormed(value, `the environment variable ${variable}`);
    return this.problem(
      "loginTokenEnv",
      `${label} names the environment variable ${variable}, which is not set`,
      `export ${variable}=ID,TOKEN`,
    );
  }

  private wellFormed(value: string, label: string): string {
    if (/^https?:\/\//i.test(value))
      this.problem(
        "loginToken",
        `${label} is an address (its value is not shown)`,
        "write the token; it may be swapped with baseUrl",
      );
    else if (!/^[\x21-\x7e]{1,512}$/.test(value))
      this.problem(
        "loginToken",
        `${label} has blanks, or characters that a token cannot have (its value is not shown)`,
        "copy it again",
      );
    return value;
  }

  baseUrl(token: string): string {
    const found = this.find("baseUrl");
    const value = found?.value.trim() ?? "";
    if (found === undefined || value === "") return this.missing("baseUrl", "https://HOST/PATH");
    const fault = faultOf(value, token);
    if (fault === undefined) return withoutEnd(new URL(value).href, "/");
    const help = `set it: ${this.howTo("baseUrl", "https://HOST/PATH")}`;
    return this.problem("baseUrl", `${found.label} ${fault}`, help);
  }

  stateDir(): string {
    const found = this.find("stateDir");
    const value = found?.value.trim() ?? "";
    const home = homeOf(this.source.env);
    if (found === undefined) return defaultStateDir(this.source.env, process.platform, home) ?? noStateDir;
    if (home !== undefined && /^~($|[\\/])/.test(value)) return path.join(home, value.slice(1));
    if (!path.isAbsolute(value)) {
      const help = "write an absolute path, or one that begins with ~/";
      this.problem("stateDir", `${found.label} is ${show(value)}`, help);
    }
    return path.resolve(value);
  }

  warnings(baseUrl: string, stateDir: string, contact: string | undefined): Reason[] {
    const [address, token] = [this.find("baseUrl")?.label ?? "", this.find("loginToken")?.label];
    const isOfEnvironment = token === undefined || token === environmentName("loginToken");
    const isSplit = !this.source.explicit && isOfEnvironment && this.source.config[address] !== undefined;
    const risks: readonly (readonly [isRisk: boolean, detail: string, hint: string])[] = [
      [
        contact === undefined,
        "no contact is set, and the service bans such clients",
        `set one: ${this.howTo("contact", "you@example.com")}`,
      ],
      [
        isSplit,
        `who changes ${address} in the stack's file can get the token of the environment`,
        `set it beside the token: export ${environmentName("baseUrl")}=${baseUrl}`,
      ],
      [
        stateDir === noStateDir,
        "HOME is not set, so there is no journal for the run after a kill",
        `name a folder: ${this.howTo("stateDir", "/FOLDER")}`,
      ],
    ];
    return risks.flatMap(([isRisk, detail, hint]) =>
      isRisk ? [reason("setting.risk", { detail, hint })] : [],
    );
  }

  private missing(setting: string, example: string, flag = "", ...more: readonly string[]): string {
    const { explicit, options } = this.source;
    const [name, variable] = [`${NAMESPACE}${setting}`, environmentName(setting)];
    const set = `export ${variable}=${example}`;
    if (explicit)
      return this.problem(
        setting,
        `${setting} is missing`,
        `give the Provider its input ${setting}`,
        ...more,
      );
    if (options !== undefined) return this.problem(setting, `${variable} is missing`, set);
    const command = `pulumi config set ${flag}${name} ${example}`;
    return this.problem(setting, `${name} is missing`, command, `or keep it out of the stack: ${set}`);
  }

  /** @throws SettingsError as a last defence without the token */
  finish(token: string): void {
    if (this.problems.length === 0) return;
    const scrub = (text: string | number): string =>
      token.length < 4 ? String(text) : String(text).split(token).join(hiddenText);
    throw new SettingsError(
      this.problems.map(({ parts: { detail, hint }, ...problem }) => ({
        ...problem,
        parts: { detail: scrub(detail), hint: scrub(hint) },
      })),
    );
  }
}

function faultOf(address: string, token: string): string | undefined {
  // A text without a scheme may be the token in the wrong place.
  if (address === token || !/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address))
    return "is not an address (its value is not shown, because it may be the token)";
  const { username, password, protocol, hostname } = new URL(address);
  if (username !== "" || password !== "") return "must not hold a user name or a password";
  if (/[?#]/.test(address)) return "must end with its path, without a query or a fragment";
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname))
    ? undefined
    : "does not begin with https:// (http:// is for loopback addresses only)";
}

function show(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

export function isLoopback(hostname: string): boolean {
  return /^(localhost|\[?::1\]?|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(hostname);
}
