/**
 * Limits combinations of lists in YAML specs like `$GENERATE` lines: a few lines could make more records
 * than memory holds.
 */
import { reason, type Reason } from "../../problems";
import { maxGenerated, maxGeneratedCharacters } from "./generate";

export class Combinations {
  private records = 0;
  private characters = 0;

  /** @returns the problem if the spec exceeds a limit */
  add(fields: readonly (readonly [name: string, value: unknown])[]): Reason | undefined {
    const sizeOf = (wanted: string): { readonly count: number; readonly characters: number } => {
      const given = fields.find(([name]) => name === wanted)?.[1];
      const texts = [given].flat().map((text) => (typeof text === "string" ? text.length : 0));
      return { count: texts.length, characters: texts.reduce((sum, length) => sum + length, 0) };
    };
    const [names, values] = [sizeOf("name"), sizeOf("value")];
    const records = names.count * values.count;
    if (records < 2) return undefined;
    const characters = names.characters * values.count + values.characters * names.count;
    if (this.records + records > maxGenerated)
      return reason("lists.records", { records, most: maxGenerated });
    if (this.characters + characters > maxGeneratedCharacters) {
      const most = maxGeneratedCharacters;
      return reason("lists.characters", { records, characters, most });
    }
    this.records += records;
    this.characters += characters;
    return undefined;
  }
}
