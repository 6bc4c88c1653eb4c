/**
 * The reader of master files (RFC 1035 §5, RFC 2308 §4): zone files as BIND and every other name server read them, made
 * into canonical records. Every problem is found in one reading, each with its place.
 */
import { lowerAscii, upperAscii } from "../ascii";
import { canonicalType, knownTypes } from "../data";
import { canonicalLabels, hyphenProblem, relativeTo } from "../names";
import { nearest } from "../nearest";
import { about, reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import type { Ttl } from "../record";
import { recordOf } from "../text";
import { registeredTypes } from "../types";
import { readDirective, type Included, type Scope } from "./directives";
import { isDefaultLine } from "../default-line";
import { classOf, hostOf, isTime, isWithin, lineOf, showToken, ttlOf } from "./fields";
import { Findings, type SourcePosition, type ZoneFileResult } from "./findings";
import { readRdata } from "./rdata";
import { loneReturn, Scanner, type Entry, type Token } from "./scan";

export interface ZoneFileOptions {
  /** As messages call the file: its path from the repository's root. */
  readonly file: string;
  /** The zone in canonical form; the origin until an `$ORIGIN`. */
  readonly domain: string;
  /** Declares the NS records of the apex, which are the service's own and passed over otherwise. */
  readonly apexNs?: boolean;
  /** Finds the file of an `$INCLUDE`; without it every `$INCLUDE` is a problem. */
  readonly include?: (path: string, from: SourcePosition) => Included;
  /** The default line's name; it is left out of records. */
  readonly defaultLine: string;
}

/**
 * The records that a master file declares.
 * @param text of the file; a byte order mark and the line ends of Windows are understood.
 * @example readZoneFile("www 600 IN A 192.0.2.1", { file: "a.zone", domain: "example.com", defaultLine: "默认" })
 */
export function readZoneFile(text: string, options: ZoneFileOptions): ZoneFileResult {
  const reader = new Reader(options);
  reader.read(text, {
    file: options.file,
    origin: options.domain,
    owner: undefined,
    above: [],
    isZone: false,
  });
  return reader.findings.result();
}

const ownersType = new Set(["SOA", "NS"]);
const allTypes = [...knownTypes, ...registeredTypes.keys()];

/** What stands between the owner and the data. */
interface Head {
  readonly type: Token;
  readonly ttl: Ttl | undefined;
  readonly rest: readonly Token[];
}

/** Reads files into its findings; what outlives an included file is kept here, the rest in its scope. */
export class Reader {
  readonly findings = new Findings();
  /** Of the last `$TTL`. */
  defaultTtl: Ttl | undefined;
  /** How many files were included so far. */
  included = 0;
  /** What `$GENERATE` has made so far. */
  generated = { records: 0, characters: 0 };
  /** The TTL last stated on a record, which stands in for a missing `$TTL` (RFC 1035 §5.1). */
  private lastTtl: Ttl | undefined;
  private readonly types = new Map<string, string>();

  constructor(readonly options: ZoneFileOptions) {}

  /** Reads a file, and says whether it holds anything: records and directives, comments alone, or nothing. */
  read(text: string, scope: Scope): "entries" | "comments" | "empty" {
    const start = this.linesOf(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, scope);
    let kind: "entries" | "comments" | "empty" = "empty";
    const { listed } = this.findings;
    const scanner = new Scanner(start, (line, column, why) =>
      this.findings.tell({ file: scope.file, line, column }, why),
    );
    for (let entry = scanner.next(); entry !== undefined; entry = scanner.next()) {
      const [first] = entry.tokens;
      if (first !== undefined) kind = "entries";
      else if (kind === "empty") kind = "comments";
      if (first === undefined) this.strayPragma(entry, scope);
      else if (first.raw.startsWith("$") && !first.quoted) readDirective(this, entry, first, scope);
      else this.record(entry, first, scope);
    }
    if (!scope.isZone) this.findings.hideSince(listed, scope.file);
    return kind;
  }

  /** Carriage returns alone end no line: told once, and read as line ends, so that every other problem is told at its line. */
  private linesOf(text: string, scope: Scope): string {
    const lone = loneReturn(text);
    if (lone === -1) return text;
    const before = text.slice(0, lone);
    const line = before.split("\n").length;
    this.tell({ line, column: lone - before.lastIndexOf("\n") }, scope, reason("file.carriage-return"));
    return text.replace(/\r\n?/g, "\n");
  }

  /** Reads a record's entry into the findings. */
  record(entry: Entry, first: Token, scope: Scope): void {
    if (entry.tokens.every(({ quoted }) => quoted)) {
      if (!entry.indented) scope.owner = "unknown";
      if (!entry.broken) this.tell(first, scope, reason("text.alone"));
      return;
    }
    if (!entry.indented) scope.owner = this.soaOwner(entry, first, scope) ?? this.owner(first, scope);
    else if (scope.owner === undefined) {
      this.tell(first, scope, reason("record.no-owner"));
      scope.owner = "unknown";
    }
    if (entry.broken) return;
    const head = this.head(entry.indented ? entry.tokens : entry.tokens.slice(1), entry, scope);
    if (head === undefined) return;
    const type = this.type(head.type, entry, scope);
    if (type === undefined) return;
    const line = this.line(entry, scope);
    const data = readRdata(type, head.rest, scope.origin, this.options.domain);
    if (data === undefined) return;
    if ("problem" in data) {
      this.tell(data.token ?? head.type, scope, data.problem);
      return;
    }
    if (ownersType.has(type) && this.servicesOwn(type, head, first, scope)) return;
    for (const { problem, token } of data.warnings)
      this.findings.tell(this.position(token ?? head.type, scope), problem);
    if (line === undefined || typeof scope.owner !== "object") return;
    const record = recordOf(this.options.domain, scope.owner.name, type, data, line.name);
    const ttl = head.ttl ?? this.defaultTtl ?? this.lastTtl ?? "default";
    this.findings.records.push(Object.assign(record, { ttl, position: this.position(first, scope) }));
  }

  tell(
    { line, column }: { readonly line: number; readonly column: number },
    { file }: Scope,
    why: Reason | (() => Reason),
  ): undefined {
    return this.findings.tell({ file, line, column }, why);
  }

  position(
    { line, column }: { readonly line: number; readonly column: number },
    { file }: Scope,
  ): SourcePosition {
    return { file, line, column };
  }

  /** The apex, for an SOA record whose owner lacks the dot at the end: some services write their exports so. */
  private soaOwner({ tokens }: Entry, first: Token, scope: Scope): Scope["owner"] {
    const { domain } = this.options;
    if (
      first.quoted ||
      scope.origin === "" ||
      !this.isSoa(tokens.slice(1)) ||
      canonicalLabels(first.raw, false) !== domain
    )
      return undefined;
    this.findings.note(
      this.position(first, scope),
      `the owner of the SOA record, ${first.raw}, has no dot at the end; it is read as ${domain}.`,
    );
    return { name: "@" };
  }

  private owner(token: Token, scope: Scope): Scope["owner"] {
    const { domain } = this.options;
    const found = hostOf(token, scope.origin, domain);
    if (found === undefined) return "unknown";
    if ("problem" in found) {
      this.tell(token, scope, found.problem);
      return "unknown";
    }
    if (found.warning !== undefined) this.findings.tell(this.position(token, scope), found.warning);
    if (isWithin(found.host, domain)) {
      const name = relativeTo(found.host, domain);
      const problem = hyphenProblem(name);
      if (problem === undefined) return { name };
      this.tell(token, scope, about(showToken(token.raw), problem));
      return "unknown";
    }
    const absolute = `${found.host}.`;
    this.tell(
      token,
      scope,
      reason("name.other-zone", {
        given: showToken(token.raw),
        host: lowerAscii(token.raw) === absolute ? undefined : absolute,
        domain,
      }),
    );
    return "unknown";
  }

  /** TTL and class in either order, either of them left out (RFC 1035 §5.1). */
  private head(tokens: readonly Token[], entry: Entry, scope: Scope): Head | undefined {
    let ttl: Ttl | undefined;
    let times = 0;
    let classes = 0;
    let good = true;
    for (const [index, token] of tokens.entries()) {
      const kind = token.quoted ? undefined : classOf(token.raw);
      if (times === 0 && !token.quoted && isTime(token.raw)) {
        times++;
        const read = ttlOf(token.raw);
        if ("ttl" in read) this.lastTtl = ttl = read.ttl;
        else if (this.isSoa(tokens)) continue;
        else good = this.tell(token, scope, read.problem) ?? false;
      } else if (classes === 0 && kind !== undefined) {
        classes++;
        scope.isZone = true;
        if (kind === "internet") continue;
        good = this.tell(token, scope, reason("class.unfit", { given: token.raw })) ?? false;
      } else return good ? { type: token, ttl, rest: tokens.slice(index + 1) } : undefined;
    }
    if (!good) return undefined;
    const last = tokens.at(-1) ?? entry.tokens[0];
    if (last === undefined) return undefined;
    return this.tell(last, scope, reason("record.parts"));
  }

  /** The service makes the SOA record, so its TTL may be what the service would refuse. */
  private isSoa(tokens: readonly Token[]): boolean {
    return tokens.slice(0, 3).some((token) => upperAscii(token.raw) === "SOA");
  }

  private type(token: Token, entry: Entry, scope: Scope): string | undefined {
    const upper = upperAscii(token.raw);
    const cached = token.quoted ? undefined : this.types.get(token.raw);
    const found = cached ?? (token.quoted ? undefined : upper === "SOA" ? upper : this.knownType(token.raw));
    if (found !== undefined) {
      scope.isZone = true;
      if (cached !== undefined) return cached;
      const names = registeredTypes.get(found);
      if (names !== undefined) {
        const code = names.length === 0 ? "type.unchecked" : "type.unchecked-names";
        this.findings.tell(this.position(token, scope), reason(code, { given: found }));
      }
      this.types.set(token.raw, found);
      return found;
    }
    return this.tell(token, scope, () => typeProblem(token, entry));
  }

  private knownType(raw: string): string | undefined {
    const upper = upperAscii(raw);
    if (registeredTypes.has(upper)) return upper;
    const kind = canonicalType(raw);
    return "type" in kind && kind.known ? kind.type : undefined;
  }

  /** True for a record that the service makes itself, which a note or a problem then tells. */
  private servicesOwn(type: string, { type: token, rest }: Head, first: Token, scope: Scope): boolean {
    const apex = typeof scope.owner === "object" && scope.owner.name === "@";
    if (type === "SOA") {
      if (apex)
        this.findings.note(
          this.position(first, scope),
          "the SOA record is passed over: the service makes it itself",
        );
      else if (scope.owner !== "unknown") this.tell(token, scope, reason("soa.place"));
      return true;
    }
    if (!apex || this.options.apexNs === true) return false;
    const host = rest[0]?.raw ?? "";
    const message = `the NS record ${host} of the apex is passed over: the service keeps its own; apexNs: true declares it`;
    this.findings.note(this.position(first, scope), message);
    return true;
  }

  /** The line that the record's comments declare; undefined after a problem. */
  private line({ comments }: Entry, scope: Scope): { readonly name: string | undefined } | undefined {
    let name: string | undefined;
    for (const comment of comments) {
      const read = lineOf(comment);
      if (read === undefined) continue;
      if ("problem" in read) return this.tell(comment, scope, read.problem);
      if (name !== undefined && name !== read.line) {
        return this.tell(comment, scope, reason("line.already", { given: showPlain(name) }));
      }
      name = read.line;
    }
    return { name: name === undefined || isDefaultLine(name, this.options.defaultLine) ? undefined : name };
  }

  private strayPragma({ comments }: Entry, scope: Scope): void {
    for (const comment of comments) {
      // A text of the state says so of itself: no record takes the TTL of the one above.
      if (/^\s*ttl=default\s*$/.test(comment.text)) this.defaultTtl = "default";
      const read = lineOf(comment);
      if (read === undefined || comment.text.includes(";") || "problem" in read) continue;
      this.findings.tell(this.position(comment, scope), reason("line.stray"));
    }
  }
}

function typeProblem({ raw, quoted }: Token, { indented, tokens }: Entry): Reason {
  if (quoted) return reason("type.quoted", { given: showToken(raw) });
  if (/^TYPE\d{1,5}$/i.test(raw)) {
    return reason("type.number", { given: raw });
  }
  const next = indented ? upperAscii(tokens[1]?.raw ?? "") : undefined;
  if (next !== undefined && (classOf(next) !== undefined || allTypes.includes(next))) {
    return reason("type.indented", { given: showToken(raw) });
  }
  // URL forwards are the service's own types, and one letter away from URI.
  const guess = raw.length > 20 || /URL$/i.test(raw) ? undefined : nearest(raw, allTypes);
  if (guess !== undefined) return reason("type.unlisted-meant", { given: showToken(raw), meant: guess });
  return reason("type.unlisted", { given: showToken(raw), known: knownTypes.join(", ") });
}
