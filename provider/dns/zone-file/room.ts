/** Limits records that `$GENERATE` lines and lists make: a few words could make more than memory holds. */
import { reason, type Reason } from "../../problems";

/** BIND suggests it for one line. */
const mostRecords = 65_536;
/** As many as zone files may have. */
export const mostCharacters = 32 * 1024 * 1024;

export function tooMuch(most: string): Reason {
  return reason("file.generated", { most });
}

/** What is left for the records of a file. */
export class Room {
  private records = 0;
  private characters = 0;

  /** @returns the problem if there is no room for the records */
  take(records: number, characters: number): Reason | undefined {
    if (this.records + records > mostRecords) return tooMuch(`${mostRecords} records`);
    if (this.characters + characters > mostCharacters) return tooMuch(`${mostCharacters} characters`);
    this.records += records;
    this.characters += characters;
    return undefined;
  }
}
