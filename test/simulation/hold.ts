import { deepStrictEqual } from "node:assert";
import { simulate } from "./run";
import { features, type Feature } from "./troubles";
import type { Workload } from "./workload";

export interface Group {
  readonly what: string;
  readonly seed: number;
  readonly of: readonly Feature[];
  readonly always?: readonly Feature[];
}

export interface Play {
  readonly runs?: number;
  /** Default: the random `steps`. */
  readonly workload?: () => Workload;
}

export function itHolds(groups: readonly Group[], { runs = 25, workload }: Play = {}): void {
  for (const { what, seed, of, always = [] } of groups) {
    it(`hold what must hold: ${what}, ${runs} schedules from seed ${seed}`, async () => {
      const without = features.filter((feature) => !of.includes(feature));
      const named = workload === undefined ? "" : " --workload outside";
      const left = `--without "${without.join()}" --always "${always.join()}"${named}`;
      const broken: string[] = [];
      for (let i = 0; i < runs; i += 1) {
        const { violations } = await simulate(seed + i, {
          without: new Set(without),
          always: new Set(always),
          ...(workload && { workload }),
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
