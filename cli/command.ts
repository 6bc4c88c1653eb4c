/**
 * The common parts of all commands. The token comes from the environment only, because other users can see
 * a process's arguments.
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { createClient, type Client } from "../provider/api";
import { canonicalDomain } from "../provider/dns";
import { DomainNotInAccount } from "../provider/reconcile/zones/listing";
import { streamReporter } from "../provider/support/reporter";
import { clause } from "../provider/support/text";
import { environmentName, parseSettings, type Settings } from "../provider/settings";
import { reason, type Reason } from "../provider/problems";
import { CommandError, explain, usage } from "./errors";
import { exitCodes, log, type Terminal } from "./terminal";

export const programName = "pulumi-legacydns";

/** Throws all wrong options as one CommandError. */
class CheckedCommand extends Command {
  private readonly wrong: Reason[] = [];

  override addOption(option: Option): this {
    const parse = option.parseArg;
    if (parse !== undefined)
      option.argParser((text, before: unknown) => {
        try {
          return parse.call(option, text, before);
        } catch (error) {
          if (!(error instanceof InvalidArgumentError)) throw error;
          const detail = `option '${option.flags}' argument '${text}' is invalid`;
          this.wrong.push(this.wrongUsage(detail, error.message));
          return before;
        }
      });
    return super.addOption(option);
  }

  refuseWrong(): void {
    if (this.wrong.length > 0) throw new CommandError(...this.wrong);
  }

  override error(message: string): never {
    const [detail = "", suggestion = ""] = message.replace(/^error: /, "").split("\n");
    throw new CommandError(...this.wrong, this.wrongUsage(detail, suggestion.replace(/^\((.*)\)$/, "$1")));
  }

  private wrongUsage(detail: string, hint: string): Reason {
    return usage(this.name() === programName ? "" : this.name(), detail, hint);
  }
}

/** A command that writes to the terminal, and throws where commander ends the process. */
export function newCommand(name: string, terminal: Terminal, examples: readonly string[]): Command {
  const command = new CheckedCommand(name);
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
    })
    .hook("preAction", () => {
      command.refuseWrong();
    })
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

export async function guarded(
  terminal: Terminal,
  work: () => Promise<number>,
  failed?: (problems: readonly string[]) => object,
): Promise<void> {
  try {
    terminal.exitCode = await work();
  } catch (error) {
    const problems = explain(error);
    if (failed !== undefined) printJson(terminal, failed(problems));
    log(terminal, "error", problems);
    terminal.exitCode = exitCodes.trouble;
  }
}

export function print(terminal: Terminal, lines: readonly string[]): void {
  if (lines.length > 0) terminal.out.write(`${lines.join("\n")}\n`);
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function defaultLineIn(env: Terminal["env"]): string {
  const line = (env["LEGACYDNS_DEFAULT_LINE"] ?? "").trim();
  return line === "" ? "默认" : line;
}

export function stackOption(): Option {
  return new Option("--stack <name>", "the stack (default: the selected one)");
}

export function folderOption(): Option {
  return new Option("--cwd <folder>", "the project's folder (default: this one)");
}

export function baseUrlOption(): Option {
  return new Option(
    "--base-url <url>",
    "address of the service (default: LEGACYDNS_BASE_URL); the token is LEGACYDNS_LOGIN_TOKEN",
  );
}

export function domainOf(text: string): string {
  const found = canonicalDomain(text);
  if ("problem" in found) throw new CommandError(found.problem);
  return found.domain;
}

/** @throws CommandError with a command for the parent domain, if the account has only that one */
export async function ofDomain<T>(command: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DomainNotInAccount) || error.parent === undefined) throw error;
    const hint = `pulumi-legacydns ${command} ${error.parent}`;
    throw new CommandError(reason("zone.refused", { detail: clause(error.happened), hint }));
  }
}

const needed = [
  ["baseUrl", "the address of the service's interface", "https://HOST/PATH"],
  ["loginToken", "the token", "TOKEN"],
] as const;

/**
 * @param config values of a stack's configuration, by names such as `legacydns:baseUrl`
 * @throws CommandError or SettingsError with every problem at once
 */
export function settingsFor(
  terminal: Terminal,
  baseUrl: string | undefined,
  config: Readonly<Record<string, string>> = {},
): Settings {
  const env = {
    ...terminal.env,
    ...(baseUrl === undefined ? {} : { [environmentName("baseUrl")]: baseUrl }),
  };
  const pointer = env[environmentName("loginTokenEnv")] ?? "";
  const missing = needed.filter(
    ([name]) =>
      (env[environmentName(name)] ?? "").trim() === "" &&
      !(`legacydns:${name}` in config) &&
      !(name === "loginToken" && pointer !== ""),
  );
  if (missing.length > 0) {
    throw new CommandError(
      ...missing.map(([name, what, example]) => {
        const flag = name === "baseUrl" ? `\n--base-url ${example}` : "";
        return reason("setting.wrong", {
          detail: `${environmentName(name)} is not set: ${what}`,
          hint: `export ${environmentName(name)}=${example}${flag}`,
        });
      }),
    );
  }
  const options = baseUrl === undefined ? {} : { baseUrl: "--base-url" };
  return parseSettings({ config, env, explicit: false, options });
}

export async function withClient<T>(
  terminal: Terminal,
  settings: Settings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const reporter = streamReporter(terminal.err);
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
