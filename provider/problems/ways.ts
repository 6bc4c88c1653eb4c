/** What is left over, with the ways out told once: further reasons with the same ways name the first. */
import { gather } from "../gather";
import { isOf, type Reason } from ".";

/** @param told by ways out, of what they were told @param label what the reason is of; else its first record */
export function shortly(told: Map<string, string>, why: Reason, label?: string): Reason {
  if (!isOf(why, "live.left-over-next") && !isOf(why, "live.left-over-planned")) return why;
  const { removalSetBy, change, full, command, changed, first } = why.parts;
  const own = label ?? first;
  const see = gather(told, JSON.stringify([removalSetBy, change, full, command, changed > 0]), own);
  return see === own ? why : { ...why, parts: { ...why.parts, see } };
}
