import { readZoneText } from "../dns";
import { readSecrets } from "../lifecycle/batch-text";
import { lookup } from "./lookup";

/** One record of a batch, for programs. */
export interface ZoneEntry {
  /** The zone, as A-labels, without the dot. */
  readonly domain: string;
  /** Relative to the zone; `@` is the zone itself. */
  readonly name: string;
  /** The type, in upper case. */
  readonly type: string;
  /** Canonical: targets are absolute with the dot, a TXT value is the text itself. */
  readonly value: string;
  /** The priority of an MX record. */
  readonly priority?: number;
  /** Seconds. Absent if the program leaves it out. */
  readonly ttl?: number;
  /** The line's name. Absent on the default line. */
  readonly line?: string;
}

/**
 * The records of a zone's text as values. It makes no call.
 *
 * @param domains the zones of the text
 * @param records the text: the output `zoneText`, or the input `records` in a policy
 * @param secrets the property `secrets` of the same resource
 * @throws Error for a text that the provider has not made
 */
export function zoneEntries(
  domains: readonly string[],
  records: string,
  secrets: string | undefined,
): ZoneEntry[] {
  const data = readSecrets(secrets);
  return readZoneText(records, { domains, secret: (mark) => data.get(mark) }).records.flatMap((record) => {
    const { note, liveTtl: _live, secret: _secret, ttl, ...entry } = record;
    return note === "not declared" ? [] : [ttl === "default" ? entry : { ...entry, ttl }];
  });
}

export interface GetEntriesArgs {
  /** The domains of the text: the output `domains` of a `RecordBatch`, or `domain` of a `Zone`. */
  readonly domains: readonly string[];
  /** The output `zoneText`. */
  readonly zoneText: string;
  /** The output `secrets`. If it is missing, secret records are omitted. */
  readonly secrets?: string | undefined;
}

export interface GetEntriesResult {
  /** The records, in the order of the text. */
  readonly entries: readonly ZoneEntry[];
}

/**
 * The records of a `RecordBatch` or a `Zone` as values, from its outputs. It makes no call. TypeScript has the output
 * `entries` in its place.
 * @public
 */
export const getEntries = lookup({
  name: "getEntries",
  arguments: ["domains", "zoneText", "secrets"],
  request: (args) => ({
    domains: args.texts("domains"),
    zoneText: args.requiredText("zoneText"),
    secrets: args.text("secrets"),
  }),
  result: ({ domains, zoneText, secrets }): Promise<GetEntriesResult> =>
    Promise.resolve({ entries: zoneEntries(domains, zoneText, secrets) }),
});
