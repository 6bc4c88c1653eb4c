/**
 * The inputs of a batch for the provider: one text. With 100,000 records, nested objects would take a minute
 * and gigabytes of the engine's memory.
 */
import { dataText, digest, zoneText, type ZoneContents } from "../dns";
import { programMark, secretsText } from "./secrets";

export interface SourceNotes {
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

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
