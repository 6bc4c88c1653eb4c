import { answered } from "../edits";
import { isEditedMeanwhile } from "../ownership";
import type { Law } from "./law";

export const alwaysAnswered = {
  name: "always-answered",
  sentence: "A name whose address a resource declares before and after an up always has an answer.",
  row: "An edit in full mode never leaves a name without an answer.",
  *executed(world, { call, open }) {
    const after = new Set(answered(world.watched.service, open));
    for (const question of open) {
      const { domain, name } = question;
      if (after.has(question) || world.zones.zoneOf(domain)?.status !== "enable") continue;
      if (!world.sawAddress(call, question) && world.excused("declared later")) continue;
      if (isEditedMeanwhile(world, call.process, question) && world.excused("person's edit")) continue;
      yield `${call.operation} of ${call.process.name} takes the last answer of ${name}.${domain}`;
    }
  },
} as const satisfies Law;
