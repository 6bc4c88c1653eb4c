/**
 * A small machine for a test: folders of its own, fake programs that are shell scripts, a recipe that costs nothing.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EngineOptions } from "../../scripts/engine/index";
import type { LockTimes } from "../../scripts/engine/lock";
import { CLI, DYNAMIC_PROVIDER, NODEJS_HOST } from "../../scripts/engine/programs";
import type { Recipe } from "../../scripts/engine/recipe";
import { type Maker, type Making, WayClosed } from "../../scripts/engine/ways";

/** Fast enough for a test, slow enough for a busy machine. */
export const QUICK: LockTimes = { heartbeat: 50, silence: 3_000, poll: 20, report: 10_000 };

export class World {
  readonly said: string[] = [];
  readonly recipe: Recipe;

  private constructor(readonly root: string) {
    this.recipe = {
      key: "3.200.0-test",
      version: "3.200.0",
      go: [],
      dynamicProvider: join(root, DYNAMIC_PROVIDER),
    };
  }

  static async create(): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), "legacydns-engine-")));
    await mkdir(world.bin);
    await world.script(world.root, DYNAMIC_PROVIDER, "exit 0");
    return world;
  }

  async destroy(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The folder on the PATH. */
  get bin(): string {
    return join(this.root, "bin");
  }

  /** Where the engines are. */
  get engines(): string {
    return join(this.root, "cache", "engine");
  }

  /** Where this recipe's engine belongs. */
  get place(): string {
    return join(this.engines, this.recipe.key);
  }

  get env(): NodeJS.ProcessEnv {
    const path = [this.bin, "/usr/bin", "/bin"].join(delimiter);
    return { PATH: path, HOME: this.root, PULUMI_LEGACYDNS_CACHE: join(this.root, "cache") };
  }

  get options(): EngineOptions & { readonly env: NodeJS.ProcessEnv } {
    return {
      env: this.env,
      recipe: this.recipe,
      lockTimes: QUICK,
      say: (line) => void this.said.push(line),
      makers: { download: closed("the network is closed"), build: closed("there is no Go") },
    };
  }

  making(different: Partial<Making> = {}): Making {
    const { env, recipe, bin: into } = this;
    const say = (line: string): void => void this.said.push(line);
    const { signal } = new AbortController();
    return { into, scratch: join(this.root, "scratch"), env, recipe, say, signal, ...different };
  }

  async script(folder: string, name: string, text: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  }

  /** A whole engine of that version in `folder`. */
  async engineIn(folder: string, version: string): Promise<void> {
    await this.script(folder, CLI, `echo v${version}`);
    await this.script(folder, NODEJS_HOST, "exit 0");
    await this.script(folder, DYNAMIC_PROVIDER, "exit 0");
  }

  /** What lies in the cache, hidden names included. */
  async inCache(): Promise<string[]> {
    return readdir(this.engines).catch(() => []);
  }

  /** A maker that takes its time and counts its calls. */
  maker(milliseconds = 0): Maker & { calls: number } {
    const make = async ({ into, signal }: Making): Promise<void> => {
      counted.calls++;
      await sleep(milliseconds, undefined, { signal });
      await this.script(into, CLI, "echo v3.200.0");
      await this.script(into, NODEJS_HOST, "exit 0");
    };
    const counted = Object.assign(make, { calls: 0 });
    return counted;
  }

  async read(path: string): Promise<string> {
    return readFile(join(this.root, path), "utf8");
  }
}

/** A way that leads nowhere. */
export function closed(why: string): Maker {
  return () => Promise.reject(new WayClosed(why, "nothing can be done in a test"));
}

/** Waits until `condition` holds; fails after ten seconds. */
export async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited 10 s for ${what}`);
    await sleep(20);
  }
}
