/**
 * Runs some tests on each supported version of Node.js and of @pulumi/pulumi.
 * .github/workflows/check.yml runs the same.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { versionOf } from "../engine/build";
import { ensureEngine } from "../engine/index";
import { MINIMUM_VERSION } from "../engine/programs";
import { main, root, say, script } from "../support/main";

interface Combination {
  readonly node: string;
  readonly sdk: string;
  readonly engine: string;
}

/** The lower end of `engines`, and the newest of each line. */
export const nodes = ["20.19.0", "22.23.3", "24.21.0", "26.10.0"] as const;
const newest = versionOf("newest");
/**
 * The highest SDK that each Node.js accepts, and the lowest with Node.js 20 and 22. SDK 3.249 and later need Node.js 22, which
 * gets the newest engine, as in a pipeline that does not pin it.
 */
export const combinations = nodes.flatMap((node): Combination[] => {
  const engine = node.startsWith("20.") ? versionOf("pulumi") : newest;
  const lowest = /^2[02]\./.test(node) ? [MINIMUM_VERSION] : [];
  return [...lowest, engine].map((sdk) => ({ node, sdk, engine }));
});

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
  "test/pulumi/tarball.test.ts",
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
async function run({ node, sdk, engine: version }: Combination): Promise<boolean> {
  const engine = await ensureEngine({ edition: version === newest ? "newest" : "pulumi" });
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
  const figures = [node, sdk, engine.version, works ? "works" : "fails", passed, failed, `${seconds} s`];
  const machine = `${process.platform} ${process.arch}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const cells = [...figures, new Date().toISOString().slice(0, 10), machine];
  say(`| ${cells.join(" | ")} |`);
  return works;
}

async function matrix({ here = false, sdk }: { here?: boolean; sdk?: string }): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
  const own = (node: string): boolean => node.split(".")[0] === process.versions.node.split(".")[0];
  const chosen = combinations.filter(
    (each) => (sdk === undefined || each.sdk === sdk) && (!here || own(each.node)),
  );
  if (chosen.length === 0) throw new Error("no combination has this Node.js and SDK");
  for (const each of chosen) if (!(await run(each))) process.exitCode = 1;
}

if (require.main === module)
  main(
    script(
      "test:all",
      "Runs some tests on each supported version of Node.js and @pulumi/pulumi, and prints the table of docs/compatibility.md.",
    )
      .name(matrixCommand)
      .option("--here", "the rows of the running Node.js alone")
      .option("--sdk <version>", "the rows of this @pulumi/pulumi alone"),
    matrix,
  );
