/** The entries of a zone file (RFC 1035 §5.1). */
import { reason, type Reason } from "../../problems";

export interface Token {
  readonly raw: string;
  readonly quoted: boolean;
  readonly line: number;
  readonly column: number;
  /** It follows a token without white space: `alpn="h2"`. */
  readonly joined: boolean;
  /** A comment follows without white space, as in `v=DKIM1;k=rsa`. */
  readonly cut: boolean;
}

interface Comment {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface Entry {
  readonly indented: boolean;
  readonly tokens: Token[];
  readonly comments: Comment[];
  broken: boolean;
}

export type Report = (line: number, column: number, why: Reason) => void;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

const isBlank = (code: number): boolean =>
  code === SPACE || code === TAB || code === CR || code === 0x0b || code === 0x0c;
const isDelimiter = (code: number): boolean =>
  isBlank(code) || code === LF || code === QUOTE || code === OPEN || code === CLOSE || code === SEMICOLON;

export class Scanner {
  private at = 0;
  private line = 1;
  private lineStart = 0;

  constructor(
    private readonly text: string,
    private readonly report: Report,
  ) {}

  next(): Entry | undefined {
    while (this.at < this.text.length) {
      const entry = this.entry();
      if (entry.tokens.length > 0 || entry.comments.length > 0) return entry;
    }
    return undefined;
  }

  private entry(): Entry {
    const { text } = this;
    const entry: Entry = {
      indented: isBlank(text.charCodeAt(this.at)),
      tokens: [],
      comments: [],
      broken: false,
    };
    let depth = 0;
    let open: [line: number, column: number] = [1, 1];
    let joined = false;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (code === LF) {
        this.at++;
        this.line++;
        this.lineStart = this.at;
        if (depth === 0) return entry;
        joined = false;
      } else if (isBlank(code)) {
        this.at++;
        joined = false;
      } else if (code === SEMICOLON) this.comment(entry);
      else if (code === OPEN) {
        if (depth === 0) open = [this.line, this.column()];
        depth++;
        this.at++;
        joined = false;
      } else if (code === CLOSE) {
        if (depth === 0) this.broken(entry, this.at, reason("parenthesis.alone"));
        else depth--;
        this.at++;
        joined = false;
      } else {
        entry.tokens.push(code === QUOTE ? this.quoted(entry, joined) : this.word(entry, joined));
        joined = true;
      }
    }
    if (depth > 0) {
      entry.broken = true;
      this.report(...open, reason("parenthesis.alone"));
    }
    return entry;
  }

  private comment(entry: Entry): void {
    const { text, at } = this;
    const feed = text.indexOf("\n", at);
    const end = feed === -1 ? text.length : feed;
    entry.comments.push({ text: text.slice(at + 1, end), line: this.line, column: this.column() });
    this.at = end;
  }

  private quoted(entry: Entry, joined: boolean): Token {
    const { text, line } = this;
    const start = this.at;
    const column = this.column();
    for (this.at++; this.at < text.length;) {
      const code = text.charCodeAt(this.at);
      if (code === QUOTE) {
        const raw = text.slice(start + 1, this.at++);
        return { raw, quoted: true, line, column, joined, cut: false };
      }
      if (code === LF) break;
      if (code === BACKSLASH) this.escape(entry);
      else this.at++;
    }
    this.broken(entry, start, reason("quote.unclosed"));
    return { raw: text.slice(start + 1, this.at), quoted: true, line, column, joined, cut: false };
  }

  private word(entry: Entry, joined: boolean): Token {
    const { text, line } = this;
    const start = this.at;
    const column = this.column();
    let code = 0;
    while (this.at < text.length && !isDelimiter((code = text.charCodeAt(this.at)))) {
      if (code === BACKSLASH) this.escape(entry);
      else this.at++;
    }
    const cut = this.at < text.length && code === SEMICOLON;
    return { raw: text.slice(start, this.at), quoted: false, line, column, joined, cut };
  }

  private escape(entry: Entry): void {
    const code = this.text.charCodeAt(this.at + 1);
    if (code >= 0x30 && code <= 0x39) {
      const digits = this.text.slice(this.at + 1, this.at + 4);
      if (/^\d{3}$/.test(digits) && Number(digits) <= 255) {
        this.at += 4;
        return;
      }
      this.broken(entry, this.at, reason("escape.unfit"));
    } else if (!(code >= 0) || code === LF || code === CR) {
      this.broken(entry, this.at, reason("escape.unfit"));
      this.at++;
      return;
    }
    this.at += 2;
  }

  private broken(entry: Entry, at: number, why: Reason): void {
    entry.broken = true;
    this.report(this.line, at - this.lineStart + 1, why);
  }

  private column(): number {
    return this.at - this.lineStart + 1;
  }
}
