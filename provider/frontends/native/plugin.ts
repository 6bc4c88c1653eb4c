/** One process with one configuration, which serves all resource types. */
import { isDeepStrictEqual } from "node:util";
import { ArgumentReader, failedCall, lookUps, problemsOf } from "../../functions/table";
import { Ending } from "../../lifecycle/ending";
import { makeHost, type Host, type Operate } from "../../lifecycle/host";
import { unknownValue, type Props } from "../../lifecycle/lifecycle";
import { reason, renderAll } from "../../problems";
import { Refusal } from "../../problems/refusal";
import { DeclaredOnce } from "../../resources/claims";
import { parseSettings, SettingsError } from "../../settings";
import type { EngineLine } from "../../support/engine-line";
import { domainShareType, recordBatchType, recordType, zoneType, type NativeType, type Run } from "./types";
import { entryOf } from "./wire";

const foreign = new Set(["version", "pluginDownloadURL"]);

const lookUpsByToken = Object.fromEntries(lookUps.map((each) => [`legacydns:index:${each.name}`, each]));

const configuredTwice = reason(
  "call.failed",
  {
    detail: "the plugin was configured before, with other settings",
    hint: "replace the token, if you do not trust everybody on this machine\nrun the command again",
  },
  undefined,
  "Another process of this machine may have received the token.",
);

export class Plugin {
  readonly types: Readonly<Record<string, NativeType>>;
  /** For `pulumi do`, which has no state. */
  isDirect = false;
  private readonly answers = new Map<string, Promise<object>>();
  private readonly ending: Ending;
  private readonly declared = new DeclaredOnce();
  private configuration: { readonly config: Props; readonly explicit: boolean } | undefined;
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
  }

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

  /** With an unknown value, the update reports them. */
  problemsOf(config: Props, explicit: boolean): string[] {
    if (Object.values(config).includes(unknownValue)) return [];
    try {
      parseSettings({ config: settingsOf(config, explicit), env: process.env, explicit });
      return [];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return renderAll(error.problems);
    }
  }

  /** Any process of this machine can connect to the port. */
  configure(config: Props, explicit: boolean): void {
    const { line, ending } = this;
    const given = { config: settingsOf(config, explicit), explicit };
    if (this.configuration !== undefined && !isDeepStrictEqual(this.configuration, given))
      throw new Refusal([configuredTwice]);
    this.configuration = given;
    this.host ??= (async () =>
      makeHost({
        ...given,
        reporter: line.reporter(),
        engine: line.address,
        programRan: () => line.programRan(),
        ending,
      }))();
    // An unhandled rejection would end the process.
    this.host.catch(() => undefined);
  }

  async lookUp(token: string, args: Props, secrets: readonly string[]): Promise<object> {
    const found = entryOf(lookUpsByToken, token);
    const reader = new ArgumentReader(found.name, args, found.arguments);
    const question = found.question(reader);
    if (reader.problems.length > 0) throw new Refusal(problemsOf(found.name, reader.problems));
    const key = JSON.stringify([found.name, question.request]);
    const answer =
      this.answers.get(key) ?? this.operation(({ client, settings }) => question.ask(client, settings));
    this.answers.set(key, answer);
    try {
      return await answer;
    } catch (error) {
      throw new Refusal([failedCall(found.name, error, secrets)]);
    }
  }

  cancel(): void {
    this.ending.cancel();
  }

  private async configured(): Promise<Host> {
    if (this.host === undefined) this.configure({}, false);
    return (await this.host) as Host;
  }
}

function settingsOf(config: Props, explicit: boolean): Props {
  const entries = Object.entries(config).filter(([name]) => !foreign.has(name) && !name.startsWith("__"));
  return Object.fromEntries(entries.map(([name, value]) => [explicit ? name : `legacydns:${name}`, value]));
}
