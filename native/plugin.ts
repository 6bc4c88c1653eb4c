/** The plugin: one process with one configuration, which serves all resource types. */
import { isDeepStrictEqual } from "node:util";
import type { EngineLine } from "../provider/support/engine-line";
import { DeclaredOnce } from "../provider/lifecycle/declared-once";
import { Ending } from "../provider/lifecycle/ending";
import { makeHost, type Host, type Operate } from "../provider/lifecycle/host";
import { unknownValue, type Props } from "../provider/lifecycle/lifecycle";
import { parseSettings, SettingsError } from "../provider/settings";
import { LookUps } from "./invoke";
import { domainShareType } from "./types/domain-share";
import { recordType } from "./types/record";
import { recordBatchType } from "./types/record-batch";
import type { NativeType, Run } from "./types/type";
import { zoneType } from "./types/zone";

/** Inputs that the engine or an SDK adds. */
const foreign = new Set(["version", "pluginDownloadURL"]);

interface Configuration {
  readonly config: Props;
  readonly explicit: boolean;
}

const configuredTwice =
  "the plugin was configured before, with other settings. A process on this machine other than the engine may have " +
  "connected to it, and the login token may have gone to that process's address. Replace the token if you share this " +
  "machine with people you do not trust, then run the command again";

export class Plugin {
  readonly types: Readonly<Record<string, NativeType>>;
  readonly lookUps: LookUps;
  private readonly ending: Ending;
  private readonly declared = new DeclaredOnce();
  private configuration: Configuration | undefined;
  private host: Promise<Host> | undefined;

  constructor(readonly line: EngineLine) {
    this.ending = new Ending(line.address);
    // An engine may be killed before it configures the plugin.
    this.ending.watchEngine();
    const { operation } = this;
    this.types = {
      "legacydns:index:Record": recordType(operation),
      "legacydns:index:RecordBatch": recordBatchType(operation),
      "legacydns:index:Zone": zoneType(operation),
      "legacydns:index:DomainShare": domainShareType(operation),
    };
    this.lookUps = new LookUps(operation);
  }

  /** A stop waits for the operation. */
  readonly operation: Operate = async (work) => {
    this.ending.entered();
    try {
      return await work(await this.configured());
    } finally {
      this.ending.left();
    }
  };

  async run(): Promise<Run> {
    return { host: await this.configured(), declared: this.declared };
  }

  /** An unknown value is no problem. */
  problemsOf(config: Props, explicit: boolean): string[] {
    const unknown = Object.keys(config).filter((name) => config[name] === unknownValue);
    const known = Object.entries(config).filter(([name]) => !unknown.includes(name));
    try {
      const given = settingsOf(Object.fromEntries(known), explicit);
      parseSettings({ config: given, env: process.env, explicit });
      return [];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      // An error in one setting of the token may be caused by the other.
      const meant = (setting: string): string => (setting === "loginTokenEnv" ? "loginToken" : setting);
      const isUnknown = (setting: string): boolean => unknown.some((name) => meant(name) === meant(setting));
      return error.problems.flatMap(({ setting, message }) => (isUnknown(setting) ? [] : [message]));
    }
  }

  /**
   * @throws Error if another configuration came before: any process of this machine can connect to the port
   */
  configure(config: Props, explicit: boolean): void {
    const { line, ending } = this;
    const given = { config: settingsOf(config, explicit), explicit };
    if (this.configuration !== undefined && !isDeepStrictEqual(this.configuration, given))
      throw new Error(configuredTwice);
    this.configuration = given;
    this.host ??= (async () =>
      makeHost({
        ...given,
        reporter: line.reporter(),
        engine: line.address,
        programRan: () => line.programRan(),
        ending,
      }))();
    // Each operation reports the error. An unhandled rejection would end the process.
    this.host.catch(() => undefined);
  }

  cancel(): void {
    this.ending.cancel();
  }

  private async configured(): Promise<Host> {
    if (this.host === undefined) this.configure({}, false);
    return (await this.host) as Host;
  }
}

/** The stack's configuration has the prefix `legacydns:`; an explicit provider's inputs have none. */
function settingsOf(config: Props, explicit: boolean): Props {
  const entries = Object.entries(config).filter(([name]) => !foreign.has(name) && !name.startsWith("__"));
  return Object.fromEntries(entries.map(([name, value]) => [explicit ? name : `legacydns:${name}`, value]));
}
