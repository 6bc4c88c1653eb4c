/**
 * What the resources of a program declare in one domain. A record that two of them declare is found by an index, which is
 * made once a second resource declares there: a zone of one resource, however large, costs none.
 */
import { Places, recordKey, type DeclaredRecord } from "../dns";
import { declaredText } from "./manifest";

interface Part {
  readonly resource: string;
  readonly records: readonly DeclaredRecord[];
  /** The records as a manifest has them, once a resource has asked. */
  text?: string;
}

interface Index {
  /** The resource of each record, by the record's key. */
  readonly resources: Map<string, string>;
  /** What stands where. */
  readonly places: Places<{ readonly record: DeclaredRecord; readonly resource: string }>;
}

/** What stands in the way of a record: the resource that declares it too, or what it cannot stand beside. */
export type Clash =
  | { readonly kind: "declared"; readonly resource: string }
  | { readonly kind: "beside"; readonly resource: string; readonly record: DeclaredRecord };

export class DomainClaims {
  private parts: readonly Part[] = [];
  private index: Index | undefined;

  /** The resources that declare records here. */
  get resources(): readonly string[] {
    return this.parts.map(({ resource }) => resource);
  }

  /** Adds a resource's records; the engine may ask about a resource twice. @returns what clashes with another resource's, by record */
  add(resource: string, records: readonly DeclaredRecord[]): ReadonlyMap<DeclaredRecord, Clash> {
    const clashes = new Map<DeclaredRecord, Clash>();
    const others = this.parts.filter((part) => part.resource !== resource);
    if (others.length > 0) {
      this.index ??= this.indexed();
      // One that is written twice is told once.
      for (const record of new Map(records.map((each) => [recordKey(each), each])).values()) {
        const clash = claim(this.index, record, resource);
        if (clash !== undefined) clashes.set(record, clash);
      }
    }
    this.parts = [...others, { resource, records }];
    return clashes;
  }

  /** The records that other resources declare here, as a manifest has them ({@link declaredText}). */
  textBeside(resource: string): string {
    return this.parts
      .filter((part) => part.resource !== resource)
      .map((part) => (part.text ??= declaredText(part.records)))
      .join(" ");
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
  // Within a resource the expansion has said so already.
  if (other !== undefined) return other === resource ? undefined : { kind: "declared", resource: other };
  resources.set(key, resource);
  const against = places.add({ record, resource }).find((each) => each.resource !== resource);
  return against && { kind: "beside", ...against };
}
