/**
 * What a program may write, and how plain specs travel to the provider: as one text per resource, which keeps a zone
 * of 100,000 records within seconds (nested objects take a minute and gigabytes of the engine's memory).
 */
import type { Input } from "@pulumi/pulumi";
import type { PlainRecordSpec, Ttl } from "../dns";

/** What happens to a record that is no longer declared; the stack's `legacydns:removal` where omitted. */
export interface RemovalOptions {
  /**
   * `verify`: the removal is checked against the zone and is an error while the record is live. `retain`: the record
   * stays in the zone. `delete`: it is removed, and changed in place; needs the setting `undocumentedOperations`, with
   * which it is the default.
   */
  readonly removal?: Input<"verify" | "retain" | "delete" | undefined>;
  /** Whether an equal record that is live already is taken over (default: the setting `adopt`, true). */
  readonly adopt?: Input<boolean | undefined>;
}

/** A TTL as a program writes it: seconds from 1, a time as zone files have it (`"1h"`, `"1d12h"`), or `"default"`. */
export type TtlInput = number | "default" | (string & {});

/** The types of records whose data this provider understands. */
export type KnownType = "A" | "AAAA" | "CNAME" | "MX" | "NS" | "TXT" | "SRV" | "CAA";

/** A known type, or the name of one of the service's own, which is passed on as it is written. */
export type RecordType = KnownType | (string & {});

/** One record of a batch. Lists make every combination: two names and two values are four records. */
export interface RecordSpec {
  /** Relative to the domain: `www`, `*.preview`, or a list of names. `@`, the default, is the domain itself. */
  readonly name?: Input<string | readonly Input<string>[] | undefined>;
  /** `A`, `AAAA`, `CNAME`, `MX`, `NS`, `TXT`, `SRV`, `CAA`, or a type of the service's own. */
  readonly type: Input<RecordType>;
  /** The data, or a list of them: an address, a whole host name, a text, `10 5 5060 sip.example.com` (SRV), `0 issue "ca.example.net"` (CAA). */
  readonly value: Input<string | readonly Input<string>[]>;
  /** Seconds, from 1, or a time with units: `"1h"`. Omitted: sent as the setting `defaultTtl`, and any live TTL is accepted. */
  readonly ttl?: Input<TtlInput | undefined>;
  /** 0-65535, for MX, and for SRV with three fields in its value. It may stand in the value instead: `10 mx1.example.com`. */
  readonly priority?: Input<number | undefined>;
  /** Name of a resolution line; omitted: the default line. */
  readonly line?: Input<string | undefined>;
}

/** The inputs of a `Record`. */
export interface RecordArgs extends RemovalOptions {
  /** The zone, for example `example.com`. */
  readonly domain: Input<string>;
  /** Relative to the domain: `www`, `*.preview`. `@`, the default, is the domain itself. */
  readonly name?: Input<string | undefined>;
  /** `A`, `AAAA`, `CNAME`, `MX`, `NS`, `TXT`, `SRV`, `CAA`, or a type of the service's own. */
  readonly type: Input<RecordType>;
  /** The data: an address, a whole host name, a text, `10 5 5060 sip.example.com` (SRV), `0 issue "ca.example.net"` (CAA). */
  readonly value: Input<string>;
  /** Seconds, from 1, or a time with units: `"1h"`. Omitted: sent as the setting `defaultTtl`, and any live TTL is accepted. */
  readonly ttl?: Input<TtlInput | undefined>;
  /** 0-65535, for MX, and for SRV with three fields in its value. It may stand in the value instead: `10 mx1.example.com`. */
  readonly priority?: Input<number | undefined>;
  /** Name of a resolution line; omitted: the default line. */
  readonly line?: Input<string | undefined>;
}

/** What happens to live records that nobody declares; by default they are nobody's business. */
export interface UndeclaredOptions {
  /**
   * `report`: a refresh and an up name them. `remove`: a refresh puts them in the plan, and the next up removes them; needs
   * the setting `undocumentedOperations`.
   */
  readonly undeclared?: Input<"ignore" | "report" | "remove" | undefined>;
  /** Records that somebody else looks after: `_acme-challenge*` (a name), `* TXT` (a type), `_dnslink* TXT` (both). */
  readonly ignore?: Input<readonly Input<string>[] | undefined>;
}

/** The inputs of a `RecordBatch`. */
export interface RecordBatchArgs extends RemovalOptions, UndeclaredOptions {
  /** The zones; each gets every record of the batch. */
  readonly domains: Input<string | readonly Input<string>[]>;
  /** Specs, presentation lines (`www 600 A 192.0.2.1`), or both in one list; or one text of such lines. */
  readonly records: Input<string | readonly Input<RecordSpec | string>[]>;
}

/** What a batch's records are before the engine sees them. */
export type PlainRecords = string | readonly (PlainRecordSpec | string)[] | Readonly<Record<string, Ttl>>;

/** What is to be said of a zone file where something changes, each text with its place in the file. */
export interface SourceNotes {
  readonly warnings: readonly string[];
  /** What was passed over on purpose. */
  readonly notes: readonly string[];
}

/** The notes as inputs, which are news for one run and not stored. */
export function packNotes({ warnings, notes }: SourceNotes): { fileWarnings?: string; fileNotes?: string } {
  return {
    ...(warnings.length === 0 ? {} : { fileWarnings: warnings.join("\n") }),
    ...(notes.length === 0 ? {} : { fileNotes: notes.join("\n") }),
  };
}

/** The inverse of {@link packNotes}, undefined where there are none; and the other inputs. */
export function unpackNotes(props: Readonly<Record<string, unknown>>): {
  readonly source: SourceNotes | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
} {
  const { fileWarnings, fileNotes, ...inputs } = props;
  const lines = (text: unknown): string[] => (typeof text === "string" ? text.split("\n") : []);
  const source = { warnings: lines(fileWarnings), notes: lines(fileNotes) };
  return { source: fileWarnings === undefined && fileNotes === undefined ? undefined : source, inputs };
}

/** The failure of a resource whose problems the program has shown already. */
export function alreadyShown(problems: number): string {
  const what = problems === 1 ? "its problem is" : `its ${problems} problems are`;
  return `${what} shown with the program's errors; nothing was planned for it`;
}

const mark = "legacydns";

/** Plain records as one text. */
export function packRecords(records: PlainRecords): string {
  return JSON.stringify({ [mark]: 1, records });
}

/** What `check` got, unpacked; anything that is not packed is handed back as it is. */
export function unpackRecords(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith(`{"${mark}":1,`)) return value;
  const packed: unknown = JSON.parse(value);
  return typeof packed === "object" && packed !== null && "records" in packed ? packed.records : [];
}
