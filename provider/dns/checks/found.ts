/** The findings of the checks, in the order of a zone. */
import { describeRecord } from "../text";
import type { DnsRecord } from "../record";
import { about, type CheckCode, type Reason } from "../../problems";
import { isSecret } from "./view";

/** A check's finding about one record. */
export interface CheckFinding extends Reason<CheckCode> {
  readonly domain: string;
}

export class Found {
  private readonly findings: { readonly order: string; readonly finding: CheckFinding }[] = [];

  add(record: DnsRecord, why: Reason<CheckCode>): void {
    const { domain } = record;
    // Labels from the right, so that a parent comes before its children. The mark of a secret differs from process to process.
    const labels = record.name === "@" ? "" : record.name.split(".").reverse().join("\u0001");
    const own = isSecret(record) ? "" : describeRecord(record);
    this.findings.push({
      order: `${labels}\u0000${record.type}\u0000${own}\u0000${why.code}`,
      finding: { ...about(`${describeRecord(record)}:`, why), domain },
    });
  }

  /** All findings. The order of the zone's records does not change the list. */
  sorted(): CheckFinding[] {
    return this.findings
      .sort(({ order: a }, { order: b }) => (a === b ? 0 : a < b ? -1 : 1))
      .map(({ finding }) => finding);
  }
}
