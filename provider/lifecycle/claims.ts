/**
 * The records that the resources declare in one domain. An index finds records that two resources declare. It
 * is built when a second resource declares some.
 */
import { mailOf, Places, recordKey, type DeclaredRecord } from "../dns";
import { declaredText } from "./manifest";

interface Part {
  readonly resource: string;
  readonly records: readonly DeclaredRecord[];
  /** In the form of a manifest, computed on first use. */
  text?: string;
  /** The number of single records whose manifests contain these records. */
  sent?: number;
}

/**
 * Single records whose manifests contain a declared record. One would suffice if the engine checked resources
 * in the program's order.
 */
const carriers = 25;

interface Index {
  readonly resources: Map<string, string>;
  readonly places: Places<{ readonly record: DeclaredRecord; readonly resource: string }>;
}

/** Another resource declares the record, too, or one that excludes it. */
export type Clash =
  | { readonly kind: "declared"; readonly resource: string }
  | { readonly kind: "beside"; readonly resource: string; readonly record: DeclaredRecord };

export class DomainClaims {
  private parts: readonly Part[] = [];
  private index: Index | undefined;

  get resources(): readonly string[] {
    return this.parts.map(({ resource }) => resource);
  }

  /**
   * Adds a resource's records. Later calls replace them.
   * @returns record → its conflict with another resource
   */
  add(resource: string, records: readonly DeclaredRecord[]): ReadonlyMap<DeclaredRecord, Clash> {
    const clashes = new Map<DeclaredRecord, Clash>();
    const others = this.parts.filter((part) => part.resource !== resource);
    if (others.length > 0) {
      this.index ??= this.indexed();
      // A record that is declared twice is reported once.
      for (const record of new Map(records.map((each) => [recordKey(each), each])).values()) {
        const clash = claim(this.index, record, resource);
        if (clash !== undefined) clashes.set(record, clash);
      }
    }
    this.parts = [...others, { resource, records }];
    return clashes;
  }

  /**
   * The records of the other resources, in the form of a manifest ({@link declaredText}).
   * @param name the name of the resource's only record. Records that {@link carriers} already have are then
   * omitted, because a thousand resources would send a million digests. Records of this name, secret and MX
   * records are never omitted.
   */
  textOfOthers(resource: string, name?: string): string {
    const others = this.parts.filter((part) => part.resource !== resource);
    if (name === undefined) return others.map((part) => (part.text ??= declaredText(part.records))).join(" ");
    const isNear = (record: DeclaredRecord): boolean =>
      record.name === name || record.secret === true || mailOf(record) !== undefined;
    return declaredText(
      others.flatMap((part) => {
        part.sent = (part.sent ?? 0) + 1;
        return part.sent <= carriers ? part.records : part.records.filter(isNear);
      }),
    );
  }

  private indexed(): Index {
    const index: Index = { resources: new Map(), places: new Places() };
    for (const { resource, records } of this.parts)
      for (const record of records) claim(index, record, resource);
    return index;
  }
}

function claim({ resources, places }: Index, record: DeclaredRecord, resource: string): Clash | undefined {
  const key = recordKey(record);
  const other = resources.get(key);
  // Duplicates within a resource are reported by its expansion.
  if (other !== undefined) return other === resource ? undefined : { kind: "declared", resource: other };
  resources.set(key, resource);
  const against = places.add({ record, resource }).find((each) => each.resource !== resource);
  return against && { kind: "beside", ...against };
}
