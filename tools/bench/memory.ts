/** The largest resident memory of the processes below this one, by role, from /proc/PID/status (VmHWM). */
import { readdirSync, readFileSync } from "node:fs";

/** `host` runs the provider, `program` the user's program, `engine` is pulumi itself. */
type Role = "host" | "program" | "engine";

/** Role -> MiB. Empty without /proc. */
export type Memory = Partial<Record<Role, number>>;

export class MemoryWatch {
  private readonly peaks: Memory = {};
  private readonly ours = new Set<number>();
  private readonly others = new Set<number>();
  private readonly roles = new Map<number, Role>();
  private readonly timer: NodeJS.Timeout;

  constructor() {
    this.ours.add(process.pid);
    this.others.add(process.pid);
    this.timer = setInterval(() => this.sample(), 50);
  }

  stop(): Memory {
    clearInterval(this.timer);
    return this.peaks;
  }

  private sample(): void {
    for (const pid of processes()) {
      if (this.others.has(pid)) continue;
      if (!this.ours.has(pid)) {
        const parent = parentOf(pid);
        if (parent === undefined || !this.ours.has(parent)) {
          this.others.add(pid);
          continue;
        }
        this.ours.add(pid);
      }
      // Until it runs its own program, a process still carries its parent's command line.
      const role = roleOf(argumentsOf(pid)) ?? this.roles.get(pid);
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

function parentOf(pid: number): number | undefined {
  // The name, in brackets, may hold blanks and brackets of its own.
  const parent = /^\d+ \(.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function argumentsOf(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`).split("\0");
}

/** Empty when the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
