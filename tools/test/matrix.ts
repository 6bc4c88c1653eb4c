/**
 * Runs some tests on each supported version of Node.js and of @pulumi/pulumi.
 * .github/workflows/check.yml runs the same.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensureEngine, type Engine } from "../engine/index";
import { main, root, script } from "../support/main";

/** The lower end of `engines`, and the newest of each line. */
export const nodes = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"] as const;
/** The lower end of `peerDependencies`, the lock file's (the last for Node.js 20), and the newest. */
export const sdks = ["3.150.0", "3.248.0", "3.270.0"] as const;
/** The lowest and the highest SDK that each Node.js accepts. SDK 3.249 and later need Node.js 22. */
export const combinations = nodes.flatMap((node) =>
  [sdks[0], node.startsWith("20.") ? sdks[1] : sdks[2]].map((sdk) => ({ node, sdk })),
);

/**
 * Files, connections, texts, the SDK's mocks, and stories with the dynamic provider of the packed package
 * and with the native plugin. No test of speed is among them.
 */
export const tests = [
  "test/api/retry.test.ts",
  "test/api/transport.test.ts",
  "test/dns/names.test.ts",
  "test/dns/specs.test.ts",
  "test/settings.test.ts",
  "test/package/testing.test.ts",
  "test/zone-file/source.test.ts",
  "test/promises/tarball.test.ts",
  "test/pulumi/native-import.test.ts",
];

/** `npm run test:all` runs it. */
export const matrixCommand = "node -r ./tools/support/typescript.cjs tools/test/matrix.ts";

const work = join(root, ".work", "matrix");

/** Installs a package alone. @returns its folder */
function installed(name: string, version: string): string {
  const folder = join(work, `${name.replace("/", "+")}-${version}`);
  const place = join(folder, "node_modules", name);
  if (existsSync(place)) return place;
  mkdirSync(folder, { recursive: true });
  const quiet = ["--silent", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  try {
    execFileSync("npm", ["install", ...quiet, "--prefix", folder, `${name}@${version}`], { cwd: folder });
  } catch (error) {
    // Half a package would count as installed in the next run.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return place;
}

/** A copy of the checkout with another SDK. */
function checkoutWith(sdk: string): string {
  const copy = join(work, `checkout-${sdk}`);
  rmSync(copy, { recursive: true, force: true });
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of ["dist", ...listed.trimEnd().split("\n")])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file), { recursive: true });
  const modules = join(copy, "node_modules");
  execFileSync("cp", ["-a", "--link", `${join(root, "node_modules")}/.`, modules]);
  rmSync(join(modules, "@pulumi/pulumi"), { recursive: true });
  symlinkSync(installed("@pulumi/pulumi", sdk), join(modules, "@pulumi/pulumi"));
  return copy;
}

/** @returns whether all tests passed */
function run(node: string, sdk: string, engine: Engine): boolean {
  const own = node === process.versions.node;
  const program = own
    ? process.execPath
    : join(installed(`node-${process.platform}-${process.arch}`, node), "bin", "node");
  const began = Date.now();
  const { stdout, stderr } = spawnSync(program, [join(root, "node_modules/mocha/bin/mocha.js"), ...tests], {
    cwd: checkoutWith(sdk),
    env: { ...process.env, PATH: [dirname(program), engine.bin, process.env["PATH"]].join(delimiter) },
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const count = (word: string): number => Number(new RegExp(`^ *(\\d+) ${word}`, "m").exec(stdout)?.[1] ?? 0);
  const [passed, failed] = [count("passing"), count("failing")];
  const works = failed === 0 && passed > 0;
  if (!works) process.stderr.write(`${stdout}${stderr}\n`);
  const seconds = Math.round((Date.now() - began) / 1000);
  const figures = [node, sdk, works ? "works" : "fails", passed, failed, `${seconds} s`, engine.version];
  const machine = `${process.platform} ${process.arch}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const cells = [...figures, new Date().toISOString().slice(0, 10), machine];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
  return works;
}

async function matrix({ here = false, sdk }: { here?: boolean; sdk?: string }): Promise<void> {
  const engine = await ensureEngine();
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
  const all = here ? sdks.map((each) => ({ node: process.versions.node, sdk: each })) : combinations;
  const chosen = all.filter((each) => sdk === undefined || each.sdk === sdk);
  const failing = chosen.filter((each) => !run(each.node, each.sdk, engine));
  if (failing.length > 0) process.exitCode = 1;
}

if (require.main === module)
  main(
    script(
      "test:all",
      "Runs some tests on each supported version of Node.js and @pulumi/pulumi, and prints the table of docs/compatibility.md.",
    )
      .name(matrixCommand)
      .option("--here", "with this Node.js alone")
      .option("--sdk <version>", "with this @pulumi/pulumi alone"),
    matrix,
  );
