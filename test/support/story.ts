/**
 * A story: an emulator, a real stack, and events between the two. `story` starts both and always removes
 * them. A failed expectation shows the command's whole output.
 */
import assert from "node:assert/strict";
import type { Emulator, StartOptions } from "../../emulator";
import { cli, type CliRun } from "../cli/run";
import { settingsOf, startService } from "./service";
import { chosenFrontEnd, frontEnds, Stack, type FrontEnd, type Run, type StackOptions } from "./stack";

export interface StoryOptions extends Partial<StackOptions> {
  readonly service?: StartOptions;
}

export interface Story {
  readonly emulator: Emulator;
  readonly stack: Stack;
  /** An `up` that must succeed. Its calls are in `emulator.admin`, cleared before. */
  up(...args: string[]): Promise<Run>;
  /** The same with another program. */
  deploy(program: string, ...args: string[]): Promise<Run>;
  /** An `up` that must fail; calls are cleared before. */
  failing(...args: string[]): Promise<Run>;
  /** An `up` that must succeed, change nothing and make no call. */
  quietUp(): Promise<void>;
}

/** A test with each front end, or with that of the run (docs/structure.md). */
export function byBothFrontEnds(title: string, tell: (frontEnd: FrontEnd) => Promise<void>): void {
  for (const frontEnd of chosenFrontEnd === undefined ? frontEnds : [chosenFrontEnd])
    it(`${title} (${frontEnd})`, () => tell(frontEnd));
}

/** A test for the dynamic provider alone. */
export function byDynamicProvider(title: string, tell: () => Promise<void>): void {
  if (chosenFrontEnd !== "native") it(title, tell);
}

/** Runs a story. By default the emulator has example.com and example.net, and no index delay. */
export async function story(options: StoryOptions, tell: (story: Story) => Promise<void>): Promise<void> {
  const emulator = await startService(options.service);
  let stack: Stack | undefined;
  try {
    const { service: _service, program = "", env, ...rest } = options;
    stack = await Stack.create({ ...rest, program, env: { ...settingsOf(emulator), ...env } });
    await tell(storyOf(emulator, stack));
  } finally {
    stack?.dispose();
    await emulator.close();
  }
}

function storyOf(emulator: Emulator, stack: Stack): Story {
  const up = async (...args: string[]): Promise<Run> => {
    emulator.admin.clearCalls();
    const run = await must(stack.up(...args));
    noStack(run);
    return run;
  };
  return {
    emulator,
    stack,
    up,
    deploy: async (program, ...args) => {
      stack.program(program);
      return up(...args);
    },
    failing: async (...args) => {
      emulator.admin.clearCalls();
      const run = await fails(stack.up(...args));
      noStack(run);
      return run;
    },
    quietUp: async () => {
      const run = await up();
      assert.deepEqual(emulator.admin.counts(), {}, run.output);
      assert.doesNotMatch(run.output, /\d+ (created|updated|deleted|replaced)/);
    },
  };
}

/** A command of `pulumi-legacydns` on a story's stack. */
export function ours({ stack }: OwnStack, ...args: string[]): Promise<CliRun> {
  const env = Object.entries(stack.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return cli(
    [...args, "--cwd", stack.folder, "--stack", "test"],
    Object.fromEntries(env) as Record<string, string>,
  );
}

export interface OwnStack {
  readonly stack: Pick<Stack, "env" | "folder">;
}

/** A run that must succeed. */
export async function must(run: Promise<Run>): Promise<Run> {
  const ended = await run;
  assert.equal(ended.code, 0, ended.output);
  return ended;
}

/** A run that must fail. */
export async function fails(run: Promise<Run>): Promise<Run> {
  const ended = await run;
  assert.notEqual(ended.code, 0, ended.output);
  return ended;
}

/** The command line never shows where in our code something was thrown. */
export function noStack(run: Run): void {
  assert.doesNotMatch(run.output, /^\s+at .*[(/]/m, run.output);
}

/** Asserts that an output contains texts. A failure shows the whole output. */
export function says(run: Run, ...expected: (string | RegExp)[]): void {
  for (const text of expected) {
    const found = typeof text === "string" ? run.output.includes(text) : text.test(run.output);
    assert.ok(found, `expected ${String(text)} in:\n${run.output}`);
  }
}

/**
 * How a resource's problem begins: the engine names the resource that its provider refused, the program the others.
 * @param resource `Record "www"`
 * @param text what follows, as a pattern
 */
export function problem(resource: string, text: string): RegExp {
  const [, type = "", name = ""] = /^(\w+) "(.*)"$/.exec(resource) ?? [];
  return new RegExp(`(?:${type} "${name}"|resource '${name}' has a problem): ${text}`, "s");
}

/** The records that the calls of Batch.Record.Create asked for, as `www A 192.0.2.1`. */
export function sentRecords(emulator: Emulator): string[][] {
  return emulator.admin.calls("Batch.Record.Create").map((call) => {
    const records = JSON.parse(String(call.params["records"])) as {
      sub_domain: string;
      record_type: string;
      value: string;
    }[];
    return records
      .flatMap((r) => r.sub_domain.split(",").map((name) => `${name} ${r.record_type} ${r.value}`))
      .sort();
  });
}
