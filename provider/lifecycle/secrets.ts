/**
 * Secret records of a batch: numbers in the text, data in the property `secrets`. A number is a counter, so no
 * guess of a value can be compared with it, and a preview and its update count alike.
 */
import { dataText, readZoneText, recordKey, secretLines, secretMarks, type DnsRecord } from "../dns";
import type { CanonicalInputs } from "./inputs";

/** The property `secrets` of inputs: number → data. */
export function readSecrets(text = ""): ReadonlyMap<string, string> {
  const data = new Map<string, string>();
  for (const line of text.split("\n")) {
    const space = line.indexOf(" ");
    if (space > 0) data.set(line.slice(0, space), line.slice(space + 1));
  }
  return data;
}

export function secretsText(data: ReadonlyMap<string, string>): string {
  return [...data].map(([number, value]) => `${number} ${value}`).join("\n");
}

/** A batch's text, with the data of its secrets. */
export type SealedText = Omit<CanonicalInputs, "domains">;

interface TextInputs extends Pick<CanonicalInputs, "domains"> {
  readonly records?: string | undefined;
  readonly secrets?: string | undefined;
}

/** Numbers the secrets of a text. A record that `before` has keeps its number. Another gets a new one. */
export class Marker {
  private readonly data = new Map<string, string>();
  private readonly before = new Map<string, string>();
  private last = 0;

  constructor({ domains, records = "", secrets }: TextInputs) {
    const known = readSecrets(secrets);
    for (const { text, mark } of secretLines(records)) {
      const data = known.get(mark);
      const read = data === undefined ? undefined : readZoneText(text, { domains, secret: () => data });
      for (const record of read?.records ?? []) this.before.set(recordKey(record), mark);
    }
    for (const mark of known.keys()) if (/^\d+$/.test(mark)) this.last = Math.max(this.last, Number(mark));
  }

  readonly mark = (record: DnsRecord): string => {
    const key = recordKey(record);
    const mark = this.before.get(key) ?? String((this.last += 1));
    this.before.set(key, mark);
    this.data.set(mark, dataText(record));
    return mark;
  };

  get secrets(): string {
    return secretsText(new Map([...this.data].sort(([a], [b]) => Number(a) - Number(b))));
  }
}

const apart =
  'records, secrets: the marks of the one are not those of the other; where the program ignores changes of one, write both: ignoreChanges: ["records", "secrets"]';

/** Program and state number differently, so that one's text does not fit the other's data. */
export const programMark = (index: number): string => `p${index + 1}`;

const isOfProgram = (mark: string): boolean => mark.startsWith("p");

export function sealed({ records = "", secrets, domains }: TextInputs, before: TextInputs): SealedText {
  if (records === before.records && before.secrets) return { records, secrets: before.secrets };
  if (secrets === undefined) return { records };
  const data = readSecrets(secrets);
  for (const { mark } of secretLines(records)) if (!data.has(mark)) throw new Error(apart);
  if (![...data.keys()].some(isOfProgram)) return { records, secrets };
  const marker = new Marker(before);
  const text = secretMarks(records, domains, (mark) => data.get(mark), marker.mark);
  return { records: text, secrets: marker.secrets };
}
