import type { ZoneRecord } from "../facts";
import type { Law } from "./law";

export const declaredStays = {
  name: "declared-stays",
  sentence: "No record that the run declares is deleted or changed into another, unless an equal one stays.",
  row: "A deletion never takes a record that the program declares.",
  *changed(world, { record: { domain, id }, before, after, call }) {
    const { process, operation } = call;
    const { identity: was = "" } = before;
    const { declared, kind } = world.run(process);
    if (after.identity === was || kind === "destroy" || !declared.has(was)) return;
    if (world.live(was).length > 0 || !world.knows(process, before, call)) return;
    if (!world.sawDeclaration(call, was)) return void world.excused("declared later");
    const shown = call.seen.get(domain)?.shown;
    const isUnknown = ({ id: other, now }: ZoneRecord) =>
      other !== id && shown?.get(other)?.identity === was && !world.knows(process, now, call);
    if ([...world.records.values()].some(isUnknown)) return;
    yield `${operation} of ${process.name} makes ${after.identity ?? "nothing"} of record ${id}, though ${was} is still declared`;
  },
} as const satisfies Law;
