/** Records that a preview knows only in part. */
import { groupBy } from "../support/collections";
import type { DnsRecord, Ttl } from "./record";

export type UnknownRecord =
  | {
      /** An unknown name or value is empty. With an unknown priority, the value is empty too. */
      readonly record: DnsRecord;
      readonly ttl: Ttl;
      readonly what: "value" | "priority" | "ttl" | "name";
    }
  | { readonly what: "spec" | "specs" };

/**
 * Live records that may be the unknown ones: those with the most equal known parts. An unknown spec may be
 * any number of records.
 * @returns live record → the index of the unknown one
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
  // Each unknown spec takes one; the last, or a list of specs, takes the rest.
  const indicesOf = (what: UnknownRecord["what"]): number[] =>
    unknowns.flatMap((unknown, i) => (unknown.what === what ? [i] : []));
  const specs = [...indicesOf("spec"), ...indicesOf("specs")];
  for (const [n, each] of live.filter((one) => !found.has(one)).entries()) {
    const spec = specs[n] ?? specs.at(-1);
    if (spec !== undefined) found.set(each, spec);
  }
  return found;
}
