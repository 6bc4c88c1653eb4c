/**
 * The records of a batch as one text, because 100,000 nested objects would take a minute and gigabytes of the
 * engine's memory. Secret records are numbers in the text, with their data in the property `secrets`. A number is a
 * counter, so no guess of a value can be compared with it, and a preview and its update count alike.
 */
import {
  dataText,
  digest,
  readZoneText,
  recordKey,
  secretLines,
  secretMarks,
  zoneText,
  type DnsRecord,
  type ZoneContents,
} from "../dns";

export interface CanonicalInputs {
  readonly domains: readonly string[];
  readonly records: string;
  /** The number and the data of each secret record. Must be marked as secret. */
  readonly secrets?: string;
}

/** Identifies a text that this package has made, for the manifest. */
export function textDigest({ domains, records }: Pick<CanonicalInputs, "domains" | "records">): string {
  return digest([...domains, records].join("\n"));
}

export function canonicalInputs({
  domains,
  records,
  unknowns,
}: { readonly domains: readonly string[] } & ZoneContents): CanonicalInputs {
  const secrets = new Map<string, string>();
  const text = zoneText({ records, unknowns }, (record, index) => {
    const mark = programMark(index);
    secrets.set(mark, dataText(record));
    return mark;
  });
  return {
    domains,
    records: text,
    ...(secrets.size === 0 ? {} : { secrets: secretsText(secrets) }),
  };
}

/** The property `secrets` of inputs: number → data. */
export function readSecrets(text = ""): ReadonlyMap<string, string> {
  const data = new Map<string, string>();
  for (const line of text.split("\n")) {
    const space = line.indexOf(" ");
    if (space > 0) data.set(line.slice(0, space), line.slice(space + 1));
  }
  return data;
}

function secretsText(data: ReadonlyMap<string, string>): string {
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
const programMark = (index: number): string => `p${index + 1}`;

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
