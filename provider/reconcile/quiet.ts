/** Waits for a moment in which nothing further is heard. */
import type { Clock } from "../clock";

export class Quiet {
  private last = 0;

  /** @param window milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly window: number,
  ) {}

  heard(): void {
    this.last = this.clock.now();
  }

  async comes(): Promise<void> {
    for (let left = this.left(); left > 0; left = this.left()) await this.clock.sleep(left);
  }

  private left(): number {
    return this.window - (this.clock.now() - this.last);
  }
}
