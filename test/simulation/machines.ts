/** The machines of the processes, by their state folders. */
import { gather } from "../../provider/support/collections";

/** How far a clock is ahead from a moment on, in ms. */
interface ClockSetting {
  readonly at: number;
  readonly ahead: number;
}

export class Machines {
  /** When a login failed. */
  readonly loginFailures = new Map<string, number>();
  private readonly disks = new Map<string, number>();
  private readonly clocks = new Map<string, ClockSetting[]>();

  setClock(stateDir: string, by: number, now: number): void {
    this.settingsOf(stateDir).push({ at: now, ahead: this.ahead(stateDir) + by });
  }

  /** How far the machine's clock is ahead, in ms. */
  ahead(stateDir: string): number {
    return this.settingsOf(stateDir).at(-1)?.ahead ?? 0;
  }

  loseDisk(stateDir: string): void {
    this.loginFailures.delete(stateDir);
    this.disks.set(stateDir, (this.disks.get(stateDir) ?? 0) + 1);
  }

  diskOf(stateDir: string): string {
    return `${stateDir} ${this.disks.get(stateDir) ?? 0}`;
  }

  /** How far its clock was ahead in that time, in ms, from the first setting to the last. */
  settingsIn(stateDir: string, since: number, until: number): number[] {
    const all = this.settingsOf(stateDir);
    const first = all.findLastIndex(({ at }) => at < since);
    return all.slice(first).flatMap(({ at, ahead }) => (at <= until ? [ahead] : []));
  }

  /** How far its clock was set forward in that time at most, in ms. */
  setForward(stateDir: string, since: number, until: number): number {
    return largestRise(this.settingsIn(stateDir, since, until));
  }

  setBack(stateDir: string, since: number, until: number): number {
    return largestRise(this.settingsIn(stateDir, since, until).map((ahead) => -ahead));
  }

  private settingsOf(stateDir: string): ClockSetting[] {
    return gather(this.clocks, stateDir, [{ at: -Infinity, ahead: 0 }]);
  }
}

function largestRise(settings: readonly number[]): number {
  return Math.max(0, ...settings.map((ahead, i) => ahead - Math.min(...settings.slice(0, i + 1))));
}
