/** Records that resources let go of and that stay in the zone. A few are named; many are counted, and written to a file. */
import * as path from "node:path";
import { appendPrivate } from "../../private-file";
import type { Run } from "../run";
import { count, listed } from "../../words";

const mostNamed = 10;

export class Retained {
  private readonly named: string[] = [];
  private hasFile = false;

  constructor(private readonly parts: Pick<Run, "settings" | "clock" | "reporter" | "project">) {}

  /**
   * Says what stays. After ten names in a process the rest is counted, or told once. @param names never a secret value
   * @param why such as `left in the zone (removal: retain)`
   */
  tell(names: readonly string[], why: string): void {
    const { reporter } = this.parts;
    if (names.length === 0) return;
    if (!this.hasFile && this.named.length + names.length <= mostNamed) {
      this.named.push(...names);
      return reporter.warn(`${listed(names, mostNamed)}: ${why}`);
    }
    const isFirst = !this.hasFile;
    const file = this.write(isFirst ? [...this.named, ...names] : names, why);
    if (file === undefined) return reporter.warn(`${count(names.length, "record")}: ${listed(names, names.length)}: ${why}`);
    this.hasFile = true;
    if (names.length > mostNamed) reporter.warn(`${count(names.length, "record")}: ${listed(names, 3)}: ${why}. The whole list: ${file}`);
    else if (isFirst) reporter.warn(`${listed(names, mostNamed)}: ${why}. Further records are not named here. The whole list: ${file}`);
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
