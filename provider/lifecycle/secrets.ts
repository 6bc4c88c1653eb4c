/**
 * Secret records of a batch: marks in the text, data in the property `secrets`. The random key of a mark's
 * hash is in the secret property, so that guesses cannot be tried.
 */
import { createHmac, randomBytes } from "node:crypto";
import { dataText, recordKey, secretMarks, type DnsRecord } from "../dns";

export interface Secrets {
  readonly key: string | undefined;
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

export class Marker {
  private readonly data = new Map<string, string>();
  private readonly key: string;

  constructor(before: unknown) {
    this.key = readSecrets(before).key ?? randomBytes(18).toString("base64url");
  }

  readonly mark = (record: DnsRecord): string => {
    const mark = createHmac("sha256", this.key).update(recordKey(record)).digest("base64url").slice(0, 8);
    this.data.set(mark, dataText(record));
    return mark;
  };

  get secrets(): string {
    return [
      `key ${this.key}`,
      ...[...this.data].sort(([a], [b]) => (a < b ? -1 : 1)).map(([mark, data]) => `${mark} ${data}`),
    ].join("\n");
  }
}

const apart =
  'records, secrets: the marks of the one are not those of the other; where the program ignores changes of one, write both: ignoreChanges: ["records", "secrets"]';

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
