/**
 * The examples' zones, edited in full mode. An update leaves exactly the records of a first deployment of the
 * edited program. A second update makes no call.
 */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Emulator } from "../../emulator";
import { settingsOf, startService, zoneLines } from "../support/service";
import { Stack } from "../support/stack";

const examples = resolve(__dirname, "../../examples");
/** The types of the examples are those of `npm run types`: no update checks them again. */
const full = {
  LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true",
  LEGACYDNS_CONFIRMED_DOMAINS: "example.com,example.net",
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
};

type Edits = Readonly<Record<string, readonly (readonly [from: string | RegExp, to: string])[]>>;

/** An editable copy of an example in a stack's folder. */
async function copyOf(example: string, service: Emulator): Promise<Stack> {
  const stack = await Stack.create({
    program: "",
    main: "copy/index.ts",
    env: { ...settingsOf(service), ...full },
  });
  cpSync(join(examples, example), join(stack.folder, "copy"), { recursive: true });
  return stack;
}

function edit(stack: Stack, edits: Edits): void {
  for (const [file, changes] of Object.entries(edits)) {
    const path = join(stack.folder, "copy", file);
    let text = readFileSync(path, "utf8");
    for (const [from, to] of changes) {
      const next = text.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), to);
      assert.notEqual(next, text, `${file}: ${String(from)} is not there`);
      text = next;
    }
    writeFileSync(path, text);
  }
}

const zonesOf = (service: Emulator): string[][] =>
  ["example.com", "example.net"].map((domain) => zoneLines(service, domain));

async function edited(example: string, rounds: readonly Edits[]): Promise<void> {
  const services = [
    await startService({ settings: { undocumented: true } }),
    await startService({ settings: { undocumented: true } }),
  ] as const;
  const stacks = [await copyOf(example, services[0]), await copyOf(example, services[1])] as const;
  try {
    const [service, afresh] = services;
    const [stack, first] = stacks;
    const up = async (of: Stack): Promise<void> => {
      const run = await of.up();
      assert.equal(run.code, 0, run.output);
    };
    await up(stack);
    for (const edits of rounds) {
      edit(stack, edits);
      edit(first, edits);
      await up(stack);
    }
    await up(first);
    assert.deepEqual(zonesOf(service), zonesOf(afresh));
    service.admin.clearCalls();
    await up(stack);
    assert.deepEqual(service.admin.counts(), {});
  } finally {
    for (const stack of stacks) stack.dispose();
    for (const service of services) await service.close();
  }
}

describe("the examples' zones, edited, with the undocumented operations", () => {
  it("quickstart: other TTLs and addresses, an alias that becomes addresses and back, names, lines, single records", () =>
    edited("quickstart", [
      {
        "zone.ts": [
          ["ttl: 600", "ttl: 900"],
          [
            'name: "cdn", type: "CNAME", value: "example.cdn.example.net"',
            'name: "cdn", type: "A", value: ["192.0.2.70", "192.0.2.71"]',
          ],
          ['"192.0.2.20", "192.0.2.21", "192.0.2.22"', '"192.0.2.20", "192.0.2.29"'],
          ["198.51.100.31", "198.51.100.39"],
          ['"status", "help", "jobs"', '"status", "careers"'],
          ["range(1, 40)", "range(11, 45)"],
          ["-all", "~all"],
          ['"10 60 5060 sip1.example.com"', '"10 70 5060 sip1.example.com"'],
        ],
        "index.ts": [
          ['name: "café"', 'name: "bar"'],
          ['value: "192.0.2.90"', 'value: "192.0.2.91"'],
          ["mx2.mail.example.org", "mx3.mail.example.org"],
          ['type: "CNAME",\n  value: "www.example.com"', 'type: "A",\n  value: "192.0.2.10"'],
        ],
      },
      {
        "zone.ts": [
          [
            'name: "cdn", type: "A", value: ["192.0.2.70", "192.0.2.71"]',
            'name: "cdn", type: "CNAME", value: "other.cdn.example.net"',
          ],
          [/, line: "电信"/, ', line: "联通"'],
          ["203.0.113.", "203.0.114."],
        ],
      },
    ]));

  it("zones-from-files: files edited in place", () =>
    edited("zones-from-files", [
      {
        "zones/example.com.zone": [
          ["$TTL 1h", "$TTL 30m"],
          ["IN CNAME @", "IN A 192.0.2.7"],
          ["mx1.mail", "mx2.mail"],
        ],
        "zones/example.net.yaml": [
          ["[192.0.2.1, 192.0.2.2]", "[192.0.2.2, 192.0.2.3, 192.0.2.4]"],
          ["[www, shop]", "[www, store]"],
          ["10 60 5060", "20 60 5061"],
        ],
      },
    ]));
});
