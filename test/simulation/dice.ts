import { Random } from "../../emulator/service/random";

export class Dice {
  private readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(Math.imul(seed, 0x9e3779b1) ^ 0x51ed270b);
    // Neighbouring seeds begin alike.
    for (let i = 0; i < 3; i += 1) this.random.next();
  }

  next(): number {
    return this.random.next();
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  between(low: number, high: number): number {
    return this.random.between(low, high);
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error("nothing to pick from");
    return list[Math.floor(this.random.next() * list.length)] as T;
  }

  fork(): Dice {
    return new Dice(Math.floor(this.random.next() * 0x7fffffff));
  }
}
