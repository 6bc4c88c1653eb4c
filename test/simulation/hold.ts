import { deepStrictEqual } from "node:assert";
import { simulate } from "./run";
import { features, type Feature } from "./troubles";

const runs = 25;

export interface Group {
  readonly what: string;
  readonly seed: number;
  readonly of: readonly Feature[];
  readonly always?: readonly Feature[];
}

export function itHolds(groups: readonly Group[]): void {
  for (const { what, seed, of, always = [] } of groups) {
    it(`hold what must hold: ${what}, ${runs} schedules from seed ${seed}`, async () => {
      const without = features.filter((feature) => !of.includes(feature));
      const left = `--without "${without.join()}" --always "${always.join()}"`;
      const broken: string[] = [];
      for (let i = 0; i < runs; i += 1) {
        const { violations } = await simulate(seed + i, {
          without: new Set(without),
          always: new Set(always),
        });
        const [first] = violations;
        if (first !== undefined)
          broken.push(
            `npm run simulate -- --runs 1 --seed ${seed + i} ${left} --trace: ${first.law}: ${first.text}`,
          );
      }
      deepStrictEqual(broken, []);
    });
  }
}
