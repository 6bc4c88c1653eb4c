/** The objects that all resources of one provider process share. */
import { type Client, createClient, createHttpTransport } from "../api";
import { systemClock, type Clock } from "../support/clock";
import { Reconciler } from "../reconcile/reconciler";
import { Shares } from "../reconcile/shares";
import type { Reporter } from "../support/reporter";
import { parseSettings, type Settings } from "../settings";
import { defined } from "../support/defined";
import type { Ending } from "./ending";
import { planVariable } from "./plan-file";
import { PlanReport } from "./plan-report";

export interface Host {
  readonly settings: Settings;
  readonly client: Client;
  readonly reconciler: Reconciler;
  readonly shares: Shares;
  readonly reporter: Reporter;
  readonly clock: Clock;
  /** In a run of `pulumi-legacydns plan`. */
  readonly report?: PlanReport;
}

export interface FrontEnd {
  readonly config: Readonly<Record<string, unknown>>;
  readonly explicit: boolean;
  readonly reporter: Reporter;
  readonly engine: string | undefined;
  readonly programRan: () => Promise<boolean>;
  readonly ending: Ending;
}

export type Operate = <T>(work: (host: Host) => Promise<T>) => Promise<T>;

export function makeHost({ config, explicit, reporter, engine, programRan, ending }: FrontEnd): Host {
  const settings = parseSettings({ config, env: process.env, explicit });
  const file = process.env[planVariable] ?? "";
  const isPlan = file !== "";
  const transport = ending.guard(createHttpTransport(settings), isPlan);
  const client = createClient({ settings, reporter, transport });
  const reconciler = new Reconciler({
    client,
    settings,
    reporter,
    clock: systemClock,
    programRan,
    project: process.env["PULUMI_PROJECT"] ?? "",
    ...(engine === undefined ? {} : { engine }),
  });
  ending.watch(reconciler, reporter);
  return {
    settings,
    client,
    reporter,
    clock: systemClock,
    reconciler,
    shares: new Shares(client, settings, reconciler.journal.handover),
    ...defined({ report: isPlan ? new PlanReport(file, reconciler, settings) : undefined }),
  };
}
