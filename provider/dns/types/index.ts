/**
 * The record types by name. An unknown type keeps its data byte for byte. A new type is an object here and
 * a row below.
 */
import { nearest } from "../../support/nearest";
import { quote, unquoteOne, hasLoneSurrogate, upperAscii } from "../quoting";
import { reason, type Fault } from "../../problems";
import { invisible } from "../../support/visible";
import { a, aaaa, caa, cname, ns, mx, srv, txt } from "./known";
import { wrong, type Data, type RecordType, type Source } from "./type";

export type { Data, Limits, RecordType } from "./type";

export const recordTypes = [a, aaaa, cname, mx, ns, txt, srv, caa] as const;

const byName: ReadonlyMap<string, RecordType> = new Map(recordTypes.map((type) => [type.name, type]));

export const knownTypes: readonly string[] = [...byName.keys()];

export function isAddress({ type }: { readonly type: string }): boolean {
  return typeOf(type)?.isAddress === true;
}

export function typeOf(name: string): RecordType | undefined {
  return byName.get(name);
}

const typeCharacters = new RegExp(`^(?!\\d)[^\\s${invisible}"\\\\;[\\]()]+$`, "u");

export function canonicalType(type: string): { readonly type: string; readonly known: boolean } | Fault {
  if (byName.has(type)) return { type, known: true };
  const upper = upperAscii(type);
  if (byName.has(upper)) return { type: upper, known: true };
  if (upper === "SOA") return { problem: reason("type.soa") };
  if (!typeCharacters.test(type) || upper === "IN" || upper === "DEFAULT")
    return { problem: reason("type.unknown", { hint: `write one such as ${knownTypes.join(", ")}` }) };
  return { type: upper, known: false };
}

export function meantType(type: string): string | undefined {
  return registeredTypes.has(upperAscii(type)) ? undefined : nearest(type, knownTypes);
}

export function canonicalData(name: string, source: Source): Data {
  const type = byName.get(name);
  if (source.priority !== undefined && type?.priority === undefined)
    return wrong(reason("priority.needless", { type: name }), "priority");
  const data = type === undefined ? opaque(source) : type.read(source);
  return "value" in data && hasLoneSurrogate(data.value)
    ? { ...data, unfit: reason("text.half-character") }
    : data;
}

function opaque({ value: given, presentation }: Source): Data {
  const value = (presentation && given.startsWith('"') ? unquoteOne(given) : undefined) ?? given;
  return value.trim() === value ? { value } : { value, unfit: reason("text.changed") };
}

const notPlain = new RegExp(`^$|^ | {2}| $|[^\\S ]|["\\\\;()[\\]${invisible}]`, "u");

export function presentData(name: string, value: string, priority: number | undefined): string {
  const type = byName.get(name);
  if (type?.fields === "strings") return quote(value);
  if (type?.priority === "own") return priority === undefined ? value : `${priority} ${value}`;
  return type !== undefined || !notPlain.test(value) ? value : quote(value);
}

/**
 * Types of DNS (IANA, "Resource Record (RR) TYPEs", 2025-10) whose data passes unchanged. The numbers are
 * the places of names in the data. Types of questions and messages are left out.
 */
const list = `A6 AFSDB:1 AMTRELAY:3 APL ATMA AVC BRID CDNSKEY CDS CERT CLA CSYNC DHCID DLV DNAME:0 DNSKEY DOA DS DSYNC:3
  EID EUI48 EUI64 GPOS HHIT HINFO HIP HTTPS:1 IPN IPSECKEY:3 ISDN KEY KX:1 L32 L64 LOC LP:1 MB:0 MD:0 MF:0 MG:0
  MINFO:0,1 MR:0 NAPTR:5 NID NIMLOC NINFO NSAP NSAP-PTR:0 NSEC:0 NSEC3 NSEC3PARAM NULL NXT:0 OPENPGPKEY PTR:0 PX:1,2
  RESINFO RKEY RP:0,1 RRSIG:7 RT:1 SIG:7 SINK SMIMEA SPF SSHFP SVCB:1 TA TALINK:0,1 TLSA URI WALLET WKS X25 ZONEMD`;

export const registeredTypes: ReadonlyMap<string, readonly number[]> = new Map(
  list.split(/\s+/).map((entry) => {
    const [name = "", places] = entry.split(":");
    return [name, places?.split(",").map(Number) ?? []];
  }),
);
