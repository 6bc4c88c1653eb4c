/** The zone checks by code. A record type names the checks of its records. */
import { checkCodes, type CheckCode, type Reason } from "../../problems";
import type { DeclaredRecord } from "../record";
import { recordTypes, typeOf } from "../types";
import * as mail from "./mail";
import { hiddenWildcard, idleWildcard, occluded, unusualName } from "./names";
import * as spf from "./spf";
import * as targets from "./targets";
import { caaFlags, caaOpen, caaWildcard, privateAddress, ttlDiffers, ttlLong } from "./values";
import type { ZoneIndex } from "./view";

type Find<C extends CheckCode> = (record: DeclaredRecord, zone: ZoneIndex) => Reason<C>["parts"] | undefined;

const table: { readonly [C in CheckCode]: Find<C> } = {
  "mx-cname": targets.aliasHost,
  "mx-missing": targets.missingHost,
  "mx-null": targets.nullMail,
  "mx-single": targets.single,
  "ns-cname": targets.aliasHost,
  "ns-missing": targets.missingHost,
  "ns-single": targets.single,
  "ns-wildcard": targets.wildcardServer,
  "glue-missing": targets.missingGlue,
  "srv-cname": targets.aliasHost,
  "srv-missing": targets.missingHost,
  "srv-null": targets.nullBeside,
  "srv-port": targets.noPort,
  "srv-name": targets.serviceName,
  "cname-dangling": targets.dangling,
  "cname-loop": targets.loop,
  "cname-chain": targets.chain,
  "name-unusual": unusualName,
  "name-occluded": occluded,
  "wildcard-idle": idleWildcard,
  "wildcard-hidden": hiddenWildcard,
  "ttl-long": ttlLong,
  "ttl-differs": ttlDiffers,
  "private-address": privateAddress,
  "caa-open": caaOpen,
  "caa-wildcard": caaWildcard,
  "caa-flags": caaFlags,
  "text-quoting": mail.quoting,
  "text-ascii": mail.foreignText,
  "mail-syntax": mail.syntax,
  "mail-twice": mail.twice,
  "mail-half": mail.halfClosed,
  "spf-lookups": spf.lookups,
  "spf-dangling": spf.missingInclude,
  "spf-open": spf.open,
  "spf-neutral": spf.neutral,
  "spf-ptr": spf.pointer,
  "spf-type": spf.oldType,
  "spf-missing": mail.spfMissing,
  "dmarc-alone": mail.dmarcAlone,
  "dmarc-missing": mail.dmarcMissing,
};

const ofTypes: ReadonlySet<CheckCode> = new Set(recordTypes.flatMap(({ checks }) => checks));

export const commonChecks: readonly CheckCode[] = checkCodes.filter((code) => !ofTypes.has(code));

export function codesOf(type: string): readonly CheckCode[] {
  return [...(typeOf(type)?.checks ?? []), ...commonChecks];
}

export function findingOf<C extends CheckCode>(
  code: C,
  record: DeclaredRecord,
  zone: ZoneIndex,
): Reason<C> | undefined {
  const parts = table[code](record, zone);
  return parts === undefined ? undefined : { code, parts };
}
