/** How a user lets resources depend on those that take their records over. */
import { split } from "../../provider/support/collections";
import { ledgerIds } from "./edits";
import type { Resource } from "./engine";
import type { Observer } from "./observer";
import { declaredIn, isMatched, type Declared, type Program } from "./program";

const isOf =
  ({ name, type }: Pick<Resource, "name" | "type">) =>
  (each: Declared) =>
    each.name === name && each.type === type;

/** Resources → those that now declare records which the texts call left over or unwanted. */
function receiversIn(
  world: Observer,
  texts: readonly string[],
  program: Program,
  state: readonly Resource[],
): Map<Declared, Set<Declared>> {
  const found = new Map<Declared, Set<Declared>>();
  const meant = texts.filter(
    (text) => /\[live\.(?:left-over|unwanted)\]/.test(text) && text.includes("(dependsOn)"),
  );
  for (const [, id] of meant.flatMap((text) => [...text.matchAll(/\brecord (\d+)/g)])) {
    const { domain = "", now: { identity: what = "" } = {} } = world.records.get(Number(id)) ?? {};
    const receiver = program.find((each) => declaredIn(each).some(({ identity }) => identity === what));
    const owners = state.filter((each) => ledgerIds([each], "+=").has(Number(id)));
    const excludes = ({ domains, absent = [] }: Declared) =>
      domains.includes(domain) && isMatched(absent, domain, what);
    for (const loser of program.filter((each) => excludes(each) || owners.some((owner) => isOf(owner)(each))))
      if (receiver !== undefined && receiver !== loser)
        found.set(loser, (found.get(loser) ?? new Set()).add(receiver));
  }
  return found;
}

export interface Order {
  readonly program: Program;
  /** Resources that exchange records cannot depend on each other. */
  readonly isCircular: boolean;
}

export function inOrder(
  world: Observer,
  texts: readonly string[],
  program: Program,
  state: readonly Resource[],
): Order {
  const receivers = receiversIn(world, texts, program, state);
  const ordered: Declared[] = [];
  let left: readonly Declared[] = program;
  while (left.length > 0) {
    const waits = (each: Declared) => left.some((other) => receivers.get(each)?.has(other) === true);
    const [free, waiting] = split(left, (each) => !waits(each));
    if (free.length === 0) return { program: [...ordered, ...left], isCircular: true };
    ordered.push(...free);
    left = waiting;
  }
  return { program: ordered, isCircular: false };
}
