import { declaredIn } from "../program";
import type { Law } from "./law";

export const stuckJobAlone = {
  name: "stuck-job-alone",
  sentence: "A job that never ends keeps only the records at its own names from being live.",
  row: "A job that does not end blocks only records at its own names.",
  *stuck(world, { program, open }) {
    for (const { identity: what, domain, spec } of program.flatMap(declaredIn))
      if (!open.has(`${spec.name} ${domain}`) && world.live(what).length === 0)
        yield `${what} is not live, though no open job is at its name`;
  },
} as const satisfies Law;
