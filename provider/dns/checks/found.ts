/** Findings in the order of a zone. */
import { compareTexts, zoneOrder } from "../names";
import { describeRecord } from "../text";
import type { DnsRecord } from "../record";
import { about, type CheckCode, type Reason } from "../../problems";
import { isSecret } from "./view";

export interface CheckFinding extends Reason<CheckCode> {
  readonly domain: string;
}

export class Found {
  private readonly findings: { readonly order: string; readonly finding: CheckFinding }[] = [];

  add(record: DnsRecord, why: Reason<CheckCode>): void {
    const { domain } = record;
    // The mark of a secret differs from process to process.
    const own = isSecret(record) ? "" : describeRecord(record);
    this.findings.push({
      order: `${zoneOrder(record.name)}\0\0${record.type}\0${own}\0${why.code}`,
      finding: { ...about(`${describeRecord(record)}:`, why), domain },
    });
  }

  /** The order of the zone's records does not change the list. */
  sorted(): CheckFinding[] {
    return this.findings.sort((a, b) => compareTexts(a.order, b.order)).map(({ finding }) => finding);
  }
}
