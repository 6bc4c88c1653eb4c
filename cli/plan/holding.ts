/**
 * What a resource that goes answers for: of all that its inputs and outputs name, what its ledger knows and what is live
 * where a host has read the zone. What the service refused to make is declared, and nobody's. Pure.
 */
import { digest } from "../../provider/dns";
import { groupBy } from "../../provider/gather";
import { parseLedger, type Ledger, type RecordRef } from "../../provider/reconcile/memory/ledger";
import { kindOf } from "../resources";
import type { Step } from "./preview";
import type { PlannedRecord } from "./records";

export interface Holding {
  readonly records: readonly PlannedRecord[];
  /** How many records the ledger numbers, and nothing names, by domain. */
  readonly nameless: ReadonlyMap<string, number>;
}

/** @param own digest of the record that it was: what it has become may be another resource's */
type IsLive = (ref: RecordRef & { readonly since?: number }, own?: string) => boolean;

/**
 * @param stored what the resource's inputs name
 * @param declared what its outputs say was declared last
 */
export function holdingOf(step: Step, stored: readonly PlannedRecord[], declared: readonly PlannedRecord[], isLive: IsLive): Holding {
  const all = [...new Map([...declared, ...stored].map((record) => [record.key, record])).values()];
  const ledger = ledgerOf(step);
  if (ledger === undefined) return { records: all, nameless: new Map() };
  const lastDeclared = new Set(declared.flatMap(({ key, ttl }) => (ttl.endsWith("(not declared)") ? [] : [key])));
  const held = new Set(ownedOf(all, ledger, isLive, kindOf(step.type) === "Record"));
  const others = groupBy(all.filter((record) => !lastDeclared.has(record.key) && !held.has(record)), ({ domain }) => domain);
  const nameless = new Map<string, number>();
  for (const [domain, numbers] of groupBy(ledger.leftOver.filter((each) => isLive(each)), (each) => each.domain)) {
    const named = others.get(domain) ?? [];
    // Where more is named than left over, nothing tells which of it is.
    const known = named.length <= numbers.length ? named : [];
    for (const record of known) held.add(record);
    nameless.set(domain, numbers.length - known.length);
  }
  return { records: [...held], nameless };
}

function ownedOf(all: readonly PlannedRecord[], { owned, jobs, unconfirmed }: Ledger, isLive: IsLive, isSingle: boolean): PlannedRecord[] {
  const open = new Set([...jobs, ...unconfirmed].flatMap(({ digests }) => digests));
  const digests = new Map(all.map((record) => [record, digest(record.key)]));
  const named = new Set(digests.values());
  const unnamed = [...owned].flatMap(([own, each]) => (named.has(own) ? [] : [each]));
  return all.filter((record) => {
    const { domain, text } = record;
    const own = digests.get(record) ?? "";
    const known = owned.get(own);
    if (known !== undefined) return isLive({ domain, ...known }, own);
    // The digest of a secret record, and of a single one that a refresh found changed, is not that of its text.
    return open.has(own) || ((isSingle || text.includes(" [secret]")) && unnamed.some((each) => isLive({ domain, ...each })));
  });
}

/** The ledger of what goes; undefined where the engine hides it, as that of a resource with secrets. */
function ledgerOf({ done }: Step): Ledger | undefined {
  const text = done?.["__ledger"];
  return typeof text === "string" && text.startsWith("ledger ") ? parseLedger(text) : undefined;
}
