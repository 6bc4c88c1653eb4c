/** Which live records are being changed or removed at this moment, by whichever resource of this process. */
import type { LiveEntry } from "../zones/zone";

export class UnderWay {
  /** By domain and id. */
  private readonly writes = new Map<string, Promise<unknown>>();

  has(live: LiveEntry): boolean {
    return this.writes.has(placed(live));
  }

  /** Waits for the writes of these records. @returns whether there was any: the zones then hold something else */
  async ended(entries: readonly LiveEntry[]): Promise<boolean> {
    const writes = entries.flatMap((live) => this.writes.get(placed(live)) ?? []);
    await Promise.all(writes);
    return writes.length > 0;
  }

  async during<T>(entries: readonly LiveEntry[], write: () => Promise<T>): Promise<T> {
    const writing = write();
    const ended = writing.catch(() => undefined).then(() => {
      for (const live of entries) this.writes.delete(placed(live));
    });
    for (const live of entries) this.writes.set(placed(live), ended);
    return writing;
  }
}

function placed({ id, record }: LiveEntry): string {
  return `${record.domain} ${id}`;
}
