/** The Automation API: a stack per zone, a few at a time. Run with `ts-node index.ts`. */
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { Zone } from "pulumi-legacydns";

const zones: { readonly [domain: string]: readonly string[] } = {
  "example.com": ["@ 600 A 192.0.2.1", "www 600 CNAME example.com"],
  "example.net": ["@ 600 A 192.0.2.2"],
  "example.org": ["@ 600 A 192.0.2.3", "@ 3600 TXT v=spf1 -all"],
};
const atOnce = 2;

async function deploy(domain: string, records: readonly string[]): Promise<void> {
  const stack = await LocalWorkspace.createOrSelectStack(
    {
      projectName: "zones",
      stackName: domain,
      program: () => Promise.resolve(void new Zone(domain, { domain, records })),
    },
    // The stored provider text finds the package from this folder.
    { projectSettings: { name: "zones", runtime: "nodejs", main: __dirname } },
  );
  const { summary } = await stack.up();
  console.log(`${domain}: ${JSON.stringify(summary.resourceChanges)}`);
}

async function main(): Promise<void> {
  const queue = Object.entries(zones);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await deploy(...next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
