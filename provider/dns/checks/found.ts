/** What the checks have found, in the order of a zone. */
import { describeRecord } from "../text";
import type { DnsRecord } from "../record";
import type { CheckCode } from "./levels";
import type { ZoneIndex } from "./view";

/** One thing that a check has found. */
export interface CheckFinding {
  readonly code: CheckCode;
  readonly domain: string;
  /** What is found, of which record, and what to do; never a secret value. */
  readonly message: string;
}

export class Found {
  private readonly findings: { readonly order: string; readonly finding: CheckFinding }[] = [];

  constructor(private readonly zone: ZoneIndex) {}

  add(code: CheckCode, record: DnsRecord, text: string): void {
    const { domain } = record;
    const message = `${this.zone.describe(record)}: ${text}`;
    // Labels from the right, so that a parent comes before its children; the mark of a secret is another in each process.
    const labels = record.name === "@" ? "" : record.name.split(".").reverse().join("\u0001");
    const own = this.zone.hides(record) ? "" : describeRecord(record);
    this.findings.push({ order: `${labels}\u0000${record.type}\u0000${own}\u0000${code}`, finding: { code, domain, message } });
  }

  /** All of them; the same zone gives the same list, whatever the order of its records. */
  sorted(): CheckFinding[] {
    return this.findings.sort(({ order: a }, { order: b }) => (a === b ? 0 : a < b ? -1 : 1)).map(({ finding }) => finding);
  }
}
