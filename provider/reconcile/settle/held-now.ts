/** What becomes of a ledger's held records while its open writes are settled. */
import type { DeclaredRecord } from "../../dns";
import { heldByDigest, heldByRef, refOf, type HeldRecord, type Ledger } from "../memory/ledger";
import type { Match } from "../plan/pairing";
import type { Run } from "../run";
import { secondsOf } from "../timeline";
import { formOf, heldRecord, isNewForm } from "../zones/own-forms";
import type { ShownRecords } from "./seek";

/** The held records with what a look has shown. */
export class HeldNow {
  /** By `refOf`. */
  readonly held: Map<string, HeldRecord>;
  /** Records that the service stores in another form. */
  readonly otherwise: Match[] = [];
  /** Live, but not as they were sent: possibly another user's. */
  readonly unclear: DeclaredRecord[] = [];

  constructor(
    private readonly run: Run,
    private readonly ledger: Ledger,
    private readonly records: ReadonlyMap<string, DeclaredRecord>,
  ) {
    this.held = new Map(heldByRef(ledger));
  }

  enter(seen: ShownRecords, since = secondsOf(this.run.clock.now())): void {
    for (const [key, verdict] of seen) {
      if (verdict.is === "otherwise") continue;
      const [live] = verdict.live;
      // Without it, the program has dropped the record since it was sent.
      const record = this.records.get(key);
      const before = heldByRef(this.ledger).get(refOf(live));
      if (record && isNewForm(live, heldByDigest(this.ledger).get(key))) {
        // The service has one form of a record, so a person has edited it: now, or before an earlier run of the job.
        if (before && [key, formOf(live)].includes(before.digest)) continue;
        this.otherwise.push({ record, live });
      }
      // An adopted record was only changed.
      const made = before?.made ?? true;
      this.held.set(refOf(live), heldRecord(live, since, made, record));
    }
  }

  enterUnclear(seen: ShownRecords): void {
    for (const [key, verdict] of seen) {
      const record = this.records.get(key);
      if (verdict.is === "otherwise" && record !== undefined && !heldByDigest(this.ledger).has(key))
        this.unclear.push(record);
    }
  }
}
