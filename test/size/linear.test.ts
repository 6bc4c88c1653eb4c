import { deepEqual, match, ok } from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conversion } from "../../cli/convert/conversion";
import { convertOctodns } from "../../cli/convert/octodns";
import {
  expandSpecs,
  fromLive,
  limitsOf,
  patternMatcher,
  readZoneText,
  recordText,
  secretMarks,
  shortText,
} from "../../provider/dns";
import { writeZoneFile } from "../../provider/dns/zone-file";
import { createHttpTransport } from "../../provider/api";
import { checkZone } from "../../provider/dns/checks";
import { emptyLedger, formatLedger, ledgerIn } from "../../provider/reconcile/memory/ledger";
import { parseSettings, SettingsError } from "../../provider/settings";
import { defaultLine } from "../dns/arbitraries";
import { expand } from "../dns/expand";
import { read } from "../zone-file/support";

/** The part is repeated. */
const hostile: readonly (readonly [part: string, after?: string, before?: string])[] = [
  ["1", "x"],
  ["1s", "!"],
  ["9"],
  ["a ", "\t"],
  ["a"],
  [" ", "x"],
  ["\t \r", "x"],
  ['"', "x"],
  ['\\"'],
  ['\\"', "", '"'],
  ["\\", "x"],
  ["\\228"],
  [" [", "\\]"],
  [" [a\\]", "]"],
  ["("],
  ["( x\n"],
  [";line=", '"'],
  ["\\\\x", "", '; line="'],
  ["line ", "=", "; "],
  ["${"],
  ["$", "x"],
  ["a."],
  ["ü"],
  ["ü."],
  ["\u0301"],
  ["\ud83d\ude00", "\ud800"],
  ["*a", "b"],
  ["IN ", "A"],
  ["a\n", "b"],
  ["- ", "x"],
  ["["],
  ["? ", "a"],
  ["a: b\n"],
  ["'"],
  ["&a ", "b"],
  ["!a ", "b"],
  ["\u2028", "x"],
  ["0 ", "x"],
  ["x CNAME y.\n"],
  ["x CNAME 1\n"],
  ["/", "!"],
  [":", "!"],
  [".", "!"],
  [";"],
  ["-", "x"],
  [",", "x"],
  ["=", "x"],
  [" ", "x", "v"],
  [" ", "!", "p="],
];

const options = { defaultLine };
const folder = mkdtempSync(join(tmpdir(), "linear-"));
const live = (type: string, value: string) => ({
  domain: "example.com",
  name: "a",
  type,
  value,
  ttl: 600,
  enabled: true,
});
const problems = (records: unknown) => expand(records).problems.length;

const domains = ["a"];
const mark = () => "1";
function stated(text: string) {
  try {
    return readZoneText(secretMarks(text, domains, mark, mark), { domains }).records.length;
  } catch (error) {
    match(String(error), /cannot be read/);
    return undefined;
  }
}

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  "a zone file": read,
  "its type": (text) => read(`a ${text}`),
  "its data": (text) =>
    [...["A", "AAAA", "MX", "SRV", "CAA 0 issue", "TXT", "CNAME", "HINFO", "SOA"]].map(
      (type) => read(`@ ${type} ${text}`).records.length,
    ),
  "its text": (text) => read(`a TXT "${text}"`),
  "its comment": (text) => read(`a A 192.0.2.1 ;${text}`),
  $TTL: (text) => read(`$TTL ${text}`),
  $ORIGIN: (text) => read(`$ORIGIN ${text}`),
  "a line": problems,
  "a line's type": (text) => problems(`a ${text} b`),
  "a line's data": (text) =>
    ["A", "TXT", "MX", "SRV", "CAA 0 issue", "X"].map((type) => problems(`a ${type} ${text}`)),
  "a spec": (text) => problems([{ name: text, type: text, value: text, line: text, [text]: 1 }]),
  "a spec's data": (text) =>
    ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA", "X"].map((type) =>
      problems([{ type, value: text }]),
    ),
  "a domain": (text) => expandSpecs(text, [], options).problems.length,
  "the state": (text) => problems({ [text]: text, [`a X (known after the update)${text}`]: `${text})` }),
  "the zone's text in the state": (text) =>
    [
      `a. 600 ${text}`,
      `a. ${text}`,
      `a. 600 TXT "x" ; ${text}`,
      `; a. 600 TXT ${text}`,
      `; ${text} (secret x)`,
    ].map(stated).length,
  "a record's text": (text) => shortText(text, `${text} `),
  "a listed record": (text) =>
    ["A", "AAAA", "MX", "TXT", "SRV", "CAA", text].map(
      (type) =>
        recordText(fromLive({ domain: "example.com", name: text, type, value: text, line: text }, options))
          .length,
    ),
  "a purview": (text) => limitsOf([{ name: text, value: 1 }]),
  "a pattern": (text) => patternMatcher([text.replace(/\s+/g, "")])({ name: "a".repeat(250), type: "A" }),
  "a pattern's value": (text) => patternMatcher([`* * ${text}`])({ name: "@", type: "TXT", value: text }),
  "the settings": settings,
  "the base URL": (text) => {
    const url = `https://dns.example/${text}`;
    if (!URL.canParse(url)) return undefined;
    return createHttpTransport({ baseUrl: url, requestTimeout: 5 });
  },
  "the ledger": ledger,
  "the zone checks": checked,
  "an octoDNS file": octodns,
  "its names and values": (text) => {
    const [given, mail] = [text, { preference: text, exchange: text }].map((value) => JSON.stringify(value));
    return octodns(
      `${given}: { type: TXT, value: ${given} }\nm: { type: MX, value: ${mail}, ttl: ${given}, ${given}: 1 }`,
    );
  },
  "its comments": (text) => octodns(`a: { type: A, value: 192.0.2.1 } # ${text.replaceAll("\n", " ")}`),
  "a written zone": (text) => {
    const zone = {
      domain: "example.com",
      records: [live("TXT", text), live("HINFO", text), { ...live("A", "192.0.2.1"), line: text }],
    };
    return writeZoneFile(zone, options).length;
  },
};

/** Every setting at once. */
function settings(text: string) {
  const names = [
    ...["baseUrl", "loginToken", "contact", "defaultLine", "stateDir", "confirmedDomains"],
    text,
  ];
  const config = Object.fromEntries(names.map((name) => [`legacydns:${name}`, text]));
  try {
    return parseSettings({ config, env: { LEGACYDNS_LOGIN_TOKEN_ENV: text }, explicit: false });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.length;
  }
}

function ledger(text: string) {
  const [version = ""] = formatLedger(emptyLedger).split("\n");
  return ["+ 1", "=", "-", "_ example.com", "x", "g", "?", "@", "u"].map((sign) => {
    try {
      return formatLedger(ledgerIn(`${version}\n${sign} ${text}`)());
    } catch {
      return sign;
    }
  });
}

function octodns(text: string) {
  const file = join(folder, "example.com.yaml");
  writeFileSync(file, text);
  const conversion = new Conversion(600);
  convertOctodns(file, conversion, new Set());
  return conversion.problems.length;
}

/** With the checks of mail, which read the whole text. */
function checked(text: string) {
  const names = ["@", "_dmarc", "a._domainkey", "_mta-sts", "_smtp._tls"];
  const texts = [text, `v=spf1 ${text}`, `v=DKIM1; p=${text}`, `v=DMARC1; p=${text}`, `v${text}=DKIM1`];
  const specs = texts.flatMap((value) => names.map((name) => ({ name, type: "TXT", value, ttl: 600 })));
  const declared = specs.flatMap((spec) => expand([spec]).records);
  return checkZone({ domain: "example.com", declared, beside: [], whole: true }).length;
}

function spent(work: () => unknown) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const of = ([part, after = "", before = ""]: (typeof hostile)[number], size: number) =>
  before + part.repeat(Math.ceil(size / part.length)) + after;

describe("hostile text", () => {
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, parse] of Object.entries(parsers)) {
    it(`takes time in proportion to its length in ${name}`, () => {
      for (const shape of hostile) {
        const took = (size: number) => spent(() => parse(of(shape, size)));
        let best = took(6_000);
        // Quadratic work on 6,000 characters takes longer than this.
        if (best < 20) continue;
        // Six times the text: quadratic work takes 36 times as long. Times under 2 ms are mostly noise.
        const most = Math.max(took(1_000), 2) * 18;
        // The compiler's and the collector's threads count, too: the best of four is the parser's own time.
        for (let more = 0; best >= most && more < 3; more += 1) best = Math.min(best, took(6_000));
        ok(
          best < most,
          `${JSON.stringify(shape)}: ${best} ms for 6,000 characters, at most ${most} ms are in proportion`,
        );
      }
    });
  }

  it("of 200,000 characters neither overflows the stack nor hangs", () => {
    const slow: string[] = [];
    for (const [name, parse] of Object.entries(parsers))
      for (const text of ["a ".repeat(100_000), "1s".repeat(100_000), `"${'\\"'.repeat(100_000)}`]) {
        const took = spent(() => parse(text));
        if (took > 5_000) slow.push(`${name} ${text.slice(0, 5)}: ${took} ms`);
      }
    deepEqual(slow, []);
  });
});
