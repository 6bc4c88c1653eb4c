/** The engine's host does not wait for the configuration before the second call. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { createRequire } from "node:module";
import type * as pulumi from "@pulumi/pulumi";
import type * as Runtime from "../../provider/runtime";
import { create, labs } from "../support/lab";
import { settingsOf } from "../support/service";

function freshRuntime() {
  const here = createRequire(__filename);
  const forgotten = () => {
    const ours = Object.entries(here.cache).filter(([path]) =>
      /(?<!node_modules.*)[/\\]provider[/\\]/.test(path),
    );
    for (const [path] of ours) Reflect.deleteProperty(here.cache, path);
    return ours;
  };
  const before = forgotten();
  const runtime = here("../../provider/runtime") as typeof Runtime;
  forgotten();
  for (const [path, module] of before) Reflect.set(here.cache, path, module);
  return runtime;
}

function hostOf(runtime: typeof Runtime, rawConfig: Readonly<Record<string, string>>) {
  const kept = new Map<string, pulumi.dynamic.ResourceProvider>();
  return async (type: string, inputs: object) => {
    let provider = kept.get(type);
    if (provider === undefined) {
      provider = runtime.dynamic(type, 1);
      kept.set(type, provider);
      const config = { rawConfig, get: () => undefined, require: () => "" };
      await provider.configure?.({ config });
    }
    ok(provider.create);
    return provider.create(inputs);
  };
}

async function withStandardError<T>(work: () => Promise<T>) {
  const printed: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  try {
    return { result: await work(), printed };
  } finally {
    process.stderr.write = write;
  }
}

const record = (i: number): [string, object] => [
  "Record",
  { domain: "example.com", name: `r${i}`, type: "A", value: `192.0.2.${i}`, ttl: 600 },
];
const batch = (i: number): [string, object] => [
  "RecordBatch",
  { domains: ["example.net"], records: { [`b${i}.example.net. A 192.0.2.${i}`]: 600 } },
];

describe("a burst of 64 creations before the configuration has settled", () => {
  const start = labs();

  it("uses the configuration in each of them, with one listing and one job", async () => {
    const lab = await start();
    const settings = { ...settingsOf(lab.service), LEGACYDNS_STATE_DIR: lab.settings.stateDir };
    const config = Object.entries(settings).map(([name, value]) => {
      const words = name.slice(10).toLowerCase();
      return [`legacydns:${words.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())}`, value];
    });
    const creating = hostOf(freshRuntime(), Object.fromEntries(config) as Record<string, string>);
    const burst = Array.from({ length: 64 }, (_, i) => record(i + 1));
    const made = await Promise.all(burst.map(([type, inputs]) => creating(type, inputs)));
    equal(new Set(made.map(({ id }) => id)).size, 64);
    deepEqual([lab.lines().length, lab.calls(create), lab.calls("Record.List")], [64, 1, 1]);
  });

  it("fails alike in each of them if the configuration is wrong, with one message for each problem", async () => {
    const creating = hostOf(freshRuntime(), { "legacydns:removal": "retian", "legacydns:remvoal": "x" });
    const burst = Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? record(i + 1) : batch(i + 1)));
    const { result: ends, printed } = await withStandardError(() =>
      Promise.allSettled(burst.map(([type, inputs]) => creating(type, inputs))),
    );
    const texts = new Set(ends.map((end) => (end.status === "rejected" ? String(end.reason) : "made")));
    equal(texts.size, 1, [...texts].join("\n"));
    const all = [...printed, ...texts].map((text) => text.split("\n", 1).join(""));
    deepEqual(all.map((title) => /legacydns:(\w+).*\[setting\.wrong\]$/.exec(title)?.[1]).sort(), [
      "baseUrl",
      "loginToken",
      "removal",
      "remvoal",
    ]);
  });
});
