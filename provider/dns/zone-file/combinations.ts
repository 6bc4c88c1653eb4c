/** What the lists of a YAML zone's specs make: a few lines of names and values could make more than a machine holds. */
import { reason, type Reason } from "../../problems";
import { maxGenerated, maxGeneratedCharacters } from "./generate";

/** A spec's fields as the file has them. */
type Fields = readonly (readonly [name: string, value: unknown])[];

/** Counts the combinations of a file, which together are at most what the `$GENERATE` lines of a master file may make. */
export class Combinations {
  private records = 0;
  private characters = 0;

  /** Counts what a spec makes. @returns why there is no room for it, with what was asked for */
  add(fields: Fields): Reason | undefined {
    const names = textsOf(fields, "name");
    const values = textsOf(fields, "value");
    const records = names.count * values.count;
    if (records < 2) return undefined;
    const characters = names.characters * values.count + values.characters * names.count;
    const asked = { names: names.count, values: values.count, records };
    if (this.records + records > maxGenerated)
      return reason("lists.records", { ...asked, before: this.records, most: maxGenerated });
    if (this.characters + characters > maxGeneratedCharacters) {
      return reason("lists.characters", {
        ...asked,
        characters,
        before: this.characters,
        most: maxGeneratedCharacters,
      });
    }
    this.records += records;
    this.characters += characters;
    return undefined;
  }
}

function textsOf(fields: Fields, name: string): { readonly count: number; readonly characters: number } {
  const given = fields.find(([field]) => field === name)?.[1];
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return {
    count: list.length,
    characters: list.reduce<number>((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0),
  };
}
