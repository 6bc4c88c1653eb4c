/**
 * The record types by name. An unknown type keeps its data byte for byte. A new type is a file here and a
 * row below.
 */
import { hasLoneSurrogate, upperAscii } from "../ascii";
import { nearest } from "../../support/nearest";
import { quote, unquoteOne } from "../quoting";
import { reason, type Fault } from "../../problems";
import { invisible } from "../../support/visible";
import { a, aaaa } from "./address";
import { caa } from "./caa";
import { cname, ns } from "./host";
import { mx } from "./mx";
import { registeredTypes } from "./registered";
import { srv } from "./srv";
import { txt } from "./txt";
import { wrong, type Data, type RecordType, type Source } from "./type";

export { registeredTypes } from "./registered";
export type { Data, RecordType } from "./type";

export const recordTypes = [a, aaaa, cname, mx, ns, txt, srv, caa] as const;

const byName: ReadonlyMap<string, RecordType> = new Map(recordTypes.map((type) => [type.name, type]));

export const knownTypes: readonly string[] = [...byName.keys()];

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

/** Single spaces between words need no quotes. */
const notPlain = new RegExp(`^$|^ | {2}| $|[^\\S ]|["\\\\;()[\\]${invisible}]`, "u");

export function presentData(name: string, value: string, priority: number | undefined): string {
  const type = byName.get(name);
  if (type?.fields === "strings") return quote(value);
  if (type?.priority === "own") return priority === undefined ? value : `${priority} ${value}`;
  return type !== undefined || !notPlain.test(value) ? value : quote(value);
}
