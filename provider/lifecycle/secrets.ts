/**
 * Secret records of a batch: the zone's text has a line with a mark for each, the property `secrets` the data. A mark is
 * keyed with a number that the secret property alone holds: it changes when the data does, and guesses cannot be tried on
 * it. The number comes with the first secret and stays.
 */
import { createHmac, randomBytes } from "node:crypto";
import { dataText, recordKey, secretMarks, type DnsRecord } from "../dns";

/** The property `secrets`, read. */
export interface Secrets {
  /** Undefined before the provider has seen it: the program numbers its secrets. */
  readonly key: string | undefined;
  /** Data by mark. */
  readonly data: ReadonlyMap<string, string>;
}

export function readSecrets(text: unknown): Secrets {
  const data = new Map<string, string>();
  let key: string | undefined;
  for (const line of typeof text === "string" ? text.split("\n") : []) {
    const space = line.indexOf(" ");
    const word = line.slice(0, space);
    if (word === "key") key = line.slice(space + 1);
    else data.set(word, line.slice(space + 1));
  }
  return { key, data };
}

/** Marks secret records, and gathers their data. */
export class Marker {
  private readonly data = new Map<string, string>();
  private readonly key: string;

  /** @param before the property `secrets` as it was, for its key. */
  constructor(before: unknown) {
    this.key = readSecrets(before).key ?? randomBytes(18).toString("base64url");
  }

  readonly mark = (record: DnsRecord): string => {
    const mark = createHmac("sha256", this.key).update(recordKey(record)).digest("base64url").slice(0, 8);
    this.data.set(mark, dataText(record));
    return mark;
  };

  /** The property `secrets`. */
  get secrets(): string {
    return [
      `key ${this.key}`,
      ...[...this.data].sort(([a], [b]) => (a < b ? -1 : 1)).map(([mark, data]) => `${mark} ${data}`),
    ].join("\n");
  }
}

const apart =
  'records, secrets: the marks of the one are not those of the other; where the program ignores changes of one, write both: ignoreChanges: ["records", "secrets"]';

/**
 * What the program hands over, as the state holds it: its numbered secrets marked. What the state holds comes back as it
 * is, also where the program ignores changes of one of the two properties.
 * @throws Error where the two properties do not belong together
 */
export function sealed(
  given: { readonly records: string; readonly secrets: unknown; readonly domains: readonly string[] },
  before: { readonly records?: unknown; readonly secrets?: unknown },
): { readonly records: string; readonly secrets?: string } {
  const { records, secrets, domains } = given;
  if (records === before.records && typeof before.secrets === "string" && before.secrets !== "")
    return { records, secrets: before.secrets };
  if (typeof secrets !== "string") return { records };
  const { key, data } = readSecrets(secrets);
  if (key !== undefined) {
    for (const [, mark = ""] of records.matchAll(/^; [^;\n]* \(secret (\S+)\)/gm))
      if (!data.has(mark)) throw new Error(apart);
    return { records, secrets };
  }
  const marker = new Marker(before.secrets);
  const text = secretMarks(records, domains, (mark) => data.get(mark), marker.mark);
  return { records: text, secrets: marker.secrets };
}
