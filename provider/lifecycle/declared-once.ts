/** What a program's resources declare, so that what two of them declare is an error that names both. */
import { describeRecord, mark, Places, recordKey, type DeclaredRecord, type Problem } from "../dns";

type Props = Readonly<Record<string, unknown>>;

/** The resources of one program under one provider: two accounts may hold zones of one name. */
export class DeclaredOnce {
  /** The resource of each record, by the record's key. */
  readonly resources = new Map<string, string>();
  /** What stands where, across resources. */
  private readonly places = new Places<{ readonly record: DeclaredRecord; readonly resource: string }>();
  /** The resource of each share, by domain and e-mail. */
  private readonly shares = new Map<string, string>();

  /**
   * The errors of a resource: its own problems, and records that another resource declares too.
   * @param resource `RecordBatch "mail"`.
   */
  errorsOf(resource: string, expansion: { readonly records: readonly DeclaredRecord[]; readonly problems: readonly Problem[] }, sensitive: boolean): string[] {
    const errors = expansion.problems.filter((problem) => problem.severity === "error").map(({ path, message }) => `${path}: ${message}`);
    for (const record of expansion.records) {
      const key = recordKey(record);
      const other = this.resources.get(key);
      if (other !== undefined) {
        if (other !== resource) errors.push(`${describeRecord(record, sensitive)} is declared by ${other} as well; declare it once`);
        continue;
      }
      this.resources.set(key, resource);
      // Within a resource the expansion has said so already.
      const against = this.places.add({ record, resource }).find((each) => each.resource !== resource);
      if (against !== undefined) {
        errors.push(`${describeRecord(record, sensitive)} cannot stand beside ${describeRecord(against.record, sensitive)} of ${against.resource}, since a CNAME stands alone; take one of them out`);
      }
    }
    return errors;
  }

  /**
   * The error of a share that another resource declares too: the two would change it in turns.
   * @param share its inputs, canonical where they are right.
   */
  shareErrors(resource: string, { domain, email }: Props, sensitive: boolean): string[] {
    if (typeof domain !== "string" || typeof email !== "string") return [];
    const key = `${domain} ${email}`;
    const other = this.shares.get(key);
    if (other === undefined) this.shares.set(key, resource);
    if (other === undefined || other === resource) return [];
    return [`the share of ${domain} with ${sensitive ? `#${mark(email)}` : email} is declared by ${other} as well; declare it once`];
  }
}
