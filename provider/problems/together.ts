/** Reasons that differ only by the records that they name are one, so that what to do stands once. Pure. */
import { groupBy } from "../gather";
import { count, listed, mostListed } from "../words";
import type { Reason } from "./index";

/** A declared record as a reason names it. `id`: of the live one that equals it; `names`: of live ones that exclude it. */
export interface Named {
  readonly what: string;
  readonly id?: string;
  readonly names?: string;
}

type Naming = Reason & { readonly parts: { readonly named: readonly Named[] } };

/** The reasons, each list of records once: what one live record excludes, then what is alike, wherever it is live. */
export function together(reasons: readonly Reason[]): Reason[] {
  const byLive = merged(reasons, ([first]) => first?.names);
  return merged(byLive, ([first, ...others]) => (others.length === 0 ? undefined : first?.names));
}

/** @param keyOf what of the named records must be the same */
function merged(
  reasons: readonly Reason[],
  keyOf: (named: readonly Named[]) => string | undefined,
): Reason[] {
  const groups = groupBy(reasons, (why) =>
    isNaming(why) ? JSON.stringify({ ...why, parts: { ...why.parts, named: keyOf(why.parts.named) } }) : why,
  );
  return [...groups.values()].flatMap((alike) => {
    const [first, ...others] = alike.filter(isNaming);
    const whole: Naming | undefined = first && {
      ...first,
      parts: { ...first.parts, named: [first, ...others].flatMap(({ parts }) => parts.named) },
    };
    return whole === undefined ? alike : [whole];
  });
}

function isNaming(why: Reason): why is Naming {
  return why.parts !== undefined && "named" in why.parts && Array.isArray(why.parts.named);
}

/** `www.example.com. A 192.0.2.1`, or `163 records (www.example.com. A 192.0.2.1 (record 7); …; and 153 more)`. */
export function namesOf(
  named: readonly Named[],
  textOf = ({ what, id }: Named) => (id === undefined ? what : `${what} (record ${id})`),
): string {
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0) return first.what;
  return `${count(named.length, "record")} (${listed(named.map(textOf))})`;
}

/** Where those are that a message leaves out. @param records how many it is about @param marked how the plan marks them, where that is known */
export function whereAll(records: number, marked?: string): string {
  if (records <= mostListed) return "";
  return `. The diff of \`pulumi-legacydns plan\` shows every one${marked === undefined ? "" : `, marked ${marked}`}`;
}
