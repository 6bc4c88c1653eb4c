/** The reconciler against the emulator over HTTP, without an engine: stories of zones, declarations and calls. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator, StartOptions } from "../../emulator";
import { createClient, type Client } from "../../provider/api";
import type { Clock } from "../../provider/support/clock";
import { expandSpecs } from "../../provider/dns";
import { type Declaration, createOnly } from "../../provider/reconcile/declaration";
import { Reconciler } from "../../provider/reconcile/reconciler";
import type { Host } from "../../provider/lifecycle/host";
import type { Reporter } from "../../provider/support/reporter";
import { Shares } from "../../provider/reconcile/shares";
import { quickClock } from "./quick-clock";
import { collectingReporter } from "./reporter";
import { parseSettings, type Settings } from "../../provider/settings";
import { isError, shown } from "../../provider/problems";
import { settingsOf, startService } from "./service";

export interface Lab {
  readonly service: Emulator;
  readonly client: Client;
  readonly settings: Settings;
  /** The time of all of it: of the service, of the client and of every process. */
  readonly clock: Clock;
  /** A new process: only the disk survives. */
  reconciler(): Reconciler;
  close(): Promise<void>;
}

export async function startLab(
  options: StartOptions = {},
  settings: Record<string, string> = {},
): Promise<Lab> {
  const clock = quickClock();
  const service = await startService({ now: () => clock.wall(), ...options });
  const stateDir = mkdtempSync(join(tmpdir(), "legacydns-lab-"));
  const env = { ...settingsOf(service), LEGACYDNS_STATE_DIR: stateDir, ...settings };
  const parsed = parseSettings({ config: {}, env, explicit: false });
  const client = createClient({ settings: parsed, clock });
  return {
    service,
    client,
    settings: parsed,
    clock,
    reconciler: () => new Reconciler({ client, settings: parsed, clock, reporter: collectingReporter() }),
    close: async () => {
      await client.close();
      await service.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** The host of a new provider process. */
export function hostOf(
  { client, clock, settings }: Pick<Lab, "client" | "clock" | "settings">,
  reporter: Reporter,
): Host {
  const reconciler = new Reconciler({ client, settings, clock, reporter });
  return { client, settings, reconciler, reporter, shares: new Shares(client, settings) };
}

/**
 * A declaration from presentation lines, such as `www 600 A 192.0.2.1`. If it is sensitive, every value is
 * secret.
 */
export function declare(
  domain: string | readonly string[],
  lines: readonly string[],
  more: Partial<Declaration> = {},
): Declaration {
  const { records, problems } = expandSpecs(domain, lines, { defaultLine: "默认" });
  const errors = problems.filter(isError);
  if (errors.length > 0) throw new Error(errors.map(shown).join("\n"));
  const marked =
    more.sensitive === true ? records.map((record) => ({ ...record, secret: true as const })) : records;
  return {
    records: marked,
    removal: "verify",
    adopt: true,
    sensitive: false,
    removalSetBy: "stack",
    may: createOnly,
    ...more,
  };
}
