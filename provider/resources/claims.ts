/** The declarations of a program's resources: no two may declare the same record or share. */
import { describeRecord, ownerOf, Places, recordKey, roleOf, type DeclaredRecord } from "../dns";
import { isError, reason, type Problem } from "../problems";
import { gather, groupBy } from "../support/collections";
import { hiddenText } from "../support/secret";
import { unknownValue, type Props } from "../lifecycle/lifecycle";
import { declaredText } from "../lifecycle/manifest";

interface ResourceRecords {
  readonly resource: string;
  readonly records: readonly DeclaredRecord[];
  text?: string;
  sent?: number;
}

/** So many single records have all digests. The engine checks resources in any order. */
const carriers = 25;

interface Index {
  readonly resources: Map<string, string>;
  readonly places: Places<{ readonly record: DeclaredRecord; readonly resource: string }>;
}

interface Clash {
  readonly resource: string;
  /** Its record at the same name. Undefined if both declare the same record. */
  readonly record?: DeclaredRecord;
}

export class DomainClaims {
  private parts: readonly ResourceRecords[] = [];
  private index: Index | undefined;

  get resources(): readonly string[] {
    return this.parts.map(({ resource }) => resource);
  }

  /** @returns record → its conflict with another resource */
  add(resource: string, records: readonly DeclaredRecord[]): ReadonlyMap<DeclaredRecord, Clash> {
    const clashes = new Map<DeclaredRecord, Clash>();
    const others = this.parts.filter((part) => part.resource !== resource);
    if (others.length > 0) {
      this.index ??= this.indexed();
      for (const record of new Map(records.map((each) => [recordKey(each), each])).values()) {
        const clash = claim(this.index, record, resource);
        if (clash !== undefined) clashes.set(record, clash);
      }
    }
    this.parts = [...others, { resource, records }];
    return clashes;
  }

  /**
   * The other resources' records, for a manifest. With `name`, those that {@link carriers} have are
   * omitted: a thousand resources would send a million digests. Records at the name, secrets and records
   * with a role are kept.
   */
  textOfOthers(resource: string, name?: string): string {
    const others = this.parts.filter((part) => part.resource !== resource);
    if (name === undefined) return others.map(textOf).join(" ");
    const isNear = (record: DeclaredRecord): boolean =>
      record.name === name || record.secret === true || roleOf(record) !== "other";
    return declaredText(
      others.flatMap((part) => {
        part.sent = (part.sent ?? 0) + 1;
        return part.sent <= carriers ? part.records : part.records.filter(isNear);
      }),
    );
  }

  /** The resource's own records, for its manifest. A resource that comes later names them too. */
  textOfOwn(resource: string): string {
    const own = this.parts.find((part) => part.resource === resource);
    return own === undefined ? "" : textOf(own);
  }

  private indexed(): Index {
    const index: Index = { resources: new Map(), places: new Places() };
    for (const { resource, records } of this.parts)
      for (const record of records) claim(index, record, resource);
    return index;
  }
}

function textOf(part: ResourceRecords): string {
  return (part.text ??= declaredText(part.records));
}

function claim({ resources, places }: Index, record: DeclaredRecord, resource: string): Clash | undefined {
  const key = recordKey(record);
  const other = resources.get(key);
  if (other !== undefined) return other === resource ? undefined : { resource: other };
  resources.set(key, resource);
  return places.add({ record, resource }).find((each) => each.resource !== resource);
}

/** Two accounts may have zones with the same name, so each provider has its own. */
export class DeclaredOnce {
  readonly domains = new Map<string, DomainClaims>();
  /** Resource with unknown records → its domains, if they are known. */
  readonly unknown = new Map<string, readonly string[] | undefined>();
  private readonly shares = new Map<string, string>();

  errorsOf(
    resource: string,
    expansion: { readonly records: readonly DeclaredRecord[]; readonly problems: readonly Problem[] },
  ): Problem[] {
    this.unknown.delete(resource);
    const errors = expansion.problems.filter(isError);
    for (const [domain, records] of groupBy(expansion.records, ({ domain }) => domain)) {
      for (const [record, clash] of gather(this.domains, domain, new DomainClaims()).add(resource, records)) {
        const what = describeRecord(record);
        const why =
          clash.record === undefined
            ? reason("record.twice", { what, where: `by ${clash.resource}` })
            : reason("cname.beside", { where: ownerOf(record.name, domain) }, [
                { text: what },
                { text: describeRecord(clash.record), note: clash.resource },
              ]);
        errors.push({ ...why, path: "" });
      }
    }
    return errors;
  }

  shareErrors(resource: string, { domain, email }: Props, sensitive: boolean): Problem[] {
    if (typeof domain !== "string" || typeof email !== "string") return [];
    if (domain === unknownValue || email === unknownValue) return [];
    const other = gather(this.shares, `${domain} ${email}`, resource);
    if (other === resource) return [];
    const what = `the share of ${domain} with ${sensitive ? hiddenText : email}`;
    return [{ ...reason("record.twice", { what, where: `by ${other}` }), path: "" }];
  }
}
