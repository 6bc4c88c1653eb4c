/** The largest resident memory of the processes below this one, by role, from /proc/PID/status (VmHWM). */
import { readdirSync, readFileSync } from "node:fs";

/** `host` runs the provider, `program` the user's program, `engine` is pulumi itself. */
type Role = "host" | "program" | "engine";

/** Role -> MiB. Empty without /proc. */
export type Memory = Partial<Record<Role, number>>;

export class MemoryWatch {
  private readonly peaks: Memory = {};
  /** Process → whether it is this one or below it. */
  private readonly ours = new Map([[process.pid, true]]);
  private readonly roles = new Map<number, Role>();
  private readonly timer = setInterval(() => this.sample(), 50);

  stop(): Memory {
    clearInterval(this.timer);
    return this.peaks;
  }

  private sample(): void {
    for (const pid of processes()) {
      const isOurs = this.ours.get(pid) ?? this.ours.get(parentOf(pid)) === true;
      this.ours.set(pid, isOurs);
      if (!isOurs || pid === process.pid) continue;
      // Until it runs its own program, a process still carries its parent's command line.
      const role = roleOf(read(`/proc/${pid}/cmdline`).split("\0")) ?? this.roles.get(pid);
      if (role === undefined) continue;
      this.roles.set(pid, role);
      const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
      this.peaks[role] = Math.max(this.peaks[role] ?? 0, peak);
    }
  }
}

function roleOf(args: readonly string[]): Role | undefined {
  const [program = "", script = ""] = args;
  if (/(^|\/)pulumi$/.test(program)) return "engine";
  if (!/(^|\/)node$/.test(program)) return undefined;
  const own = args.slice(1).find((arg) => !arg.startsWith("--")) ?? script;
  if (/(@pulumi\/pulumi\/cmd\/dynamic-provider\b|dist\/plugin\/index\.js$)/.test(own)) return "host";
  return /@pulumi\/pulumi\/cmd\/run\b/.test(own) ? "program" : undefined;
}

function processes(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter(Number.isInteger)
      .sort((a, b) => a - b);
  } catch {
    // No /proc: memory is not measured on this system.
    return [];
  }
}

/** Not a number if the process has ended. */
function parentOf(pid: number): number {
  // The name, in brackets, may hold blanks and brackets of its own.
  return Number(/^\d+ \(.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1]);
}

/** Empty when the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
