/** Runs of `verify` on a state file and a zone of the service. */
import { deepEqual } from "node:assert/strict";
import { createSocket } from "node:dgram";
import { join } from "node:path";
import type { DomainInput, Emulator, RecordInput, StartOptions } from "../../emulator";
import type { Clock } from "../../provider/support/clock";
import { expandSpecs, zoneText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { cli, inFolder, withService, write, type CliRun } from "./run";

const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
export const sealed = (letter: string): object => ({ ...secretMark, ciphertext: `v1:${letter}` });

export function resource(type: string, more: object): object {
  const full = `pulumi-nodejs:dynamic/legacydns:${type}`;
  return { urn: `urn:pulumi:test::zones::${full}::web`, type: full, ...more };
}

export function batch(lines: readonly string[], more: object = {}): object {
  const { problems, ...contents } = expandSpecs("example.com", lines, { defaultLine: "默认" });
  deepEqual(problems.filter(isError), []);
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
export const withState = <T>(resources: readonly object[], tell: (file: string) => Promise<T>): Promise<T> =>
  inFolder(async (folder) => {
    write(folder, { "state.json": JSON.stringify({ version: 3, deployment: { resources } }) });
    return tell(join(folder, "state.json"));
  });

interface VerifyOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock | undefined;
  readonly onTerminal?: ((text: string) => void) | undefined;
}

/** Verifies with the name server at a port of this machine. */
export const verify = (
  file: string,
  port: number | null,
  args: readonly string[] = [],
  { env, clock, onTerminal }: VerifyOptions = {},
) =>
  cli(
    ["verify", "--state", file, "--server", `127.0.0.1:${String(port)}`, "--timeout", "1", ...args],
    env,
    clock,
    onTerminal,
  );

/** A service whose zone of example.com is served as well. */
export const served = (records: readonly RecordInput[], domain: Partial<DomainInput> = {}): StartOptions => ({
  domains: [{ name: "example.com", ...domain, records: [...records] }, "example.net"],
  dnsPort: 0,
});

/** Verifies the declarations of resources with a served zone. */
export const verified = (
  zone: readonly RecordInput[],
  resources: readonly object[],
  args: readonly string[] = [],
  options: {
    readonly domain?: Partial<DomainInput>;
    readonly clockOf?: (service: Emulator) => Clock;
    readonly onTerminal?: (text: string) => void;
  } = {},
): Promise<CliRun> =>
  withService(served(zone, options.domain), (_env, service) =>
    withState(resources, async (file) => {
      const { clockOf, onTerminal } = options;
      const run = await verify(file, service.dnsPort, args, { clock: clockOf?.(service), onTerminal });
      deepEqual(service.admin.counts(), {});
      return run;
    }),
  );

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
  return { now: () => now, wall: () => now, sleep };
}
