/** Records that resources let go of and that stay in the zone. A few are named; many are counted, and written to a file. */
import * as path from "node:path";
import { append } from "./gather";
import { Quiet, type Clock } from "./clock";
import { appendPrivate } from "./private-file";
import type { Reporter } from "./report";
import type { Settings } from "./settings";
import { count, listed, mostListed } from "./words";

/** Milliseconds without a further resource after which those that go at once are all counted. */
const countedWindow = 50;

export class Retained {
  /** What messages have named; undefined once a file has it. */
  private named: string[] | undefined = [];
  /** How many have been told of. */
  private told = 0;
  /** Records that are in the file and in no message yet. */
  private readonly untold: string[] = [];
  private readonly quiet: Quiet;
  private readonly advised = new Set<string>();
  private stack: Promise<string | undefined> | undefined;

  /** @param parts `stack`: its name, where it is known; lists of all stacks of a project go into one file */
  constructor(
    private readonly parts: {
      readonly settings: Settings;
      readonly clock: Clock;
      readonly reporter: Reporter;
      readonly project?: string;
      readonly stack?: () => Promise<string | undefined>;
    },
  ) {
    this.quiet = new Quiet(parts.clock, countedWindow);
  }

  /**
   * Says what stays. Once a process has named ten records the rest is counted, what goes at once together.
   * @param names `www.example.com. A 192.0.2.1 (record 123)`; never a secret value
   * @param why such as `left in the zone (removal: retain)`
   * @param advice said after the first of them, in sentences without the last full stop
   */
  async tell(names: readonly string[], why: string, advice = ""): Promise<void> {
    if (names.length === 0) return;
    const stack = await this.stackName();
    // Nothing is awaited from here to the end of the writing: resources go at once.
    const {
      named,
      parts: { reporter },
    } = this;
    this.told += names.length;
    const after = advice === "" || this.advised.has(advice) ? "" : `. ${advice}`;
    this.advised.add(advice);
    if (named && named.length + names.length <= mostListed) {
      append(named, names);
      return reporter.warn(`${listed(names, mostListed)}: ${why}${after}`);
    }
    const file = this.write([...(named ?? []), ...names], why, stack);
    if (file === undefined)
      return reporter.warn(
        `${count(names.length, "record")}: ${listed(names, names.length)}: ${why}${after}`,
      );
    this.named = undefined;
    const whole = `The whole list: ${file}`;
    if (names.length > mostListed)
      return reporter.warn(`${count(names.length, "record")}: ${listed(names, 3)}: ${why}${after}. ${whole}`);
    if (named)
      return reporter.warn(
        `${listed(names, mostListed)}: ${why}${after}. Further records are counted. ${whole}`,
      );
    append(this.untold, names);
    this.quiet.heard();
    await this.quiet.wait();
    const further = this.untold.splice(0);
    if (further.length === 0) return;
    // Two of the same number are two messages: each counts on.
    reporter.warn(
      `${further.length === 1 ? listed(further) : `${count(further.length, "further record")} (${this.told} so far)`}: ${why}. ${whole}`,
    );
  }

  /** Lists more than a message names. @param names as in {@link tell} @returns the list's path; undefined of a few, and where it cannot be written */
  async list(names: readonly string[], why: string): Promise<string | undefined> {
    return names.length <= mostListed ? undefined : this.write(names, why, await this.stackName());
  }

  private stackName(): Promise<string | undefined> {
    return (this.stack ??= this.parts.stack?.() ?? Promise.resolve(undefined));
  }

  /** Adds to the project's file. @returns its path; undefined where it cannot be written */
  private write(names: readonly string[], why: string, stack: string | undefined): string | undefined {
    const { project = "", settings, clock } = this.parts;
    const file = path.join(
      settings.stateDir,
      `retained-${project.replace(/[^\w.-]/g, "_") || "records"}.txt`,
    );
    const head = `# ${new Date(clock.wall()).toISOString()}${stack === undefined ? "" : ` stack ${stack}`}: ${count(names.length, "record")}: ${why}`;
    try {
      appendPrivate(file, [head, ...names, ""].join("\n"), { flush: true });
      return file;
    } catch {
      return undefined;
    }
  }
}
