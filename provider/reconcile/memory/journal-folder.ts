/**
 * The journals of all processes of a machine, one file each, without values. Marks name records: digests
 * under a key that is derived from the login token.
 */
import { createHmac, hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { Stamps, type Clock } from "../../support/clock";
import { digest } from "../../dns";
import { appendPrivate, listPrivate, removePrivate } from "../../support/private-file";
import type { Reporter } from "../../support/reporter";
import { noStateDir, type Settings } from "../../settings";
import { markKeyOf } from "../../support/mark-key";
import { errorText } from "../../support/text";
import { listedAt } from "../timeline";
import { JournalFile, type JournalWrite } from "./journal-file";

const anHour = 3_600_000;
/** How long a process works from one reading of a zone at most, in milliseconds. */
const longestUse = 600_000;
/** How long the journal names the records that a killed process created, in milliseconds. */
const aMonth = 30 * 24 * anHour;

export class JournalFolder {
  private count = 0;
  private readonly folder: string;
  private readonly file: string;
  private readonly prefix: string;
  private read = new Map<string, JournalFile>();
  private broken: boolean;
  private readonly markKey: Buffer;
  readonly keyName: string;

  constructor(
    readonly settings: Settings,
    readonly clock: Clock,
    private readonly reporter: Reporter,
    private readonly stamps: Stamps,
  ) {
    this.markKey = markKeyOf(settings.loginToken);
    this.keyName = hash("sha256", this.markKey).slice(0, 8);
    this.folder = join(settings.stateDir, "journal");
    this.broken = settings.stateDir === noStateDir;
    this.prefix = `${digest(settings.baseUrl)}.`;
    this.file = join(this.folder, `${this.prefix}${randomBytes(9).toString("hex")}.jsonl`);
  }

  stamp(at = this.clock.now()): number {
    return this.stamps.stored(at);
  }

  /** The note is on disk before the call returns. */
  add(note: (id: number) => object): number {
    const id = (this.count += 1);
    this.append(() => note(id), { flush: true });
    return id;
  }

  append(line: () => object, { flush = false, file = this.file } = {}): void {
    if (this.broken) return;
    try {
      // Another process's last line may have no end.
      const before = file === this.file ? "" : "\n";
      appendPrivate(file, `${before}${JSON.stringify(line())}\n`, { flush });
    } catch (error) {
      // Another process's file may be gone or not writable: the next run asks again.
      if (file !== this.file) return;
      this.broken = true;
      this.reporter.warn(
        `the journal ${file} cannot be written: ${errorText(error)}. After a kill, the next run cannot know the open writes. Set stateDir (LEGACYDNS_STATE_DIR) to a folder with space that can be written`,
      );
    }
  }

  close(): void {
    if (this.count > 0) this.append(() => ({ closed: this.stamp() }));
  }

  mark(text: string): string {
    return createHmac("sha256", this.markKey).update(text).digest("base64url").slice(0, 16);
  }

  marked(digests: readonly string[]): string {
    return digests.map((each) => this.mark(each)).join(" ");
  }

  /** @param values digest → value. @returns undefined if another key made the note's marks */
  reader<T extends object>(
    values: ReadonlyMap<string, T>,
  ): (note: Pick<JournalWrite, "marks" | "key">) => T[] | undefined {
    const byMark = new Map([...values].map(([each, value]) => [this.mark(each), value]));
    return ({ marks, key }) =>
      key === this.keyName || marks.length === 0
        ? marks.flatMap((each) => byMark.get(each) ?? [])
        : undefined;
  }

  files(): readonly JournalFile[] {
    const files = listPrivate(this.folder).flatMap((name): [string, JournalFile][] => {
      const path = join(this.folder, name);
      if (!name.startsWith(this.prefix) || path === this.file) return [];
      const file = this.read.get(name) ?? new JournalFile(path, this.clock, this.stamps);
      return file.refresh() ? [[name, file]] : [];
    });
    this.read = new Map(files);
    return [...this.read.values()];
  }

  tidied(): readonly JournalFile[] {
    const files = this.files();
    const now = this.clock.now();
    for (const file of files)
      if (this.isInUse(file)) this.report(file);
      else if (file.unsaved.length === 0 || now - file.changedAt > aMonth) removePrivate(file.path);
    return files;
  }

  private isInUse({ closed, changedAt, unknown, writes }: JournalFile): boolean {
    const now = this.clock.now();
    // No operation is idle for an hour.
    if (now - changedAt <= (closed ? longestUse : anHour)) return true;
    return [...writes.values(), ...(unknown ? [unknown] : [])].some(
      (write) => now < listedAt(this.settings, write) + longestUse,
    );
  }

  private report(file: JournalFile): void {
    const { isReported, path, unknown, unreadable } = file;
    if (isReported || unknown === undefined) return;
    file.isReported = true;
    const reason =
      unreadable === undefined
        ? `the journal file ${path} is damaged: it is empty, or holds lines that cannot be read`
        : `the journal of another run cannot be read: ${unreadable}`;
    this.reporter.warn(
      `${reason}. It may have noted a write, so missing records are looked for before they are created`,
    );
  }
}
