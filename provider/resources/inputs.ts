/** The inputs of a program's `Record` and `RecordBatch`. */
import type { Input, OutputInstance } from "@pulumi/pulumi";
import type { CheckLevelsInput } from "../dns/checks";
import type { recordTypes } from "../dns/types";

/** Options for records that are no longer declared. */
export interface RemovalOptions {
  /**
   * The fate of records that are no longer declared (default: the setting `removal`). `verify`: an error
   * while the record is live. `retain`: the record stays in the zone. `delete`: the record is deleted, or
   * changed in place; it needs the setting `undocumentedOperations`.
   */
  readonly removal?: Input<"verify" | "retain" | "delete" | undefined>;
  /** Whether an equal live record is adopted (default: the setting `adopt`, true). */
  readonly adopt?: Input<boolean | undefined>;
}

/** A TTL in a program: seconds from 1, a time with units (`"1h"`, `"1d12h"`), or `"default"`. */
export type TtlInput = number | "default" | (string & {});

/** The types of records whose data this provider understands. */
export type KnownType = (typeof recordTypes)[number]["name"];

/** A known type, or the name of one of the service's own, which is passed on as it is written. */
export type RecordType = KnownType | (string & {});

/**
 * One record of a batch, or several. Lists make every combination: two names and two values are four records.
 */
export interface RecordSpec {
  /**
   * Relative to the domain: `www`, `*.preview`, or a list of names. `@`, the default, is the domain itself.
   */
  readonly name?: Input<string | readonly Input<string>[] | undefined>;
  /** `A`, `AAAA`, `CNAME`, `MX`, `NS`, `TXT`, `SRV`, `CAA`, or a type of the service's own. */
  readonly type: Input<RecordType>;
  /**
   * The data, or a list of them: an address, a whole host name, a text, `10 5 5060 sip.example.com` (SRV), `0
   * issue "ca.example.net"` (CAA).
   */
  readonly value: Input<string | readonly Input<string>[]>;
  /**
   * Seconds from 1, or a time with units: `"1h"`. If omitted, the setting `defaultTtl` is sent, and any live
   * TTL is accepted.
   */
  readonly ttl?: Input<TtlInput | undefined>;
  /**
   * 0-65535, for MX, and for SRV with three fields in its value. The value may contain it instead: `10
   * mx1.example.com`.
   */
  readonly priority?: Input<number | undefined>;
  /** The name of a resolution line (default: the default line). */
  readonly line?: Input<string | undefined>;
}

/**
 * Fields of a spec, also for its promise or output: the compiler suggests a field for a misspelt one only if
 * all types of a union have it.
 */
type SpecFields = Partial<RecordSpec>;

/**
 * An element of `records`: a spec, a presentation line, or an output of these. The spec is a separate type
 * and the last one, because the compiler explains errors by the last alternative.
 */
export type RecordInput =
  | string
  | (Promise<RecordSpec | string> & SpecFields)
  | (OutputInstance<RecordSpec | string> & SpecFields)
  | (RecordSpec & SpecFields);

/** The inputs of a `Record`. */
export interface RecordArgs extends RemovalOptions, Pick<RecordSpec, "type" | "ttl" | "priority" | "line"> {
  /** The zone, for example `example.com`. */
  readonly domain: Input<string>;
  /** Relative to the domain: `www`, `*.preview`. `@`, the default, is the domain itself. */
  readonly name?: Input<string | undefined>;
  /**
   * The data: an address, a whole host name, a text, `10 5 5060 sip.example.com` (SRV), `0 issue
   * "ca.example.net"` (CAA).
   */
  readonly value: Input<string>;
}

/** The options that a `RecordBatch` and a `Zone` have in common. */
export interface BatchOptions extends RemovalOptions {
  /**
   * The reaction to live records that no resource declares (default: `ignore`). `report`: each preview,
   * refresh and up that reads the zone lists them, an unmanaged TXT record without its value. `remove`: `pulumi up --refresh` deletes them; it needs
   * the setting `undocumentedOperations`.
   */
  readonly undeclared?: Input<"ignore" | "report" | "remove" | undefined>;
  /**
   * Patterns of records that no message names as unmanaged, and that `undeclared` does not delete: `NAME [TYPE [VALUE]]`, such as
   * `_acme-challenge*` or `* CNAME *.acm-validations.aws.` (docs/records.md#patterns).
   */
  readonly ignore?: Input<readonly Input<string>[] | undefined>;
  /**
   * Patterns of live records that no run changes or deletes, unless the domain is confirmed (`confirmedDomains`):
   * `NAME [TYPE [VALUE]]`, such as `@ TXT v=spf1*` (docs/records.md#patterns). They also apply to what other
   * resources of the run do in these domains.
   */
  readonly protect?: Input<readonly Input<string>[] | undefined>;
  /**
   * Patterns of records that must not live beside the declared ones: `NAME [TYPE [VALUE]]`, such as `* A 192.0.2.*`
   * (docs/records.md#patterns). If the resource may delete (full mode, and `removal` is `delete`), an up deletes them.
   * Else it reports them and ends with an error. `ignore` and `protect` of the resource win.
   */
  readonly absent?: Input<readonly Input<string>[] | undefined>;
  /**
   * Per cent of a zone's records that one run may change or delete, 0-100 (default: the setting
   * `maxChangeShare`). 100 allows every share. If several resources of a domain set it, the smallest applies.
   */
  readonly maxChangeShare?: Input<number | undefined>;
  /**
   * Lowers every TTL to at most this many seconds, before a service moves (docs/move-a-service.md). A record
   * without a TTL gets it as well, or `defaultTtl` if that is lower.
   */
  readonly maxTtl?: Input<number | undefined>;
  /**
   * `note`, `warn`, `refuse` or `off` for the zone checks, or a level for each by its code: `{
   * "private-address": "off" }`. `*` stands for the others. A code without a level has that of the setting
   * `checks`.
   */
  readonly checks?: Input<CheckLevelsInput | undefined>;
}

/** The inputs of a `RecordBatch`. */
export interface RecordBatchArgs extends BatchOptions {
  /** The zones; each gets every record of the batch. None may lie below another. A preview must know the list. */
  readonly domains: Input<string | readonly Input<string>[]>;
  /**
   * Specs, presentation lines (`www 600 A 192.0.2.1`), or both. A text may have several lines. TypeScript
   * also takes one such text in place of the list.
   */
  readonly records: Input<string | readonly RecordInput[]>;
}
