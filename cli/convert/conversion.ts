/** The result of a conversion: records by domain, problems, and notes about omitted parts. */
import { canonicalDomain, expandSpecs, type DeclaredEntry } from "../../provider/dns";
import { positionText, type SourcePosition } from "../../provider/dns/zone-file";
import {
  diagnosticOf,
  isError,
  reason,
  textOf,
  type Diagnostic,
  type PlacedReason,
} from "../../provider/problems";
import { gather } from "../../provider/support/collections";
import { visibleLine } from "../../provider/support/visible";

export interface ConvertedRecord {
  /** Absolute with the dot, or `@`. */
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority?: number;
  readonly position: SourcePosition;
}

class Unreadable extends Error {}

export function fail(message: string): never {
  throw new Unreadable(message);
}

/** A position, or a file, a domain or an option. */
export type Place = SourcePosition | string;

export const placeText = (at: Place): string => (typeof at === "string" ? at : positionText(at));

export class Conversion {
  readonly zones = new Map<string, ConvertedRecord[]>();
  readonly problems: { readonly at: Place; readonly diagnostic: Diagnostic }[] = [];
  readonly notes: { readonly at: Place; readonly message: string }[] = [];

  constructor(readonly defaultTtl: number) {}

  error(at: Place, why: string | PlacedReason, place = (text: string): string => text): undefined {
    const found = diagnosticOf(typeof why === "string" ? reason("convert.unfit", { detail: why }) : why);
    const records = found.records.map(({ text, note }) => ({ text, note: note && place(note) }));
    this.problems.push({ at, diagnostic: { ...found, title: place(visibleLine(found.title)), records } });
    return undefined;
  }

  note(at: Place, message: string): undefined {
    this.notes.push({ at, message });
    return undefined;
  }

  read<T>(at: SourcePosition, label: string, reading: () => T): T | undefined {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return this.error(at, `${label}: ${error.message}`);
    }
  }

  /** Adds a zone, which may stay empty. @returns its canonical name; undefined after a problem */
  zone(written: string, at: Place): string | undefined {
    const found = canonicalDomain(written);
    if ("problem" in found) return this.error(at, found.problem);
    gather(this.zones, found.domain, []);
    return found.domain;
  }
}

/** The records of a zone, checked like a program's specs. */
export function expanded(
  domain: string,
  conversion: Conversion,
  defaultLine: string,
): (DeclaredEntry & { readonly position: SourcePosition })[] {
  const written = conversion.zones.get(domain) ?? [];
  const specs = written.map(({ position: _position, ...spec }) => spec);
  const { records, claims = [], problems } = expandSpecs(domain, specs, { defaultLine });
  const inFile = (text: string): string =>
    text.replace(/records\[(\d+)\]/g, (all, index: string) => {
      const position = written[Number(index)]?.position;
      return position === undefined ? all : positionText(position);
    });
  for (const problem of problems) {
    const [, index = "", path = ""] = /^records\[(\d+)\]\.?(.*)$/.exec(problem.path) ?? [];
    const at = written[Number(index)]?.position ?? domain;
    if (isError(problem)) conversion.error(at, { ...problem, path }, inFile);
    else conversion.note(at, inFile(textOf({ ...problem, path })));
  }
  return records.flatMap((record, index) => {
    const position = written[Number(claims[index]?.path)]?.position;
    return position === undefined ? [] : [Object.assign(record, { position })];
  });
}
