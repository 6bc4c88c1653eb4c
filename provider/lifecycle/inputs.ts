/**
 * What a program may write, and how it travels to the provider: as one text per resource, which keeps a zone of 100,000
 * records within seconds (nested objects take a minute and gigabytes of the engine's memory).
 */
import type { Input, OutputInstance } from "@pulumi/pulumi";
import type { CheckLevelsInput } from "../dns/checks";
import { dataText, readZoneText, zoneText, type ZoneContents } from "../dns";
import type { recordTypes } from "../dns/types";

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
export type KnownType = (typeof recordTypes)[number]["name"];

/** A known type, or the name of one of the service's own, which is passed on as it is written. */
export type RecordType = KnownType | (string & {});

/** One record of a batch, or several. Lists make every combination: two names and two values are four records. */
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

/** Fields that a promise or an output of a spec may have as well: where all of a union have them, the compiler suggests one for a misspelt field. */
type SpecFields = Partial<RecordSpec>;

/**
 * An element of `records`: a spec, a presentation line, or one of these that is known later. Of alternatives that have as many
 * fields in common with a wrong value, the compiler explains the one that it made last: so the spec is the last, and a type of its own.
 */
export type RecordInput =
  | string
  | (Promise<RecordSpec | string> & SpecFields)
  | (OutputInstance<RecordSpec | string> & SpecFields)
  | (RecordSpec & SpecFields);

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

/** What happens to live records that nobody declares; the default leaves them alone. */
export interface UndeclaredOptions {
  /**
   * `report`: a refresh and an up name them. `remove`: `pulumi up --refresh` removes them; needs the setting
   * `undocumentedOperations`.
   */
  readonly undeclared?: Input<"ignore" | "report" | "remove" | undefined>;
  /** Records that somebody else looks after: `_acme-challenge*` (a name), `* TXT` (a type), `_dnslink* TXT` (both). */
  readonly ignore?: Input<readonly Input<string>[] | undefined>;
}

/** The levels of the zone checks (docs/checks.md). */
export interface CheckOptions {
  /**
   * `note`, `warn`, `refuse` or `off` for the zone checks, or a level for each by its code: `{ "private-address": "off" }`. `*`
   * stands for the others. The setting `checks` counts for a code without a level here.
   */
  readonly checks?: Input<CheckLevelsInput | undefined>;
}

/** The inputs of a `RecordBatch`. */
export interface RecordBatchArgs extends RemovalOptions, UndeclaredOptions, CheckOptions {
  /** The zones; each gets every record of the batch. */
  readonly domains: Input<string | readonly Input<string>[]>;
  /**
   * Specs, presentation lines (`www 600 A 192.0.2.1`), or both. A text may have several lines. TypeScript also takes one such
   * text in place of the list.
   */
  readonly records: Input<string | readonly RecordInput[]>;
}

/** What is to be said of the records where something changes, each text with its place in the program or the file. */
export interface SourceNotes {
  readonly warnings: readonly string[];
  /** What was passed over on purpose. */
  readonly notes: readonly string[];
}

/** One record of a batch, as a program reads it. */
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

/** The records of a text that {@link handOver} or the provider has made. @throws Error for any other text */
export function zoneEntries(
  domains: readonly string[],
  records: string,
  secrets: string | undefined,
): ZoneEntry[] {
  const data = new Map(
    (secrets ?? "")
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );
  return readZoneText(records, { domains, secret: (mark) => data.get(mark) }).records.flatMap((record) => {
    const { note, disabled: _disabled, liveTtl: _live, secret: _secret, ttl, ...entry } = record;
    return note === "not declared" ? [] : [ttl === "default" ? entry : { ...entry, ttl }];
  });
}

/** What a program declares, as it travels to the provider, which finds in it what the state holds where nothing has changed. */
export interface HandedOver {
  /** Sorted. */
  readonly domains: readonly string[];
  /** The zone's text (dns/zone-text), in which secret records are numbered. */
  readonly records: string;
  /** A line for each secret record: its number and its data. To be marked as secret. */
  readonly secrets?: string;
  readonly sensitive?: true;
}

/** Expanded records as one text: a zone of 100,000 then costs the engine one value. */
export function handOver({
  domains,
  records,
  unknowns,
}: { readonly domains: readonly string[] } & ZoneContents): HandedOver {
  const secrets: string[] = [];
  const text = zoneText({ records, unknowns }, (record, index) => {
    secrets.push(`${index + 1} ${dataText(record)}`);
    return String(index + 1);
  });
  return {
    domains,
    records: text,
    ...(secrets.length === 0 ? {} : { secrets: secrets.join("\n"), sensitive: true }),
  };
}
