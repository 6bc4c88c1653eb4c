/** A real project inside the checkout, so that a program and the stored provider text find the package by its own name. */
import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ensureEngine, engineEnvironment } from "../../tools/engine/index";

const root = resolve(__dirname, "../..");

export const pluginFolder = join(root, "dist", "plugin");
export const pluginSettings = { plugins: { providers: [{ name: "legacydns", path: pluginFolder }] } };
const sooner = { NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "sooner.cjs"))}`, GOGC: "400" };
const pluginEntry = `plugins:\n  providers:\n    - name: legacydns\n      path: ${pluginFolder}\n`;

export function installPackage(folder: string): string {
  const options = { cwd: root, stdio: "ignore" } as const;
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], options);
  const [tarball = ""] = fs.readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const target = join(folder, "node_modules", "pulumi-legacydns");
  fs.mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", target, "--strip-components=1"]);
  return target;
}

const frontEnds = ["dynamic", "native"] as const;
export type FrontEnd = (typeof frontEnds)[number];

/** The front end of a run that uses only one: `PULUMI_LEGACYDNS_TEST_FRONT_END=native`. */
const wanted = process.env["PULUMI_LEGACYDNS_TEST_FRONT_END"];
export const chosenFrontEnd = frontEnds.find((each) => each === wanted);
if (chosenFrontEnd === undefined && wanted !== undefined)
  throw new Error(`PULUMI_LEGACYDNS_TEST_FRONT_END must be ${frontEnds.join(" or ")}`);

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

export interface Running {
  readonly pid: number;
  output(): string;
  readonly ended: Promise<Run>;
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly delete?: boolean;
  readonly initErrors?: string[];
}

type Env = Readonly<Record<string, string>>;

export interface StackOptions {
  /** JavaScript; `pulumi` and `dns` (the package) are in scope. */
  readonly program: string;
  readonly env?: Env;
  readonly config?: Readonly<Record<string, string | { readonly secret: string }>>;
  readonly main?: string;
  readonly plugin?: boolean;
  readonly frontEnd?: FrontEnd | undefined;
  readonly folder?: string;
}

let fresh: ReadonlyMap<string, string> | undefined;

export class Stack {
  private constructor(
    readonly folder: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  static async create(options: StackOptions): Promise<Stack> {
    const engine = await ensureEngine({ say: () => undefined });
    const folder = options.folder ?? join(root, "test", ".work", randomBytes(6).toString("hex"));
    const main = options.main ?? "index.js";
    const frontEnd = options.frontEnd ?? chosenFrontEnd;
    fs.mkdirSync(join(folder, "backend"), { recursive: true });
    fs.mkdirSync(join(folder, "state"));
    const runtime = `runtime:\n  name: nodejs\n  options:\n    typescript: ${main.endsWith(".ts")}\n`;
    const plugins = options.plugin === true || frontEnd === "native" ? pluginEntry : "";
    fs.writeFileSync(join(folder, "Pulumi.yaml"), `name: zones\n${runtime}main: ${main}\n${plugins}`);
    const env = {
      ...withoutSettings(process.env),
      ...engineEnvironment(engine, { home: join(folder, "home"), backend: join(folder, "backend") }),
      LEGACYDNS_STATE_DIR: join(folder, "state"),
      LEGACYDNS_CONTACT: "tests@example.com",
      NO_COLOR: "1",
      ...sooner,
      ...(frontEnd === undefined ? {} : { LEGACYDNS_USE_PLUGIN: String(frontEnd === "native") }),
      ...options.env,
    };
    const stack = new Stack(folder, env);
    // If `main` names another program, Node.js would run an `index.js` in its place.
    if (options.main === undefined) stack.program(options.program);
    await stack.initialise();
    const config = Object.entries(options.config ?? {});
    const plain = config.flatMap(([key, value]) =>
      typeof value === "string" ? [`  ${key}: ${JSON.stringify(value)}\n`] : [],
    );
    if (plain.length > 0) fs.appendFileSync(join(folder, "Pulumi.test.yaml"), `config:\n${plain.join("")}`);
    for (const [key, value] of config)
      if (typeof value !== "string") await stack.must("config", "set", "--secret", key, value.secret);
    return stack;
  }

  /** Once with the engine, then from a copy of its files, which saves a second. */
  private async initialise(): Promise<void> {
    // The engine names the file of the selected stack after the project's own.
    const mark = createHash("sha1").update(join(this.folder, "Pulumi.yaml")).digest("hex");
    if (fresh !== undefined) {
      for (const [path, text] of fresh) {
        const file = join(this.folder, path.replace("<mark>", mark));
        fs.mkdirSync(dirname(file), { recursive: true });
        fs.writeFileSync(file, text.replaceAll("<folder>", this.folder));
      }
      return;
    }
    await this.must("stack", "init", "test");
    const left = fs
      .readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .filter(
        (path) =>
          /^(backend|home|Pulumi\.test\.yaml)/.test(path) && fs.statSync(join(this.folder, path)).isFile(),
      );
    const texts = left.map((path): [string, string] => [
      path.replace(mark, "<mark>"),
      fs.readFileSync(join(this.folder, path), "utf8").replaceAll(this.folder, "<folder>"),
    ]);
    if (texts.some(([path]) => path.includes("<mark>"))) fresh = new Map(texts);
  }

  program(text: string): void {
    const sdk = /\bpulumi\b/.test(text) ? 'const pulumi = require("@pulumi/pulumi");\n' : "";
    fs.writeFileSync(
      join(this.folder, "index.js"),
      `${sdk}const dns = require("pulumi-legacydns");\n${text}\n`,
    );
  }

  readonly up = this.command("up", "--yes", "--skip-preview");
  readonly upWithPreview = this.command("up", "--yes");
  readonly preview = this.command("preview");
  readonly refresh = this.command("refresh", "--yes", "--skip-preview");
  readonly destroy = this.command("destroy", "--yes", "--skip-preview");

  private command(...fixed: string[]): (...args: string[]) => Promise<Run> {
    return (...args) => this.run(...fixed, "--suppress-permalink", ...args);
  }

  async must(...args: string[]): Promise<Run> {
    const run = await this.run(...args);
    if (run.code !== 0)
      throw new Error(`pulumi ${args.join(" ")} ended with ${String(run.code)}:\n${run.output}`);
    return run;
  }

  resources(): StateResource[] {
    const text = fs.readFileSync(join(this.folder, "backend/.pulumi/stacks/zones/test.json"), "utf8");
    const { checkpoint } = JSON.parse(text) as {
      checkpoint: { latest?: { resources?: (StateResource & { readonly custom?: boolean })[] } };
    };
    return (checkpoint.latest?.resources ?? []).filter(
      (resource) =>
        resource.custom === true && /^(pulumi-nodejs:dynamic\/|legacydns:index:)/.test(resource.type),
    );
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.must("stack", "output", "--json")).output) as Record<string, unknown>;
  }

  async state(): Promise<string> {
    return (await this.must("stack", "export")).output;
  }

  run(...args: string[]): Promise<Run> {
    return this.runWith({}, ...args);
  }

  shell(script: string, env: Env = {}): Promise<Run> {
    return this.launch("bash", ["-ec", script], env).ended;
  }

  runWith(env: Env, ...args: string[]): Promise<Run> {
    return this.launch("pulumi", [...this.options, ...args], env).ended;
  }

  start(env: Env, ...args: string[]): Running {
    return this.launch("pulumi", [...this.options, ...args], env, true);
  }

  private get options(): string[] {
    return ["--non-interactive", "--color", "never", "-C", this.folder];
  }

  private launch(program: string, args: readonly string[], env: Env, detached = false): Running {
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached,
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    // `exit`, not `close`: children that outlive it hold its output open.
    const ended = new Promise<Run>((done, failed) => {
      child.on("error", failed);
      if (detached) child.on("exit", (code) => setImmediate(() => done({ code, output })));
      else child.on("close", (code) => done({ code, output }));
    });
    ended.catch(() => undefined);
    return { pid: child.pid ?? NaN, output: () => output, ended };
  }

  dispose(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !/^(LEGACYDNS|PULUMI)_/.test(key)));
}
