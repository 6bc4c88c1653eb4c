/** Deploys 1,000 zones as ten stacks by the Automation API, for scale.ts: `shards.ts up` or `refresh`. */
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { Zone } from "pulumi-legacydns";
import { addressOf, manyDomains, perDomain } from "./programs";

const perStack = 100;

async function main(): Promise<void> {
  const records = Array.from({ length: perDomain }, (_, i) => ({
    name: `h${i}`,
    type: "A",
    value: addressOf(i),
    ttl: 600,
  }));
  for (let from = 0; from < manyDomains.length; from += perStack) {
    const program = (): Promise<void> => {
      for (const domain of manyDomains.slice(from, from + perStack)) new Zone(domain, { domain, records });
      return Promise.resolve();
    };
    const stack = await LocalWorkspace.createOrSelectStack(
      { projectName: "zones", stackName: `shard-${from / perStack}`, program },
      { projectSettings: { name: "zones", runtime: "nodejs", main: __dirname } },
    );
    await (process.argv[2] === "refresh" ? stack.refresh() : stack.up());
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
