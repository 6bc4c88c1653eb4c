/** The native plugin beside an empty program and a dynamic host, and its archive. */
import { execFileSync, spawn } from "node:child_process";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { statSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../cli/files";
import { ensureEngine } from "../scripts/engine/index";
import { root } from "../scripts/support/main";
import { bare } from "../test/support/native";
import { inTurns, large, ratioRow, rounds, withLabs, withoutCalls } from "./cost";
import { largeJobs, median, middle, plainRow, secondsOf, type Experiment, type Row } from "./lab";
import { batch } from "./programs";

interface PluginClient extends grpc.Client {
  getPluginInfo(
    request: Empty,
    metadata: grpc.Metadata,
    options: grpc.CallOptions,
    callback: (error: Error | null) => void,
  ): void;
}
// eslint-disable-next-line @typescript-eslint/no-require-imports -- the SDK has no types for this one
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb") as {
  ResourceProviderClient: new (address: string, credentials: grpc.ChannelCredentials) => PluginClient;
};

/** The records as one text, declared by the resource's type alone, as a program in another language does it. */
function typeAlone(count: number): string {
  return `${bare}
let records = "";
for (let i = 0; i < ${count}; i++) records += "h" + i + " 600 A " + \`10.\${i >> 16}.\${(i >> 8) & 255}.\${i & 255}\` + "\\n";
new RecordBatch("zone", { domains: ["example.com"], records });`;
}

const cases = [
  { name: "native RecordBatch, 1 record", count: 1, program: batch(0, 1), most: undefined },
  { name: "native RecordBatch, 10,000 records", count: 10_000, program: batch(0, 10_000), most: 1.25 },
  {
    name: "native RecordBatch, 10,000 records, without the package's classes",
    count: 10_000,
    program: typeAlone(10_000),
    most: undefined,
  },
  { name: "native RecordBatch, 100,000 records", count: large, program: batch(0, large), most: 2.2 },
];
async function unchanged(say: (text: string) => void): Promise<Row[]> {
  const programs = ["", "void pulumi;", ...cases.map(({ program }) => program)];
  return withLabs(
    programs,
    largeJobs,
    async ([empty, withSdk, ...labs]) => {
      if (empty === undefined || withSdk === undefined) throw new Error("no lab");
      for (const [i, lab] of labs.entries()) {
        const count = cases[i]?.count ?? 0;
        say(`creating ${count} records`);
        await lab.create(count);
      }
      empty.emptyProgram();
      for (const each of [empty, withSdk]) await each.update();
      say(`without changes, ${rounds} rounds`);
      const [ofEmpty = [], ofSdk = [], ...measures] = await inTurns(
        rounds,
        [empty, withSdk, ...labs].map((lab) => () => lab.update()),
      );
      const command = "update, no changes";
      const rows = cases.map(({ name, most }, i) => {
        const own = measures[i] ?? [];
        const row = ratioRow(name, command, own, ofEmpty, "an empty program", most);
        return row.target === undefined ? row : withoutCalls(row, own);
      });
      const sdk = "program that imports the SDK and the package, and declares nothing";
      return [
        plainRow("empty program", command, middle(ofEmpty), `median of ${secondsOf(ofEmpty)}`),
        ratioRow(sdk, command, ofSdk, ofEmpty, "an empty program"),
        ...rows,
      ];
    },
    "native",
  );
}

/** Seconds until a plugin has answered its first call. It may print its port earlier. */
function startOf(program: string, path: string): Promise<number> {
  return new Promise((done, failed) => {
    const begun = performance.now();
    const child = spawn(program, ["127.0.0.1:1"], {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    child.on("error", failed);
    child.on("exit", () => failed(new Error(`${program} ended before it told its port`)));
    child.stdout.once("data", (port: Buffer) => {
      const client = new ResourceProviderClient(
        `127.0.0.1:${port.toString().trim()}`,
        grpc.credentials.createInsecure(),
      );
      client.getPluginInfo(new Empty(), new grpc.Metadata(), { deadline: Date.now() + 30_000 }, (error) => {
        const seconds = (performance.now() - begun) / 1000;
        client.close();
        // The launcher of the dynamic host is a shell with a child of its own. The plugin keeps its compiled code at a normal end.
        child.removeAllListeners("exit");
        if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
        if (error === null) done(seconds);
        else failed(error);
      });
    });
  });
}

async function start(): Promise<Row[]> {
  const { bin } = await ensureEngine({ say: () => undefined });
  const path = `${bin}:${String(process.env["PATH"])}`;
  const [plugins, hosts]: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * rounds + 1; round += 1) {
    hosts.push(await startOf(join(bin, "pulumi-resource-pulumi-nodejs"), path));
    plugins.push(await startOf(join(root, "dist", "plugin", "pulumi-resource-legacydns"), path));
  }
  const [plugin, host] = [median(plugins), median(hosts)];
  const times = plugin / host;
  return [
    {
      name: "dynamic host",
      command: "start",
      seconds: host,
      note: `${host.toFixed(2)} s, median of ${hosts.length} starts`,
    },
    {
      name: "native plugin",
      command: "start",
      seconds: plugin,
      target: "under 0.6 times a dynamic host",
      met: times < 0.6,
      note: `${plugin.toFixed(2)} s; ${times.toFixed(2)} times a dynamic host`,
    },
  ];
}

function archive(): Promise<Row> {
  // Other experiments run the plugin of dist/.
  return withTemporaryFolder("legacydns-plugin-", (out) => {
    const printed = execFileSync("npm", ["run", "--silent", "plugin", "--", "--out", out], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, file = ""] = printed.trim().split("\n");
    const megabytes = statSync(file).size / 1e6;
    return {
      name: "native plugin",
      command: "archive",
      target: "under 5 MB",
      met: megabytes < 5,
      note: `${megabytes.toFixed(2)} MB`,
    };
  });
}

export const natives: readonly Experiment[] = [
  { name: "native", run: unchanged },
  { name: "native-start", run: async () => [...(await start()), await archive()] },
];
