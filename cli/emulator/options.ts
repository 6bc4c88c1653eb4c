/** The options of the `emulator` command, read and checked. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { isLoopback, seedSchema, shapes, type SettingsInput, type StartOptions } from "../../emulator";
import { append } from "../../provider/support/collections";
import { errorText } from "../../provider/support/text";
import { readZones } from "./zones";

export interface Flags {
  readonly domain?: readonly string[];
  readonly zone?: readonly string[];
  readonly port: string;
  readonly dnsPort?: string;
  readonly host: string;
  readonly basePath: string;
  readonly token?: string;
  readonly indexDelay?: string;
  readonly identical?: string;
  readonly jobMs?: string;
  readonly lineNames?: string;
  readonly answers?: string;
  readonly withoutHold?: boolean;
  readonly undocumented?: boolean;
  readonly seed: string;
  readonly state?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export class BadOptions extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

export interface ReadOptions {
  readonly options: StartOptions;
  readonly warnings: readonly string[];
}

/** Options from flags, state file and zone files. @throws BadOptions with every problem at once */
export async function readOptions(flags: Flags): Promise<ReadOptions> {
  const problems: string[] = [];
  const ports = {
    seed: integer("seed", flags.seed, 4294967295, problems),
    port: integer("port", flags.port, 65535, problems),
    dnsPort: integer("dns-port", flags.dnsPort, 65535, problems),
  };
  const chosen = readSettings(flags, problems);
  if (flags.token === "") problems.push("--token must not be empty");
  const names = flags.domain ?? [];
  for (const name of names) {
    if (!/^[^\s.]+(\.[^\s.]+)+\.?$/.test(name)) problems.push(`--domain must be a domain name, not ${name}`);
  }
  const state = flags.state === undefined ? undefined : await readState(flags.state, problems);
  const settings = { ...state?.settings, ...chosen };
  const zones = readZones(flags.zone ?? [], settings);
  append(problems, zones.problems);
  if (problems.length > 0) throw new BadOptions(problems);

  const domains = [...(state?.domains ?? []), ...zones.domains, ...names];
  const { token, host, basePath } = flags;
  return {
    options: {
      ...ports,
      accounts: state?.accounts,
      domains: domains.length > 0 ? domains : undefined,
      settings,
      token,
      host,
      basePath,
    },
    warnings: [...(isLoopback(host) ? [] : [reachable(host)]), ...zones.warnings],
  };
}

const reachable = (host: string): string =>
  `--host ${host} opens the emulator to other machines: whoever reaches it can change every zone under /_admin, without a token`;

function readSettings(flags: Flags, problems: string[]): SettingsInput {
  const indexDelay = flags.indexDelay === undefined ? undefined : Number(flags.indexDelay);
  if (
    indexDelay !== undefined &&
    !(indexDelay >= 0 && flags.indexDelay?.trim() !== "" && Number.isFinite(indexDelay))
  ) {
    problems.push(`--index-delay must be a number of seconds from 0, not ${flags.indexDelay ?? ""}`);
  }
  return defined({
    indexDelay,
    identical: oneOf("identical", flags.identical, ["refuse", "accept"], problems),
    jobMs: integer("job-ms", flags.jobMs, 3_600_000, problems),
    lineNames: oneOf("line-names", flags.lineNames, ["chinese", "english"], problems),
    answers: oneOf("answers", flags.answers, shapes, problems),
    hold: flags.withoutHold === true ? false : undefined,
    undocumented: flags.undocumented,
  });
}

function integer(
  name: string,
  text: string | undefined,
  most: number,
  problems: string[],
): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  problems.push(`--${name} must be a whole number from 0 to ${most}, not ${text}`);
  return undefined;
}

function oneOf<T extends string>(
  name: string,
  text: string | undefined,
  words: readonly T[],
  problems: string[],
): T | undefined {
  const word = words.find((known) => known === text);
  if (text !== undefined && word === undefined)
    problems.push(`--${name} must be ${words.join(" or ")}, not ${text}`);
  return word;
}

async function readState(file: string, problems: string[]): Promise<z.output<typeof seedSchema> | undefined> {
  try {
    return seedSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    problems.push(`--state ${file} ${stateProblem(error)}`);
    return undefined;
  }
}

function stateProblem(error: unknown): string {
  const form =
    "A state file is JSON with accounts, domains and settings; a running emulator writes one at /_admin/snapshot";
  if (error instanceof z.ZodError)
    return `is JSON, but no state file: ${z
      .prettifyError(error)
      .replaceAll(/\s*\n(?!✖)\s*/g, " ")
      .replaceAll("\n", "; ")
      .replaceAll("✖ ", "")}. ${form}`;
  if (error instanceof SyntaxError) return `is no JSON (${error.message}). ${form}`;
  switch ((error as NodeJS.ErrnoException).code ?? "") {
    case "ENOENT":
      return `cannot be read: there is no such file. Check the path, or leave --state out for an empty zone. ${form}`;
    case "EISDIR":
      return `cannot be read: it is a folder. Name the file in it. ${form}`;
    case "EACCES":
    case "EPERM":
      return `cannot be read: this user may not read it. Change its permissions, or name another file. ${form}`;
    default:
      return `cannot be read: ${errorText(error)}. ${form}`;
  }
}

function defined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
