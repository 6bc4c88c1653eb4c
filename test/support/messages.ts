import { createClient } from "../../provider/api";
import { expandSpecs } from "../../provider/dns";
import { readZoneFile } from "../../provider/dns/zone-file";
import { canonicalInputs } from "../../provider/lifecycle/inputs";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { isError, renderAll } from "../../provider/problems";
import { parseSettings, SettingsError } from "../../provider/settings";
import { errorText } from "../../provider/support/text";
import type { StartOptions } from "../../emulator";
import { hostOf, startLab, type Lab } from "./lab";
import { collectingReporter } from "./reporter";

export interface Run {
  readonly title: string;
  readonly shown: readonly string[];
}

type Specs = Parameters<typeof expandSpecs>[1];
const failed = (problems: Parameters<typeof renderAll>[0]) =>
  renderAll(problems).map((text) => `error: ${text}`);

const mistakes: readonly (readonly [title: string, records: Specs])[] = [
  ["An address with a typing error", ["www A 192.0.2.256"]],
  ["A host where an address belongs", ["www A www.example.net."]],
  ["A target without its domain", [{ name: "www", type: "CNAME", value: "web" }]],
  ["An MX record without a priority", [{ type: "MX", value: "mx1.example.net" }]],
  ["A CNAME at the apex with other records", ["@ CNAME www.example.net.", "@ MX 10 mx1.example.net."]],
  ["A CNAME beside other data", ["www CNAME web.example.net.", "www A 192.0.2.1"]],
  ["The same record twice", ["www A 192.0.2.1", "www A 192.0.2.1"]],
  ["A TTL with a unit that is unknown", [{ name: "www", type: "A", value: "192.0.2.1", ttl: "5 minutes" }]],
  ["A TTL of zero", [{ name: "www", type: "A", value: "192.0.2.1", ttl: 0 }]],
  ["A misspelt type", ["www CNAM web.example.net."]],
  ["A misspelt field", [JSON.parse('{"name":"www","type":"A","value":"192.0.2.1","tll":600}')]],
  ["A label that is too long", [`${"a".repeat(64)} A 192.0.2.1`]],
  ["A name that repeats the domain", ["www.example.com A 192.0.2.1"]],
  [
    "An SRV record with three fields",
    [{ name: "_sip._tcp", type: "SRV", value: "10 5060 sip.example.net." }],
  ],
  ["A CAA record with an unknown tag", ['@ CAA 0 isue "ca.example.net"']],
  ["Two CNAME records at one name", ["www CNAME a.example.net.", "www CNAME b.example.net."]],
];

function mistakeRun([title, records]: (typeof mistakes)[number]): Run {
  const { problems } = expandSpecs("example.com", records, { defaultLine: "默认" });
  const level = problems.some(isError) ? "error: " : "warning: ";
  return { title, shown: renderAll(problems).map((text) => `${level}${text}`) };
}

const zoneFiles: readonly (readonly [title: string, text: string])[] = [
  ["A zone file with three errors", 'www 600 IN A 192.0.2.300\nmail IN MX mx1\n@ IN TXT "open\n'],
  ["A zone file of another domain", "$ORIGIN example.net.\nwww 600 IN A 192.0.2.1\n"],
];

function zoneFileRun([title, text]: (typeof zoneFiles)[number]): Run {
  const file = { file: "zones/example.com.zone", domain: "example.com", defaultLine: "默认" };
  return { title, shown: failed(readZoneFile(text, file).problems) };
}

const settings: readonly (readonly [title: string, config: Record<string, string>])[] = [
  ["Settings with two mistakes", { "legacydns:removal": "keep", "legacydns:indexDelay": "soon" }],
  ["A token in the address", { "legacydns:baseUrl": "https://user:word@dns.example.net/" }],
];

function settingsRun([title, config]: (typeof settings)[number]): Run {
  const env = { LEGACYDNS_LOGIN_TOKEN: "13490,6b5976c68aba5b14a0558b77c17c3932", HOME: "/home/user" };
  try {
    parseSettings({ config, env, explicit: false });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { title, shown: failed(error.problems) };
  }
  return { title, shown: [] };
}

function messagesOf(error: unknown): string[] {
  if (error instanceof Error && "reasons" in error && Array.isArray(error.reasons))
    return error.reasons.map(String);
  return [errorText(error)];
}

class Stack {
  private state: { id: string; inputs: Props; outs: Props } | undefined;
  readonly shown: string[] = [];

  constructor(private readonly lab: Lab) {}

  up(records: Specs): Promise<void> {
    return this.reporting(async (provider) => {
      const old = this.state;
      const given = canonicalInputs(expandSpecs("example.com", records, { defaultLine: "默认" }));
      const { inputs = {}, failures = [] } = await provider.check(old?.inputs ?? {}, { ...given });
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
      if (old !== undefined) await provider.diff(old.id, old.outs, inputs);
      try {
        const done =
          old === undefined
            ? await provider.create(inputs)
            : { id: old.id, ...(await provider.update(old.id, old.outs, inputs)) };
        this.state = { ...done, inputs };
      } catch (error) {
        if (error instanceof Error && "id" in error && "properties" in error)
          this.state = { id: String(error.id), inputs, outs: error.properties as Props };
        throw error;
      }
    });
  }

  refresh(): Promise<void> {
    return this.reporting(async (provider) => {
      if (this.state === undefined) return;
      const { props = {}, inputs = {} } = await provider.read(this.state.id, this.state.outs);
      this.state = { ...this.state, outs: props, inputs };
    });
  }

  destroy(): Promise<void> {
    return this.reporting(async (provider) => {
      if (this.state) await provider.delete(this.state.id, this.state.outs);
    });
  }

  private async reporting(work: (provider: Lifecycle) => Promise<void>): Promise<void> {
    const { clock, settings } = this.lab;
    const reporter = collectingReporter();
    const client = createClient({ settings, clock, reporter });
    const host = hostOf({ client, clock, settings }, reporter);
    try {
      await work(recordsProvider(recordBatchForm, (operation) => operation(host)));
      host.reconciler.journal.close();
    } catch (error) {
      for (const text of messagesOf(error)) reporter.error(text);
    } finally {
      await client.close();
    }
    const marks = { info: "", warn: "warning: ", error: "error: " };
    for (const { level, text } of reporter.lines)
      if (level !== "progress") this.shown.push(`${marks[level]}${text}`);
  }
}

type Work = (stack: Stack, lab: Lab) => unknown;

interface FaultCase {
  readonly title: string;
  readonly service?: StartOptions;
  readonly settings?: Record<string, string>;
  readonly before?: Work;
  readonly shown?: Work;
}

const four = [
  "@ 600 MX 10 mx1.example.net.",
  "www 600 A 192.0.2.1",
  "api 600 A 192.0.2.2",
  "old 600 A 192.0.2.3",
];
const edited = [
  "@ 600 MX 10 mx1.example.net.",
  "www 300 A 192.0.2.1",
  "api 600 A 192.0.2.22",
  "new 600 A 192.0.2.4",
];
const create: Work = (stack) => stack.up(four);

const faults: readonly FaultCase[] = [
  {
    title: "A wrong token",
    settings: { LEGACYDNS_LOGIN_TOKEN: "13490,00000000000000000000000000000000" },
  },
  {
    title: "A locked domain",
    before: (_, { admin }) => admin.setDomain("example.com", { status: "lock" }),
  },
  {
    title: "HTTP 500 from every call",
    before: (_, { admin }) => admin.addFault({ kind: "http", status: 500 }),
  },
  {
    title: "A stuck job",
    service: { settings: { stickAfter: 2 } },
    settings: { LEGACYDNS_JOB_TIMEOUT: "1" },
  },
  {
    title: "A lost answer",
    before: (_, { admin }) => admin.addFault({ kind: "refused", operation: "Batch.Record.Create" }),
    settings: { LEGACYDNS_JOB_TIMEOUT: "1" },
  },
  {
    title: "An edit in documented mode",
    before: create,
    shown: (stack) => stack.up(edited),
  },
  {
    title: "A hand edit in the console",
    before: async (stack, lab) => {
      await stack.up(four);
      lab.edit("www", { enabled: false });
    },
    shown: async (stack) => {
      await stack.refresh();
      await stack.up(four);
    },
  },
  {
    title: "A safety gate",
    service: { settings: { undocumented: true } },
    settings: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
    before: (stack) => stack.up(Array.from({ length: 20 }, (_, i) => `h${i} 600 A 192.0.2.${i}`)),
    shown: (stack) => stack.up(["h0 600 A 192.0.2.0"]),
  },
  {
    title: "The package's limit of TTLs",
    shown: (stack) => stack.up(["www 1 A 192.0.2.1"]),
  },
  {
    title: "A line that the package does not have",
    shown: (stack) => stack.up([{ name: "www", type: "A", value: "192.0.2.1", line: "telecom" }]),
  },
  {
    title: "A domain that has left the account",
    before: async (stack, { admin }) => {
      await stack.up(four);
      admin.removeDomain("example.com");
    },
    shown: (stack) => stack.refresh(),
  },
  {
    title: "A destroy in documented mode",
    before: create,
    shown: (stack) => stack.destroy(),
  },
];

async function faultRun({ title, service, settings, before, shown = create }: FaultCase): Promise<Run> {
  const lab = await startLab(service, settings);
  const folder = lab.settings.stateDir ?? "";
  try {
    const stack = new Stack(lab);
    await before?.(stack, lab);
    stack.shown.length = 0;
    await shown(stack, lab);
    const same = (text: string) =>
      text.replaceAll(folder, "STATE_FOLDER").replace(/(?<=login-stopped-)[0-9a-f]+/, "DIGEST");
    return { title, shown: stack.shown.map(same) };
  } finally {
    await lab.close();
  }
}

export async function messageRuns(): Promise<{ mistakes: Run[]; faults: Run[] }> {
  const found: Run[] = [];
  for (const each of faults) found.push(await faultRun(each));
  return {
    mistakes: [...mistakes.map(mistakeRun), ...zoneFiles.map(zoneFileRun), ...settings.map(settingsRun)],
    faults: found,
  };
}
