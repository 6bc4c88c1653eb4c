import { listed } from "../facts";
import { editing } from "../process";
import { isMatched, keyOf, type Declared } from "../program";
import type { Law } from "./law";

export const protectedStays = {
  name: "protected-stays",
  sentence: "No run changes or deletes what a checked resource protects, unless its domain is confirmed.",
  row: "A protected record stays as it is until a person confirms its domain.",
  *sent(world, { process, operation, params, seen, sentAt }) {
    if (!editing.has(operation)) return;
    const { checked, program } = world.run(process);
    for (const id of listed(params["record_id"]).map(Number)) {
      const { domain = "" } = world.records.get(id) ?? {};
      if (process.settings.confirmedDomains.includes(domain)) continue;
      const isChecked = (each: Declared): boolean => (checked.get(keyOf(each)) ?? Infinity) < sentAt;
      const near = program.filter((each) => each.domains.includes(domain) && isChecked(each));
      const what = seen.get(domain)?.shown.get(id)?.identity ?? "";
      if (near.some(({ protect = [] }) => isMatched(protect, domain, what)))
        yield `${process.name} sends ${operation} of record ${id} (${what}), which is protected`;
    }
  },
} as const satisfies Law;
