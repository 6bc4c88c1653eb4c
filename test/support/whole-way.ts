import { deepEqual, equal, match } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writesOf, zoneLines } from "./service";
import type { Run, Stack } from "./stack";
import { must, says } from "./story";
import type { Emulator } from "../../emulator";

const zones = {
  "example.com": [
    "@ A 192.0.2.1 600",
    "@ A 192.0.2.2 600",
    "@ MX 10 mx1.example.org. 600",
    "@ TXT v=spf1 include:_spf.example.org -all 600",
    "api A 192.0.2.9 60",
    "shop CNAME www.example.org. 300",
    "www A 192.0.2.1 600",
    "www A 192.0.2.2 600",
  ],
  "example.net": ["@ A 192.0.2.20 600", "www A 192.0.2.20 600"],
} as const;

const imports = [
  { type: "legacydns:index:Record", name: "api", id: "example.com/api/A/192.0.2.9" },
  { type: "legacydns:index:Zone", name: "parked", id: "example.net" },
];

async function importByFile(stack: Stack): Promise<void> {
  const file = join(stack.folder, "import.json");
  writeFileSync(file, JSON.stringify({ resources: imports }));
  await stack.must("import", "--file", file, "--yes", "--protect=false", "--generate-code=false");
}

export async function wholeWay(
  emulator: Emulator,
  stack: Stack,
  run: (command: string, env?: Record<string, string>) => Promise<Run>,
  more?: { readonly imports: () => Promise<void>; readonly repairs: () => Promise<void> },
): Promise<void> {
  const ended = (...given: Parameters<typeof run>) => must(run(...given));
  emulator.admin.addRecord("example.com", { name: "api", type: "A", value: "192.0.2.9", ttl: 60 });
  for (const name of ["@", "www"])
    emulator.admin.addRecord("example.net", { name, type: "A", value: "192.0.2.20", ttl: 600 });
  await (more?.imports ?? (() => importByFile(stack)))();
  // In TypeScript a zone is a component, which adopts live records.
  says(
    await ended("preview"),
    "+ legacydns:index:RecordBatch: (create)",
    'status   : "enable"',
    ...(more === undefined ? ["1 to create", "3 unchanged"] : ["3 to create", "2 unchanged"]),
  );
  equal(writesOf(emulator), 0);
  await ended("up");
  for (const [domain, lines] of Object.entries(zones)) deepEqual(zoneLines(emulator, domain), lines);
  const outputs = await stack.outputs();
  match(String(outputs["apiRecord"]), /^\d+$/);
  deepEqual(outputs["hosts"], ["@", "@", "@", "@", "shop", "www", "www"]);

  emulator.admin.clearCalls();
  says(await ended("up"), more === undefined ? "4 unchanged" : "5 unchanged");
  equal(writesOf(emulator), 0);
  emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 60 });
  says(
    await ended("drift"),
    "- shop.example.com. 60 CNAME www.example.org. ; drifted, declared 300",
    "+ shop.example.com. 300 CNAME www.example.org.",
  );
  await more?.repairs();
  emulator.admin.setRecord("example.com", { name: "shop", type: "CNAME" }, { ttl: 300 });
  await ended("destroy", { LEGACYDNS_REMOVAL: "retain" });
  deepEqual(stack.resources(), []);
  equal(emulator.admin.counts()["Batch.Record.Create"], more === undefined ? undefined : 1);
}
