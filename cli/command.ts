/** The common parts of all commands. */
import { Command, InvalidArgumentError } from "commander";
import type { Client, DomainSummary } from "../provider/api";
import { canonicalDomain } from "../provider/dns";
import { environmentName, type Settings } from "../provider/settings";
import { CommandError, explain, usage } from "./errors";
import { sharedOption } from "./options";
import { exitCodes, log, type Part, type Terminal } from "./terminal";

export const programName = "pulumi-legacydns";

class DiagnosedCommand extends Command {
  override error(message: string): never {
    const [detail = "", hint = ""] = message.replace(/^error: /, "").split(/\n|(?<= is invalid)\. /);
    const name = this.name() === programName ? "" : this.name();
    throw new CommandError(usage(name, detail, hint.replace(/^\((.*)\)$/, "$1")));
  }
}

interface CommandHelp {
  readonly purpose: string;
  /** The meaning of each exit code, from 0. */
  readonly exits: readonly string[];
  readonly examples: readonly string[];
  readonly options?: readonly Parameters<typeof sharedOption>[0][];
}

export function newCommand(
  name: string,
  terminal: Terminal,
  { purpose, exits, examples, options = [] }: CommandHelp,
): Command {
  const endings = exits.map((meaning, code) => `  ${code}  ${meaning}`);
  const command = new DiagnosedCommand(name)
    .description(purpose)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
    })
    .addHelpText("after", ["", "Exit codes:", ...endings].join("\n"))
    .addHelpText("after", ["", "Examples:", ...examples.map((line) => `  $ ${line}`)].join("\n"));
  for (const each of options) command.addOption(sharedOption(each));
  return command;
}

/** @param failed the object to print after a failure, if the command prints JSON */
export async function guarded(
  terminal: Terminal,
  isJson: boolean | undefined,
  work: () => number | Promise<number>,
  failed = (problems: readonly string[]): object => ({ ok: false, problems }),
): Promise<void> {
  try {
    terminal.exitCode = await work();
  } catch (error) {
    const problems = explain(error);
    if (isJson) printJson(terminal, failed(problems));
    log(terminal, "error", problems);
    terminal.exitCode = exitCodes.trouble;
  }
}

export function print(terminal: Terminal, lines: readonly Part[]): void {
  for (const line of lines) terminal.out.line(line);
}

export function printJson(terminal: Terminal, value: object): void {
  terminal.out.write(jsonText(value));
}

export function jsonText(value: object): string {
  return `${JSON.stringify({ version: 1, ...value }, null, 2)}\n`;
}

/** A setting of the environment. A blank one counts as missing. */
export function settingIn(env: Terminal["env"], setting: string): string | undefined {
  return env[environmentName(setting)]?.trim() || undefined;
}

export function defaultLineIn(env: Terminal["env"]): string {
  return settingIn(env, "defaultLine") ?? "默认";
}

export function domainOf(text: string): string {
  const found = canonicalDomain(text);
  if ("problem" in found) throw new CommandError(found.problem);
  return found.domain;
}

/** As A-labels. A name that is no domain stays as the service lists it. */
export function listedName({ name, punycode }: DomainSummary): string {
  const found = canonicalDomain(punycode ?? name);
  return "domain" in found ? found.domain : name;
}

export async function withClient<T>(
  terminal: Terminal,
  settings: Settings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const reporter = terminal.err.reporter();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- offline commands need no schemas of answers
  const { createClient } = require("../provider/api") as typeof import("../provider/api");
  const client = createClient({ settings, reporter });
  try {
    return await work(client);
  } finally {
    reporter.clear();
    await client.close();
  }
}

export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`write a whole number from ${low} to ${high}`);
  };
}
