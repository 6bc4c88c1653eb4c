/**
 * Address, token and contact of the service, for all commands: from the environment, then from the stack's
 * configuration. The token is never an argument, because other users can see a process's arguments.
 */
import { resolve } from "node:path";
import { z } from "zod";
import type { Reason } from "../provider/problems";
import { projectFolder } from "../provider/resources/zone-files";
import { environmentName, parseSettings, SettingsError, type Settings } from "../provider/settings";
import { settingIn } from "./command";
import { CommandError } from "./errors";
import { pulumiOutput, type StackChoice } from "./pulumi";
import { parseJson } from "./resources";
import type { Terminal } from "./terminal";

export interface ServiceChoice extends StackChoice {
  readonly baseUrl?: string;
}

const fromStack = ["baseUrl", "loginToken", "loginTokenEnv", "contact"] as const;
type Configuration = Readonly<Partial<Record<(typeof fromStack)[number], string | undefined>>>;

/** @throws SettingsError or CommandError if the address or the token is missing */
export async function settingsFor(terminal: Terminal, choice: ServiceChoice): Promise<Settings> {
  return (await find(terminal, choice)).parse();
}

/** Undefined without an address, or if only the stack has the address and there is no token. */
export async function settingsIfGiven(
  terminal: Terminal,
  choice: ServiceChoice,
): Promise<Settings | undefined> {
  const { env, config, parse } = await find(terminal, choice);
  const isOfUser = choice.baseUrl !== undefined || settingIn(env, "baseUrl") !== undefined;
  const hasToken = hasTokenIn(env) || (config.loginToken ?? config.loginTokenEnv) !== undefined;
  return isOfUser || (config.baseUrl !== undefined && hasToken) ? parse() : undefined;
}

async function find(terminal: Terminal, choice: ServiceChoice) {
  const { baseUrl } = choice;
  const env =
    baseUrl === undefined ? terminal.env : { ...terminal.env, [environmentName("baseUrl")]: baseUrl };
  const isWhole =
    hasTokenIn(env) && ["baseUrl", "contact"].every((name) => settingIn(env, name) !== undefined);
  const isProject = isInProject(choice);
  const { config, failure } = isWhole || !isProject ? { config: {} } : await configured(terminal, choice);
  const flag = baseUrl === undefined ? {} : { baseUrl: "--base-url" };
  const options = isProject && baseUrl === undefined ? {} : { options: flag };
  const parse = (): Settings => {
    try {
      return parseSettings({ config, env, explicit: false, ...options });
    } catch (error) {
      if (!(error instanceof SettingsError) || failure === undefined) throw error;
      throw new CommandError(...error.problems, failure);
    }
  };
  return { env, config, parse };
}

function hasTokenIn(env: Terminal["env"]): boolean {
  return ["loginToken", "loginTokenEnv"].some((name) => settingIn(env, name) !== undefined);
}

export function isInProject({ stack, cwd = "" }: StackChoice): boolean {
  return stack !== undefined || projectFolder(resolve(cwd)) !== undefined;
}

const configuration = z.record(z.string(), z.object({ value: z.string().optional() }));

async function configured(
  terminal: Terminal,
  choice: StackChoice,
): Promise<{ readonly config: Configuration; readonly failure?: Reason | undefined }> {
  try {
    const out = await pulumiOutput(terminal, choice, ["config", "--json", "--show-secrets"]);
    const read = configuration.safeParse(parseJson(out)).data ?? {};
    return { config: Object.fromEntries(fromStack.map((name) => [name, read[`legacydns:${name}`]?.value])) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { config: {}, failure: error.reasons[0] };
  }
}
