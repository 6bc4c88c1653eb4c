/** The reader of zone files (RFC 1035 §5, RFC 2308 §4). */
import { hyphenProblem, isWithin, relativeTo } from "../names";
import { nearest } from "../../support/nearest";
import { about, didYouMean, reason, type Fault, type Reason } from "../../problems";
import { showPlain, lowerAscii, upperAscii } from "../quoting";
import { isTime, type Ttl } from "../record";
import { lineOf } from "../scan";
import { recordOf, isDefaultLine } from "../text";
import { registeredTypes } from "../types";
import { hostOf, isInternet, isSoa, showToken, ttlOf, readRdata } from "./rdata";
import { marksIn } from "./marks";
import { Findings, type SourcePosition, type ZoneFileResult } from "./findings";
import { Scanner, type Entry, type Token } from "./tokens";
import { typeNamed, typeProblem, wordsOf, type Words } from "./words";

export interface ZoneFileOptions {
  /** Its path from the repository's root. */
  readonly file: string;
  /** The origin before an `$ORIGIN`. */
  readonly domain: string;
  /** Declares the NS records of the apex. The service keeps its own. */
  readonly apexNs?: boolean;
  /** If it is missing, every `$INCLUDE` is a problem. */
  readonly include?: (path: string, from: SourcePosition) => Included;
  readonly defaultLine: string;
  /** The number of errors per file, and of warnings, that are listed. Default: 100. */
  readonly mostListed?: number;
}

export type Included = { readonly file: string; readonly text: string } | Fault;

/** An `$INCLUDE` changes neither origin nor owner, as in BIND. */
interface Scope {
  readonly file: string;
  /** Undefined after an `$ORIGIN` with a problem. */
  origin: string | undefined;
  owner: { readonly name: string } | "unknown" | undefined;
  readonly above: readonly string[];
  readonly lines: Lines;
}

/** Numbers of entries: all, those with a directive or a type in its place, and those without a problem. */
interface Lines {
  all: number;
  typed: number;
  whole: number;
}

const newScope = (scope: Omit<Scope, "lines">): Scope => ({
  ...scope,
  lines: { all: 0, typed: 0, whole: 0 },
});

type Place = Pick<Token, "line" | "column">;

export function readZoneFile(text: string, options: ZoneFileOptions): ZoneFileResult {
  const reader = new Reader(options);
  const { file, domain: origin } = options;
  reader.read(text, newScope({ file, origin, owner: undefined, above: [] }));
  return reader.findings.result();
}

const directives = new Map([
  ["$ORIGIN", { most: 1, example: "$ORIGIN example.com." }],
  ["$TTL", { most: 1, example: "$TTL 1h" }],
  ["$INCLUDE", { most: 2, example: "$INCLUDE hosts.zone" }],
]);
const maxDepth = 10;
const maxIncluded = 1000;
/** A few lines of `$INCLUDE` could make millions of records. */
const maxEntries = 250_000;

interface Parts {
  readonly type: Token;
  readonly ttl: Ttl | undefined;
  readonly rest: readonly Token[];
}

const aTime = "seconds, or units such as 1h30m (w, d, h, m, s)";

class Reader {
  readonly findings: Findings;
  private defaultTtl: Ttl | undefined;
  private included = 0;
  private entries = 0;
  private lastTtl: Ttl | undefined;
  private readonly types = new Map<string, string>();
  private readonly warned = new Set<string>();

  constructor(private readonly options: ZoneFileOptions) {
    this.findings = new Findings(options.mostListed ?? 100);
  }

  read(text: string, scope: Scope): "entries" | "comments" | "empty" {
    let kind: "entries" | "comments" | "empty" = "empty";
    const mark = this.findings.mark();
    const scanner = this.scannerOf(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, scope);
    for (let entry = scanner.next(); entry !== undefined; entry = scanner.next()) {
      const [first] = entry.tokens;
      if (first === undefined) {
        if (kind === "empty") kind = "comments";
        this.loneComment(entry, scope);
        continue;
      }
      kind = "entries";
      this.entries += 1;
      if (this.entries === maxEntries + 1)
        this.report(first, scope, reason("file.many", { most: maxEntries }));
      if (this.entries > maxEntries) break;
      scope.lines.all += 1;
      if (first.raw.startsWith("$") && !first.quoted) this.directive(entry, first, scope);
      else this.record(entry, first, scope);
    }
    if (kind === "entries" && !readsAsZone(scope)) this.findings.hideSince(mark, scope.file);
    return kind;
  }

  private scannerOf(text: string, scope: Scope): Scanner {
    const lone = text.search(/\r(?!\n)/);
    const whole = lone === -1 ? text : text.slice(0, lone);
    const line = whole.split("\n").length;
    const column = lone - whole.lastIndexOf("\n");
    if (lone !== -1) this.report({ line, column }, scope, reason("file.carriage-return"));
    return new Scanner(whole, (line, column, why) => this.report({ line, column }, scope, why));
  }

  private record(entry: Entry, first: Token, scope: Scope): void {
    if (entry.tokens.every(({ quoted }) => quoted)) {
      if (!entry.indented) scope.owner = "unknown";
      if (!entry.broken) this.report(first, scope, reason("text.alone"));
      return;
    }
    if (!entry.indented) scope.owner = this.owner(first, scope);
    else if (scope.owner === undefined) {
      this.report(first, scope, reason("line.indented"));
      scope.owner = "unknown";
    }
    const words = wordsOf(entry);
    if (words.type !== undefined && this.typeOf(words.type) !== undefined) scope.lines.typed += 1;
    if (entry.broken) return;
    const head = this.head(words, first, scope);
    const type = head && this.type(head.type, entry, scope);
    if (head === undefined || type === undefined) return;
    const line = this.line(entry, scope);
    const data = readRdata(type, head.rest, { origin: scope.origin, domain: this.options.domain });
    if (data === undefined) return;
    if ("problem" in data) return this.report(data.token ?? head.type, scope, data.problem);
    scope.lines.whole += 1;
    if (this.isServicesOwn(type, head, first, scope)) return;
    for (const { text, line } of entry.comments)
      for (const mark of marksIn(text)) this.findings.noteLine(scope.file, line, mark);
    for (const { problem, token } of data.warnings) this.report(token ?? head.type, scope, problem);
    if (line === undefined || typeof scope.owner !== "object") return;
    const record = recordOf(this.options.domain, scope.owner.name, type, data, line.name);
    const ttl = head.ttl ?? this.defaultTtl ?? this.lastTtl ?? "default";
    this.findings.records.push(Object.assign(record, { ttl, position: position(first, scope) }));
  }

  private report(place: Place, scope: Scope, why: Reason | (() => Reason)): undefined {
    return this.findings.report(position(place, scope), why);
  }

  private directive(entry: Entry, first: Token, scope: Scope): void {
    const name = upperAscii(first.raw);
    const form = directives.get(name);
    if (form === undefined) {
      const names = [...directives.keys()];
      if (name === "$GENERATE") scope.lines.typed += 1;
      const hint =
        name === "$GENERATE"
          ? "not supported: write the records themselves, for example with named-compilezone"
          : didYouMean(nearest(name, names), `zone files have ${names.join(", ")}`);
      return this.report(first, scope, reason("word.unknown", { given: showToken(first.raw), hint }));
    }
    scope.lines.typed += 1;
    scope.lines.whole += 1;
    if (entry.indented) return this.report(first, scope, reason("line.indented"));
    // Names after a broken $ORIGIN have no further problems.
    if (name === "$ORIGIN") scope.origin = entry.broken ? undefined : scope.origin;
    if (entry.broken) return;
    const { most, example } = form;
    const words = entry.tokens.slice(1);
    const [word, origin] = words;
    if (word === undefined || words.length > most) {
      if (name === "$ORIGIN") scope.origin = undefined;
      const why = reason("value.unfit", { given: "this", what: `a valid ${name}`, example });
      return this.report(words[most] ?? first, scope, why);
    }
    if (name === "$ORIGIN") scope.origin = this.host(word, scope);
    else if (name === "$TTL") this.ttl(word, scope);
    else this.include(first, word, origin, scope);
  }

  private host(token: Token, scope: Scope): string | undefined {
    const found = hostOf(token, scope.origin, this.options.domain);
    if (found === undefined) return undefined;
    if ("problem" in found) return this.report(token, scope, found.problem);
    if (found.warning !== undefined) this.report(token, scope, found.warning);
    return found.host;
  }

  private ttl(token: Token, scope: Scope): void {
    const isWord = !token.quoted && isTime(token.raw);
    const read = isWord
      ? ttlOf(token.raw)
      : { problem: reason("value.unfit", { given: showPlain(token.raw), what: "a time", example: aTime }) };
    if ("problem" in read) this.report(token, scope, read.problem);
    else this.defaultTtl = read.ttl;
  }

  private include(first: Token, token: Token, name: Token | undefined, scope: Scope): void {
    const open = this.options.include;
    if (open === undefined) return this.report(first, scope, reason("include.unfit"));
    const above = [...scope.above, scope.file];
    const report = (why: Reason): undefined => this.report(token, scope, why);
    const origin = name === undefined ? scope.origin : this.host(name, scope);
    const found = open(token.raw.replace(/\\(["\\])/g, "$1"), position(token, scope));
    if ("problem" in found) return report(found.problem);
    const { file } = found;
    this.included += 1;
    if (above.includes(file) || above.length > maxDepth || this.included === maxIncluded + 1)
      return report(reason("include.deep", { file }));
    if (this.included > maxIncluded) return;
    const kind = this.read(found.text, newScope({ file, origin, owner: scope.owner, above }));
    if (kind !== "entries") report(reason(kind === "empty" ? "file.empty" : "include.comments", { file }));
  }

  private owner(token: Token, scope: Scope): Scope["owner"] {
    const { domain } = this.options;
    const host = this.host(token, scope);
    if (host === undefined) return "unknown";
    const refused = (problem: Reason): "unknown" => this.report(token, scope, problem) ?? "unknown";
    if (!isWithin(host, domain)) {
      const absolute = `${host}.`;
      const isAbsolute = lowerAscii(token.raw) === absolute;
      const given = isAbsolute ? showToken(token.raw) : `${showToken(token.raw)} is ${absolute}, which`;
      return refused(about(given, reason("name.outside", { zones: domain })));
    }
    const name = relativeTo(host, domain);
    const problem = hyphenProblem(name);
    return problem === undefined ? { name } : refused(about(showToken(token.raw), problem));
  }

  private head({ words, head, type, rest }: Words, first: Token, scope: Scope): Parts | undefined {
    const refuse = (word: string, why: Reason): undefined =>
      this.report(words.find(({ raw }) => raw === word) ?? first, scope, why);
    const ttl = head.ttl === undefined ? undefined : ttlOf(head.ttl);
    if (ttl !== undefined && "ttl" in ttl) this.lastTtl = ttl.ttl;
    // The service makes its own SOA record with its own TTL.
    else if (ttl !== undefined && !(type && isSoa(type))) return refuse(head.ttl ?? "", ttl.problem);
    if (head.class !== undefined && !isInternet(head.class))
      return refuse(
        head.class,
        reason("value.unfit", {
          given: head.class,
          what: "a class of the service",
          example: "IN, or no class",
        }),
      );
    if (type === undefined) return this.report(words.at(-1) ?? first, scope, reason("line.parts"));
    return { type, ttl: ttl && "ttl" in ttl ? ttl.ttl : undefined, rest };
  }

  private type(token: Token, entry: Entry, scope: Scope): string | undefined {
    const found = this.typeOf(token);
    if (found === undefined) return this.report(token, scope, () => typeProblem(token, entry));
    if (registeredTypes.has(found) && !this.warned.has(token.raw)) {
      this.warned.add(token.raw);
      this.report(token, scope, reason("type.unchecked", { given: found }));
    }
    return found;
  }

  private typeOf({ raw, quoted }: Token): string | undefined {
    const type = quoted ? undefined : (this.types.get(raw) ?? typeNamed(raw));
    if (type !== undefined) this.types.set(raw, type);
    return type;
  }

  private isServicesOwn(type: string, { type: token, rest }: Parts, first: Token, scope: Scope): boolean {
    if (type !== "SOA" && type !== "NS") return false;
    const isApex = typeof scope.owner === "object" && scope.owner.name === "@";
    const note = (text: string): void => {
      this.findings.note(position(first, scope), text);
    };
    if (type === "SOA") {
      if (isApex) note("the SOA record is passed over: the service makes it itself");
      else if (scope.owner !== "unknown") this.report(token, scope, reason("soa.place"));
      return true;
    }
    if (!isApex || this.options.apexNs === true) return false;
    const host = rest[0]?.raw ?? "";
    note(
      `the NS record ${host} of the apex is passed over: the service keeps its own; apexNs: true declares it`,
    );
    return true;
  }

  private line({ comments }: Entry, scope: Scope): { readonly name: string | undefined } | undefined {
    let name: string | undefined;
    for (const comment of comments) {
      const read = lineOf(comment.text);
      if (read === undefined) continue;
      if ("problem" in read) return this.report(comment, scope, read.problem);
      if (name !== undefined && name !== read.line) return this.report(comment, scope, reason("line.two"));
      name = read.line;
    }
    return { name: name === undefined || isDefaultLine(name, this.options.defaultLine) ? undefined : name };
  }

  private loneComment({ comments }: Entry, scope: Scope): void {
    for (const comment of comments) {
      // The state's text begins so.
      if (/^\s*ttl=default\s*$/.test(comment.text)) this.defaultTtl = "default";
      const read = lineOf(comment.text);
      if (read !== undefined && "line" in read && !comment.text.includes(";"))
        this.report(comment, scope, reason("line.stray"));
    }
  }
}

/**
 * Whether messages may quote the file. The program names the first file, so one record type is enough there. Data
 * names an included file, which may hold a secret: a record must be whole, and most entries must have a type.
 */
function readsAsZone({ above, lines }: Scope): boolean {
  if (above.length === 0) return lines.typed > 0;
  return lines.whole > 0 && 2 * lines.typed >= lines.all;
}

function position({ line, column }: Place, { file }: Scope): SourcePosition {
  return { file, line, column };
}
