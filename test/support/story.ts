import { deepEqual, doesNotMatch, equal, notEqual, ok } from "node:assert/strict";
import type { Emulator, RecordInput, StartOptions } from "../../emulator";
import { cli, type CliRun } from "../cli/run";
import { idsOf, recordOf, settingsOf, startService, writesOf, zoneLines } from "./service";
import { chosenFrontEnd, Stack, type FrontEnd, type Run, type StackOptions } from "./stack";

export { startService, zoneLines } from "./service";
export {
  type FrontEnd,
  type Run,
  type Running,
  Stack,
  chosenFrontEnd,
  installPackage,
  pluginFolder,
} from "./stack";

export interface StoryOptions extends Partial<StackOptions> {
  readonly service?: StartOptions;
}

type Admin = Emulator["admin"];

/** A method that gets no domain acts on example.com. */
export interface Story {
  readonly emulator: Emulator;
  readonly admin: Admin;
  readonly stack: Stack;
  readonly frontEnd: FrontEnd | undefined;
  /** Calls are cleared before. */
  up(...args: string[]): Promise<Run>;
  deploy(program: string, ...args: string[]): Promise<Run>;
  failing(...args: string[]): Promise<Run>;
  quietUp(): Promise<void>;
  /** The live records: `www A 192.0.2.1 600`. */
  lines(domain?: string): string[];
  ids(domain?: string): number[];
  writes(): number;
  /** Adds a record in the console: `www 600 A 192.0.2.1`. */
  add(line: string, more?: Partial<RecordInput>): number;
  edit(name: string, change: Parameters<Admin["setRecord"]>[2], type?: string): void;
  erase(name: string, more?: { readonly type?: string; readonly value?: string }): void;
}

export const fullMode = {
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
  service: { settings: { undocumented: true } },
};

/**
 * Declares a story that `npm run test:all` runs with each front end (CONTRIBUTING.md, Tests). A run that chooses no front
 * end runs the story once. The title then decides, so that each front end has about half of the stories.
 */
export function byBothFrontEnds(
  title: string,
  options: StoryOptions,
  tell: (story: Story) => Promise<void>,
): void {
  const frontEnd = chosenFrontEnd ?? (title.length % 2 === 0 ? "dynamic" : "native");
  it(`${title} (${frontEnd})`, () => story({ ...options, frontEnd }, tell));
}

export function byDynamicProvider(title: string, tell: () => Promise<void>): void {
  if (chosenFrontEnd !== "native") it(title, tell);
}

export async function story(options: StoryOptions, tell: (story: Story) => Promise<void>): Promise<void> {
  const emulator = await startService(options.service);
  let stack: Stack | undefined;
  try {
    const { service: _service, program = "", env, ...rest } = options;
    stack = await Stack.create({ ...rest, program, env: { ...settingsOf(emulator), ...env } });
    await tell(storyOf(emulator, stack, options.frontEnd));
  } finally {
    stack?.dispose();
    await emulator.close();
  }
}

function storyOf(emulator: Emulator, stack: Stack, frontEnd: FrontEnd | undefined): Story {
  const { admin } = emulator;
  const domain = "example.com";
  const run =
    (ends: typeof must) =>
    async (...args: string[]) => {
      admin.clearCalls();
      const ended = await ends(stack.up(...args));
      noStack(ended);
      return ended;
    };
  const up = run(must);
  return {
    emulator,
    admin,
    stack,
    frontEnd,
    up,
    deploy: async (program, ...args) => {
      stack.program(program);
      return up(...args);
    },
    failing: run(fails),
    quietUp: async () => {
      const { output } = await up();
      deepEqual(admin.counts(), {}, output);
      doesNotMatch(output, /\d+ (created|updated|deleted|replaced)/);
    },
    lines: (of = domain) => zoneLines(emulator, of),
    ids: (of = domain) => idsOf(emulator, of),
    writes: () => writesOf(emulator),
    add: (line, more) => admin.addRecord(domain, { ...recordOf(line), ...more }, { indexed: true }).id,
    edit: (name, change, type = "A") => admin.setRecord(domain, { name, type }, change),
    erase: (name, more) => admin.removeRecord(domain, { name, type: "A", ...more }),
  };
}

export function ours({ stack: { env, folder } }: OwnStack, ...args: string[]): Promise<CliRun> {
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return cli(
    [...args, "--cwd", folder, "--stack", "test"],
    Object.fromEntries(set) as Record<string, string>,
  );
}

export interface OwnStack {
  readonly stack: Pick<Stack, "env" | "folder">;
}

export async function must(run: Promise<Run>): Promise<Run> {
  const ended = await run;
  equal(ended.code, 0, ended.output);
  return ended;
}

export async function fails(run: Promise<Run>): Promise<Run> {
  const ended = await run;
  notEqual(ended.code, 0, ended.output);
  return ended;
}

export function noStack(run: Run): void {
  doesNotMatch(run.output, /^\s+at .*[(/]/m, run.output);
}

export function says(run: Run, ...expected: (string | RegExp)[]): void {
  for (const text of expected) {
    const found = typeof text === "string" ? run.output.includes(text) : text.test(run.output);
    ok(found, `expected ${String(text)} in:\n${run.output}`);
  }
}

/** The codes of the diagnostics about live records, sorted. Each appears once. */
export function liveCodesIn(output: string): string[] {
  return [...new Set([...output.matchAll(/\[(live\.[\w-]+)\]/g)].map(([, code = ""]) => code))].sort();
}

/** The ids of the records that diagnostics list, ascending, each once. The line of a planned change has its id in parentheses. */
export function listedIdsIn(output: string): number[] {
  const ids = [...output.matchAll(/ record (\d+)$/gm)].map(([, id]) => Number(id));
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** The engine names the resource that its provider refused, the program the others. */
export function problem(resource: string, text: string): RegExp {
  const [, type = "", name = ""] = /^(\w+) "(.*)"$/.exec(resource) ?? [];
  return new RegExp(`(?:${type} "${name}"|resource '${name}' has a problem): ${text}`, "s");
}

export function sentRecords(emulator: Emulator): string[][] {
  return emulator.admin.calls("Batch.Record.Create").map((call) => {
    const records = JSON.parse(String(call.params["records"])) as Record<
      "sub_domain" | "record_type" | "value",
      string
    >[];
    return records
      .flatMap((r) => r.sub_domain.split(",").map((name) => `${name} ${r.record_type} ${r.value}`))
      .sort();
  });
}
