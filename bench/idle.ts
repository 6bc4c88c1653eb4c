/** The floor: a native resource with the properties of a batch, and a plugin that does nothing. */
import { chmodSync, appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../scripts/support/main";
import type { StateResource } from "../test/support/stack";
import type { Lab } from "./lab";

const program = (props: string): string => `const { CustomResource } = require("@pulumi/pulumi/resource");
const props = JSON.parse(require("node:fs").readFileSync("props.json", "utf8"));
new (class extends CustomResource { constructor() { super("idle:index:Idle", "zone", ${props}); } })();`;

/** Makes the plugin in the lab's project and declares one resource by it, with the properties of another's. */
export async function idleWith(lab: Lab, { inputs, outputs }: StateResource): Promise<void> {
  const { folder } = lab.stack;
  const plugin = join(folder, "idle");
  mkdirSync(plugin);
  await build({
    entryPoints: [join(root, "bench/idle-plugin.ts")],
    outfile: join(plugin, "index.js"),
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minify: true,
    external: ["@grpc/proto-loader"],
    logLevel: "warning",
  });
  const launcher = join(plugin, "pulumi-resource-idle");
  writeFileSync(launcher, '#!/bin/sh\nexec node "$(dirname "$0")/index.js" "$@"\n');
  chmodSync(launcher, 0o755);
  appendFileSync(join(folder, "Pulumi.yaml"), `    - name: idle\n      path: ${plugin}\n`);
  writeFileSync(join(folder, "props.json"), JSON.stringify({ inputs, ledger: outputs?.["__ledger"] }));
  // An update without changes keeps the outputs: the ledger, which no program hands over, is in them from the creation on.
  lab.plainProgram(program("{ ...props.inputs, __ledger: props.ledger }"));
  await lab.update();
  writeFileSync(join(folder, "props.json"), JSON.stringify({ inputs }));
  lab.plainProgram(program("{ ...props.inputs, __ledger: undefined }"));
  await lab.update();
}
