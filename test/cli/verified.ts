/** Runs of `verify` on a state file and a zone of the service. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createSocket } from "node:dgram";
import { join } from "node:path";
import type { RecordInput } from "../../emulator/service/schemas";
import type { Emulator, StartOptions } from "../../emulator";
import type { Clock } from "../../provider/support/clock";
import { expandSpecs, zoneText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { cli, inFolder, withService, type CliRun } from "./run";

const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
export const sealed = (letter: string): object => ({ ...secretMark, ciphertext: `v1:${letter}` });

export function resource(type: string, more: object): object {
  const full = `pulumi-nodejs:dynamic/legacydns:${type}`;
  return { urn: `urn:pulumi:test::zones::${full}::web`, type: full, ...more };
}

export function batch(lines: readonly string[], more: object = {}): object {
  const { problems, ...contents } = expandSpecs("example.com", lines, { defaultLine: "默认" });
  assert.deepEqual(problems.filter(isError), []);
  const props = { domains: ["example.com"], records: zoneText(contents) };
  return resource("RecordBatch", { inputs: props, outputs: props, ...more });
}

export const apex = [batch(["@ A 192.0.2.1"])];
export const a = (value: string, name = "@", more: Partial<RecordInput> = {}): RecordInput => ({
  name,
  type: "A",
  value,
  ...more,
});

/** A state file of the resources, for as long as `tell` takes. */
export const withState = (
  resources: readonly object[],
  tell: (file: string) => Promise<void>,
): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
    await tell(file);
  });

export const verify = (
  file: string,
  server: number | null,
  args: readonly string[] = [],
  clock?: Clock,
  onTerminal?: (text: string) => void,
) =>
  cli(
    ["verify", "--state", file, "--server", `127.0.0.1:${String(server)}`, "--timeout", "1", ...args],
    {},
    clock,
    onTerminal,
  );

/** The result of verify for a zone on the service and a declaration. */
export async function verified(
  zone: readonly RecordInput[],
  resources: readonly object[],
  args: readonly string[] = [],
  domain: Exclude<NonNullable<StartOptions["domains"]>[0], string> = { name: "example.com" },
  clockOf?: (service: Emulator) => Clock,
  onTerminal?: (text: string) => void,
): Promise<CliRun> {
  const runs: CliRun[] = [];
  await withService(
    { domains: [{ ...domain, records: [...zone] }, "example.net"], dnsPort: 0 },
    (_env, service) =>
      withState(resources, async (file) => {
        runs.push(await verify(file, service.dnsPort, args, clockOf?.(service), onTerminal));
        assert.deepEqual(service.admin.counts(), {});
      }),
  );
  const [run] = runs;
  assert.ok(run);
  return run;
}

export async function withMute(tell: (port: number) => Promise<void>): Promise<void> {
  const mute = createSocket("udp4");
  await new Promise<void>((bound) => mute.bind(0, "127.0.0.1", bound));
  try {
    await tell(mute.address().port);
  } finally {
    mute.close();
  }
}

/** A clock whose waits end at once, after an event. */
export function clockWith(meanwhile: (waits: number) => void = () => undefined): Clock {
  let [now, waits] = [0, 0];
  const sleep = (ms: number): Promise<void> => {
    now += ms;
    meanwhile((waits += 1));
    return Promise.resolve();
  };
  return { now: () => now, wall: () => now, resumed: () => 0, sleep };
}
