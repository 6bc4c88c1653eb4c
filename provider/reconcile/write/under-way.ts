import { recordKey, type DnsRecord } from "../../dns";
import { refOf } from "../memory/ledger";
import type { LiveEntry } from "../zones/zone";

/** Whether another resource declares a live record by now, or owns or ignores an unmanaged one. */
export type IsTakenOver = (live: LiveEntry) => boolean;

/** Live records that some resource of this process is changing or removing. */
export class UnderWay {
  private readonly writes = new Map<string, Promise<unknown>>();
  private readonly touched = new Set<string>();
  /** Number → the record as this process has changed it. */
  private readonly changed = new Map<string, LiveEntry>();

  hasTouched(records: () => readonly DnsRecord[]): boolean {
    return this.touched.size > 0 && records().some((record) => this.touched.has(recordKey(record)));
  }

  has(live: LiveEntry): boolean {
    return this.writes.has(refOf(live));
  }

  noteChanged(live: LiveEntry): void {
    this.changed.set(refOf(live), live);
  }

  asChanged(live: LiveEntry): LiveEntry {
    return this.changed.get(refOf(live)) ?? live;
  }

  /** @returns whether there were writes of these records, which have ended now */
  async ended(entries: readonly LiveEntry[]): Promise<boolean> {
    const writes = entries.flatMap((each) => this.writes.get(refOf(each)) ?? []);
    await Promise.all(writes);
    return writes.length > 0;
  }

  async during<T>(entries: readonly LiveEntry[], write: () => Promise<T>): Promise<T> {
    for (const { key } of entries) this.touched.add(key);
    const writing = write();
    const ended = writing
      .catch(() => undefined)
      .then(() => {
        for (const each of entries.map(refOf)) if (this.writes.get(each) === ended) this.writes.delete(each);
      });
    for (const each of entries) this.writes.set(refOf(each), ended);
    await ended;
    return writing;
  }
}
