/** Records that resources let go of and that stay in the zone. A few are named; many are counted, and written to a file. */
import * as path from "node:path";
import { Quiet, type Clock } from "./clock";
import { appendPrivate } from "./private-file";
import type { Reporter } from "./report";
import type { Settings } from "./settings";
import { count, listed } from "./words";

const mostNamed = 10;
/** Milliseconds without a further resource after which those that go at once are all counted. */
const countedWindow = 50;

export class Retained {
  /** What messages have named; undefined once a file has it. */
  private named: string[] | undefined = [];
  /** Records that are in the file and in no message yet. */
  private readonly untold: string[] = [];
  private readonly quiet: Quiet;

  constructor(private readonly parts: { readonly settings: Settings; readonly clock: Clock; readonly reporter: Reporter; readonly project?: string }) {
    this.quiet = new Quiet(parts.clock, countedWindow);
  }

  /**
   * Says what stays. Once a process has named ten records the rest is counted, what goes at once together.
   * @param names `www.example.com. A 192.0.2.1 (record 123)`; never a secret value
   * @param why such as `left in the zone (removal: retain)`
   */
  async tell(names: readonly string[], why: string): Promise<void> {
    const { named, parts: { reporter } } = this;
    if (names.length === 0) return;
    if (named && named.length + names.length <= mostNamed) {
      named.push(...names);
      return reporter.warn(`${listed(names, mostNamed)}: ${why}`);
    }
    const file = this.write([...(named ?? []), ...names], why);
    if (file === undefined) return reporter.warn(`${count(names.length, "record")}: ${listed(names, names.length)}: ${why}`);
    this.named = undefined;
    const whole = `The whole list: ${file}`;
    if (names.length > mostNamed) return reporter.warn(`${count(names.length, "record")}: ${listed(names, 3)}: ${why}. ${whole}`);
    if (named) return reporter.warn(`${listed(names, mostNamed)}: ${why}. Further records are counted. ${whole}`);
    this.untold.push(...names);
    this.quiet.heard();
    await this.quiet.wait();
    const further = this.untold.splice(0);
    if (further.length === 0) return;
    reporter.warn(`${further.length === 1 ? listed(further) : count(further.length, "further record")}: ${why}. ${whole}`);
  }

  /** Adds to the project's file. @returns its path; undefined where it cannot be written */
  private write(names: readonly string[], why: string): string | undefined {
    const { project = "", settings, clock } = this.parts;
    const file = path.join(settings.stateDir, `retained-${project.replace(/[^\w.-]/g, "_") || "records"}.txt`);
    const head = `# ${new Date(clock.wall()).toISOString()} ${count(names.length, "record")}: ${why}`;
    try {
      appendPrivate(file, [head, ...names, ""].join("\n"), { flush: true });
      return file;
    } catch {
      return undefined;
    }
  }
}
