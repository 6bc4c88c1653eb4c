import { equal, fail, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export function childrenOf(pid: number): Process[] {
  const all = allProcesses();
  const below = (parent: number): Process[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}

export function hostOf(engine: number): Process {
  const hosts = childrenOf(engine).filter(({ command }) =>
    /^\S*node\S* .*(dynamic-provider|dist\/plugin\/index\.js)/.test(command),
  );
  equal(hosts.length, 1, JSON.stringify(childrenOf(engine)));
  return hosts[0] ?? fail();
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The process may be gone. A negative number is a group. */
export function signal(pid: number, name: NodeJS.Signals): void {
  // 0, 1 and -1 mean many processes.
  ok(Math.abs(pid) > 1, `${pid} is no process of ours`);
  try {
    process.kill(pid, name);
  } catch (error) {
    ok(error instanceof Error && "code" in error && error.code === "ESRCH", String(error));
  }
}

export function killAll(pid: number): void {
  for (const each of [...childrenOf(pid).map((child) => child.pid), pid]) signal(each, "SIGKILL");
}

export async function until(
  what: string,
  happened: () => boolean,
  context: () => string = () => "",
): Promise<void> {
  const last = Date.now() + 60_000;
  while (!happened()) {
    ok(Date.now() < last, `${what}: not within a minute. ${context()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function allProcesses(): Process[] {
  if (!existsSync("/proc/self/stat")) {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
    return lines.flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
  }
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").join(" ");
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      return [];
    }
  });
}
