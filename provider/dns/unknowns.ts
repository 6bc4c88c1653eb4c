/** Records of which a preview does not know everything yet. */
import { groupBy } from "../gather";
import type { DnsRecord, Ttl } from "./record";

/** A record that is not known yet. */
export type UnknownRecord =
  | {
      /** Its value is empty unless the TTL alone is not known, or the name alone; its name is empty where that is not known. */
      readonly record: DnsRecord;
      readonly ttl: Ttl;
      /** What is not known; of a record without a name the value may be unknown, too. */
      readonly what: "value" | "priority" | "ttl" | "name";
    }
  /** A spec, or a whole list of them, of which nothing is known: how many records it makes is not known either. */
  | { readonly what: "spec" | "specs" };

/**
 * Which live records may be what is not known yet: an unknown record may be one that agrees with it in all that is known,
 * the one that agrees most; a spec of which nothing is known may be any number.
 * @returns by live record, the place of the unknown one in its list
 */
export function unknownsLiveAs<T extends { readonly record: DnsRecord }>(
  unknowns: readonly UnknownRecord[],
  live: readonly T[],
): Map<T, number> {
  const found = new Map<T, number>();
  for (const [byName, byData] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const alike = unknowns.flatMap((unknown, i) =>
      "record" in unknown &&
      (unknown.record.name !== "") === byName &&
      (unknown.record.value !== "") === byData
        ? [{ record: unknown.record, i }]
        : [],
    );
    if (alike.length === 0) continue;
    const keyOf = ({ domain, name, type, line, value, priority }: DnsRecord): string =>
      [domain, byName ? name : "", type, line ?? "", ...(byData ? [priority ?? "", value] : [])].join(" ");
    const free = groupBy(
      live.filter((each) => !found.has(each)),
      ({ record }) => keyOf(record),
    );
    for (const { record, i } of alike) {
      const first = free.get(keyOf(record))?.shift();
      if (first !== undefined) found.set(first, i);
    }
  }
  // Each of them for one, and the last, a whole list where there is one, for all that are left.
  const indicesOf = (what: UnknownRecord["what"]): number[] =>
    unknowns.flatMap((unknown, i) => (unknown.what === what ? [i] : []));
  const specs = [...indicesOf("spec"), ...indicesOf("specs")];
  for (const [n, each] of live.filter((one) => !found.has(one)).entries()) {
    const spec = specs[n] ?? specs.at(-1);
    if (spec !== undefined) found.set(each, spec);
  }
  return found;
}
