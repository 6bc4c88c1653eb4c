/**
 * The declarations of a program's resources. If two resources declare one record or share, the error names
 * both.
 */
import { unknownValue, type Props } from "./lifecycle";
import { describeRecord, mark, ownerOf, type DeclaredRecord } from "../dns";
import { gather, groupBy } from "../support/collections";
import { isError, reason, type Problem } from "../problems";
import { DomainClaims } from "./claims";

/** The resources of one program and one provider, because two accounts may have zones with the same name. */
export class DeclaredOnce {
  readonly domains = new Map<string, DomainClaims>();
  /** Domain and e-mail of a share → its resource. */
  private readonly shares = new Map<string, string>();

  /**
   * The problems of a resource, and records that another resource also declares.
   * @param resource `RecordBatch "mail"`
   */
  errorsOf(
    resource: string,
    expansion: { readonly records: readonly DeclaredRecord[]; readonly problems: readonly Problem[] },
  ): Problem[] {
    const errors = expansion.problems.filter(isError);
    for (const [domain, records] of groupBy(expansion.records, ({ domain }) => domain)) {
      for (const [record, clash] of gather(this.domains, domain, new DomainClaims()).add(resource, records)) {
        const what = describeRecord(record);
        const why =
          clash.kind === "declared"
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
    const what = `the share of ${domain} with ${sensitive ? `#${mark(email)}` : email}`;
    return [{ ...reason("record.twice", { what, where: `by ${other}` }), path: "" }];
  }
}
