import { deepEqual, equal, match } from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Emulator, StartOptions } from "../../emulator";
import { stepOf, transpiled } from "../support/examples";
import { root } from "../support/page";
import { must, startService, story, zoneLines } from "../support/story";

const execute = promisify(execFile);

const agency = "agency@example.org";
const auditor = "auditor@example.org";
const domains = ["example.com", "example.net", "example.org"];

interface Example {
  readonly service?: StartOptions;
  readonly env?: Record<string, string>;
  readonly adapt?: (text: string) => string;
  readonly reads?: readonly string[];
  readonly zones: Readonly<Record<string, readonly string[] | number>>;
}

function hasZones(service: Emulator, zones: Example["zones"]): void {
  for (const [domain, expected] of Object.entries(zones)) {
    const lines = zoneLines(service, domain);
    deepEqual(typeof expected === "number" ? lines.length : lines, expected, domain);
  }
}

function deploy(
  name: string,
  { service, env, adapt, reads = [], zones }: Example,
  look: (service: Emulator) => void = () => undefined,
): Promise<void> {
  const accounts = ["owner@example.com", agency, auditor].map((email) => ({ email }));
  const main = adapt === undefined ? `../../../examples/${name}/index.ts` : "example.ts";
  const options = { main, service: { domains, accounts, ...service }, env: { ...transpiled, ...env } };
  return story(options, async ({ emulator, admin, stack, up }) => {
    admin.addShare("example.com", { email: auditor, mode: "rw" });
    admin.addShare("example.net", { email: agency, mode: "r" });
    if (adapt !== undefined) {
      const text = readFileSync(join(root, "examples", name, "index.ts"), "utf8");
      writeFileSync(join(stack.folder, "example.ts"), adapt(text));
    }
    await up();
    hasZones(emulator, zones);
    look(emulator);
    await up();
    const called = Object.keys(admin.counts());
    deepEqual(
      called.filter((operation) => !reads.includes(operation)),
      [],
    );
  });
}

const parked = ["@ A 192.0.2.99 3600", "@ TXT v=spf1 -all 3600"];
const simple: Readonly<Record<string, Example>> = {
  "single-records": {
    zones: {
      "example.com": [
        "@ A 192.0.2.10 600",
        "@ MX 10 mx1.example.org. 600",
        "_verify TXT s3cr3t-verification 600",
        "www CNAME example.com. 600",
      ],
    },
  },
  "many-domains": { zones: { "example.com": 5, "example.net": 5, "example.org": 5 } },
  "zones-from-files": {
    zones: {
      "example.com": [
        "@ A 192.0.2.1 3600",
        "@ MX 10 mx1.mail.example.com. 3600",
        "@ TXT v=spf1 mx -all 3600",
        "mx1.mail A 192.0.2.25 600",
        "www CNAME example.com. 3600",
      ],
      "example.net": 5,
    },
  },
  "look-ups": {
    reads: ["Domain.List", "Domain.Purview"],
    service: { domains: ["example.com", { name: "example.net", purview: { minTtl: 600 } }] },
    zones: { "example.com": ["health A 192.0.2.1 60"], "example.net": [] },
  },
};

describe("the examples, through the real engine", () => {
  it("are the ones that are tested here", () => {
    const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    // The languages have stories of their own (native-languages, templates), and so has the policy pack.
    const elsewhere = [
      "automation",
      "go",
      "pipeline",
      "policy",
      "python",
      "shards",
      "shares",
      "two-accounts",
    ];
    deepEqual(
      folders.map(({ name }) => name).sort(),
      [...elsewhere, "quickstart", "yaml", ...Object.keys(simple)].sort(),
    );
  });

  for (const [name, example] of Object.entries(simple)) it(name, () => deploy(name, example));

  it("shares", () =>
    deploy("shares", { zones: { "example.net": 2 } }, ({ admin }) => {
      equal(admin.shares("example.com")[0]?.mode, "r");
      deepEqual(
        admin.shares("example.net").map(({ mode, subDomain }) => ({ mode, subDomain })),
        [{ mode: "rw", subDomain: "shop" }],
      );
    }));

  it("two-accounts", async () => {
    const other = await startService({ domains: ["example.edu"], token: "other-token" });
    try {
      const adapt = (text: string) => text.replace("https://dns.example.edu", other.url);
      const zones = { "example.com": ["@ A 192.0.2.1 600", "www CNAME example.com. 600"] };
      await deploy("two-accounts", { env: { SUBSIDIARY_LOGIN_TOKEN: "other-token" }, adapt, zones }, () =>
        hasZones(other, { "example.edu": ["@ A 192.0.2.1 600"] }),
      );
    } finally {
      await other.close();
    }
  });

  it("shards: a stack for each folder of zones, which the pipeline's matrix lists", () =>
    story(
      { main: "../../../examples/shards/index.ts", service: { domains }, env: transpiled },
      async ({ emulator, stack }) => {
        const output = join(stack.folder, "output");
        await execute("bash", ["-ec", stepOf("shards/dns.yml", "List")], {
          cwd: join(root, "examples", "shards"),
          env: { PATH: process.env["PATH"], GITHUB_OUTPUT: output },
        });
        const shards = JSON.parse(readFileSync(output, "utf8").replace("shards=", "")) as string[];
        deepEqual(shards, ["brands", "parked"]);
        for (const shard of shards) {
          await stack.must("stack", "init", shard);
          await must(stack.shell(stepOf("shards/dns.yml", "Up"), { SHARD: shard }));
        }
        hasZones(emulator, { "example.com": 3, "example.net": 2, "example.org": parked });
      },
    ));

  it("automation", () =>
    story({ service: { domains }, env: transpiled }, async ({ emulator, admin, stack }) => {
      const command = `cd ${join(root, "examples/automation")}; node -r ts-node/register/transpile-only index.ts`;
      const first = await must(stack.shell(command));
      for (const domain of domains) match(first.output, new RegExp(`${domain}: \\{"create":3\\}`));
      hasZones(emulator, { "example.org": 2 });
      admin.clearCalls();
      match((await must(stack.shell(command))).output, /example\.org: \{"same":3\}/);
      deepEqual(admin.counts(), {});
    }));
});
