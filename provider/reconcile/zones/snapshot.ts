/** A reading of a zone, merged with this process's later writes. */
import { gather } from "../../support/collections";
import { zoneOf, type LiveEntry, type Zone } from "./zone";

export interface Known {
  readonly id: string;
  readonly entry: LiveEntry | undefined;
  readonly at: number;
  /** A listing that shows a new record is newer than this. */
  readonly made: boolean;
}

/** Merged on use: a thousand writes to a long zone cost one pass. */
export class Snapshot {
  private changes: Known[] = [];
  private laid = 0;
  /** Key → new records, beside those of the zone. */
  private readonly made = new Map<string, LiveEntry[]>();

  constructor(private listed: Zone) {}

  get head(): Pick<Zone, "id" | "defaultLine" | "readAt"> {
    return this.listed;
  }

  get size(): number {
    return this.listed.entries.length + this.laid;
  }

  get zone(): Zone {
    if (this.changes.length > 0 || this.made.size > 0) {
      const made = [...this.made.values()].flat().map((entry) => ({ id: entry.id, entry, made: true }));
      this.listed = zoneOf(
        this.listed,
        withKnown(this.listed.entries, [...made, ...this.changes]),
        this.listed.readAt,
      );
      this.changes = [];
      this.made.clear();
      this.laid = 0;
    }
    return this.listed;
  }

  liveOf(key: string): readonly LiveEntry[] {
    const { byId, byKey } = this.changes.length > 0 ? this.zone : this.listed;
    const made = this.made.get(key)?.filter(({ id }) => !byId.has(id)) ?? [];
    return [...(byKey.get(key) ?? []), ...made];
  }

  lay(known: Known): void {
    this.laid += 1;
    if (known.made && known.entry && this.changes.length === 0)
      gather<string, LiveEntry[]>(this.made, known.entry.key, []).push(known.entry);
    else this.changes.push(known);
  }
}

export function withKnown(
  listed: readonly LiveEntry[],
  known: readonly Omit<Known, "at">[],
): readonly LiveEntry[] {
  if (known.length === 0) return listed;
  const byId = new Map(known.map((each) => [each.id, each]));
  const entries: LiveEntry[] = [];
  for (const each of listed) {
    const better = byId.get(each.id);
    byId.delete(each.id);
    if (better === undefined || better.made) entries.push(each);
    else if (better.entry) entries.push(better.entry);
  }
  for (const { entry } of byId.values()) if (entry) entries.push(entry);
  return entries;
}
