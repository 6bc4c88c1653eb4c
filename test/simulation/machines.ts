/** The machines of the processes, by their state folders. */
import { gather } from "../../provider/support/collections";
import type { Process } from "./process";

export class Machines {
  /** When a login failed. */
  readonly loginFailures = new Map<string, number>();
  readonly clocksSet = new Set<string>();
  private readonly disks = new Map<string, number>();
  private readonly clocks = new Map<string, number>();
  private readonly leaps = new Map<string, number[]>();

  setClock(stateDir: string, by: number, now: number): void {
    this.clocksSet.add(stateDir);
    this.clocks.set(stateDir, this.ahead(stateDir) + by);
    if (by > 0) gather(this.leaps, stateDir, []).push(now);
  }

  /** How far the machine's clock is ahead, in ms. */
  ahead(stateDir: string): number {
    return this.clocks.get(stateDir) ?? 0;
  }

  loseDisk(stateDir: string): void {
    this.loginFailures.delete(stateDir);
    this.disks.set(stateDir, (this.disks.get(stateDir) ?? 0) + 1);
  }

  diskOf(stateDir: string): string {
    return `${stateDir} ${this.disks.get(stateDir) ?? 0}`;
  }

  hasLeapt({ settings }: Process, since: number, until = Infinity): boolean {
    return (this.leaps.get(settings.stateDir) ?? []).some((at) => at >= since && at <= until);
  }
}
