/** The zone checks as a table: by code, the types of the records that a check reads, and its function. */
import { checkCodes, type CheckCode, type Reason } from "../../problems";
import type { DeclaredRecord } from "../record";
import * as mail from "./mail";
import { hiddenWildcard, idleWildcard, occluded, unusualName } from "./names";
import * as spf from "./spf";
import * as targets from "./targets";
import { caaFlags, caaOpen, caaWildcard, privateAddress, ttlDiffers, ttlLong } from "./values";
import type { ZoneIndex } from "./view";

/** The parts of a finding about one declared record; undefined if the check finds nothing. */
type Find<C extends CheckCode> = (record: DeclaredRecord, zone: ZoneIndex) => Reason<C>["parts"] | undefined;

const any = undefined;

type Row<C extends CheckCode> = readonly [types: readonly string[] | typeof any, find: Find<C>];

const table: { readonly [C in CheckCode]: Row<C> } = {
  "mx-cname": [["MX"], targets.aliasHost],
  "mx-missing": [["MX"], targets.missingHost],
  "mx-null": [["MX"], targets.nullBeside],
  "mx-single": [["MX"], targets.single],
  "ns-cname": [["NS"], targets.aliasHost],
  "ns-missing": [["NS"], targets.missingHost],
  "ns-single": [["NS"], targets.single],
  "ns-wildcard": [["NS"], targets.wildcardServer],
  "glue-missing": [["NS"], targets.missingGlue],
  "srv-cname": [["SRV"], targets.aliasHost],
  "srv-missing": [["SRV"], targets.missingHost],
  "srv-null": [["SRV"], targets.nullBeside],
  "srv-port": [["SRV"], targets.noPort],
  "srv-name": [["SRV"], targets.serviceName],
  "cname-dangling": [["CNAME"], targets.dangling],
  "cname-loop": [["CNAME"], targets.loop],
  "cname-chain": [["CNAME"], targets.chain],
  "name-unusual": [any, unusualName],
  "name-occluded": [any, occluded],
  "wildcard-idle": [any, idleWildcard],
  "wildcard-hidden": [any, hiddenWildcard],
  "ttl-long": [any, ttlLong],
  "ttl-differs": [any, ttlDiffers],
  "private-address": [["A", "AAAA"], privateAddress],
  "caa-open": [["CAA"], caaOpen],
  "caa-wildcard": [["CAA"], caaWildcard],
  "caa-flags": [["CAA"], caaFlags],
  "text-quoting": [["TXT"], mail.quoting],
  "text-ascii": [["TXT"], mail.foreignText],
  "mail-syntax": [["TXT"], mail.syntax],
  "mail-twice": [["TXT"], mail.twice],
  "mail-half": [["MX", "TXT"], mail.halfClosed],
  "spf-lookups": [["TXT"], spf.lookups],
  "spf-dangling": [["TXT"], spf.missingInclude],
  "spf-open": [["TXT"], spf.open],
  "spf-neutral": [["TXT"], spf.neutral],
  "spf-ptr": [["TXT"], spf.pointer],
  "spf-type": [["SPF"], spf.oldType],
  "spf-missing": [["MX"], mail.spfMissing],
  "dmarc-alone": [["TXT"], mail.dmarcAlone],
  "dmarc-missing": [["MX", "TXT"], mail.dmarcMissing],
};

/** The codes of the checks that read records of a type. */
export function codesOf(type: string): CheckCode[] {
  return checkCodes.filter((code) => table[code][0]?.includes(type) !== false);
}

/** What one check finds of a record, whose type it reads. */
export function findingOf<C extends CheckCode>(
  code: C,
  record: DeclaredRecord,
  zone: ZoneIndex,
): Reason<C> | undefined {
  const row: Row<C> = table[code];
  const parts = row[1](record, zone);
  return parts === undefined ? undefined : { code, parts };
}
