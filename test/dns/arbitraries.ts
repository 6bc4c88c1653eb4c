import { domainToASCII } from "node:url";
import fc from "fast-check";
import type { DnsRecord, Note, Ttl } from "../../provider/dns";

export const defaultLine = "默认";
export const domains = ["example.com", "sub.example.com", "xn--fiq228c.example", "a_b.test"] as const;

export const forAll = <T>(numRuns: number, arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, holds), { numRuns });

/** Any code point but half a pair. The unit "binary" of fast-check takes a second to build. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

const asciiLabel = fc
  .stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,20}[a-z0-9_])?$/)
  .filter((label) => !label.includes("--"));
const foreignLabel = fc
  .constantFrom("bücher", "日本", "тест", "مثال", "straße", "例え")
  .map((label) => domainToASCII(label));
const label = fc.oneof(
  { weight: 4, arbitrary: asciiLabel },
  foreignLabel,
  fc.constantFrom("_dmarc", "a".repeat(63)),
);
const host = fc
  .array(label, { minLength: 2, maxLength: 3 })
  .map((labels) => `${labels.join(".")}.`)
  .filter((name) => !/\.(?:\d+|0x[\da-f]*)\.$/.test(name));

const name = fc.oneof(
  fc.constant("@"),
  fc
    .tuple(fc.boolean(), fc.array(label, { minLength: 1, maxLength: 2 }))
    .map(([wildcard, labels]) => (wildcard ? ["*", ...labels].join(".") : labels.join("."))),
  fc.constant("*"),
);

export const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      ...'"\\[]; \t\n\r\0\x7f@()abc019电',
      ..."\u00a0\u2028\u0085\u061c\u200b\u200f\u202e\u3164\ufeff\u{e0001}",
    ),
    maxLength: 20,
  }),
  fc.constantFrom(
    "foo [bar]",
    '"quoted"',
    '"a" "b"',
    '"',
    '""',
    "\\",
    '\\"',
    '"a" and "b"',
    '"a" "b',
    "[x]",
    "v=DKIM1; k=rsa",
    "a\nb",
    "\0",
    "(known after the update)",
  ),
);

export const oddTypes: readonly string[] = [
  ...["6TO4", "600", "1h", "1h30m", "0", "\u0661A", "IN", "in", "CH", "default", "DEFAULT", "SOA"],
  ...["$TTL", "@", "*", ".", "-", "#", "\\#", "TYPE65280", "TYPE1", "ANY", "AXFR", "line=a", "=", "%s"],
  ...["", " ", "A ", " A", "A B", '"A"', "A;", ";", "[A]", "(A", "(secret", "(known", "A\\", "\\065"],
  ...["A\0", "A\n", "A\u0085", "A\u00a0", "A\u200b", "A\u202e", "\ufeffA", "A\u2028", "\u0131n", "ſrv"],
  "显性URL",
  "drifted",
  "disabled",
  "__proto__",
  "constructor",
  "a".repeat(300),
];

const uint16 = fc.integer({ min: 0, max: 65535 });
const ipv6 = fc
  .array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(":"));

type Data = Pick<DnsRecord, "type" | "value" | "priority">;
const data: fc.Arbitrary<Data> = fc.oneof(
  fc.ipV4().map((value) => ({ type: "A", value })),
  fc
    .oneof(ipv6, fc.constantFrom("::", "::1", "2001:db8::1", "::ffff:192.0.2.1", "::c000:201"))
    .map((value) => ({ type: "AAAA", value })),
  host.map((value) => ({ type: "CNAME", value })),
  host.map((value) => ({ type: "NS", value })),
  fc
    .tuple(fc.oneof(host, fc.constant(".")), uint16)
    .map(([value, priority]) => ({ type: "MX", value, priority })),
  fc
    .tuple(uint16, uint16, uint16, fc.oneof(host, fc.constant(".")))
    .map((fields) => ({ type: "SRV", value: fields.join(" ") })),
  fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.stringMatching(/^[a-z0-9]{1,8}$/), hostileText)
    .map(([flags, tag, value]) => ({ type: "CAA", value: `${flags} ${tag} ${quoted(value)}` })),
  hostileText.map((value) => ({ type: "TXT", value })),
  fc
    .tuple(fc.constantFrom("显性URL", "隐性URL", "HINFO", "PTR", "CONSTRUCTOR"), hostileText)
    .map(([type, value]) => ({ type, value })),
);

export function canBeDeclared({ type, value }: Pick<DnsRecord, "type" | "value">) {
  return !/^\s|\s$/.test(value) && (type !== "TXT" || !/^"[^]*"$/.test(value));
}

/** RFC 1035's quoting, a second time as a witness. */
export function quoted(text: string) {
  let inner = "";
  for (const character of text) {
    if (character === '"' || character === "\\") inner += `\\${character}`;
    else if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character))
      inner += character;
    else for (const octet of Buffer.from(character)) inner += `\\${octet.toString().padStart(3, "0")}`;
  }
  return `"${inner}"`;
}

const line = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.constantFrom("电信", "境外", "North America"),
  hostileText.filter((text) => text !== "" && text !== defaultLine),
);

const ttl: fc.Arbitrary<Ttl> = fc.oneof(
  fc.constant("default" as const),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
);

export function recordIn(...zones: readonly string[]) {
  return fc
    .tuple(fc.constantFrom(...zones), name, data, line)
    .map(([domain, name, data, line]) => ({ domain, name, ...data, ...(line === undefined ? {} : { line }) }))
    .filter(({ domain, name }) => name.length + domain.length < 253);
}

const note = fc.option(fc.constantFrom<Note>("disabled", "drifted", "not declared"), { nil: undefined });

export function entryIn(...zones: readonly string[]) {
  return fc.tuple(recordIn(...zones), ttl, note).map(([record, ttl, note]) => ({
    ...record,
    ttl,
    ...(note === undefined ? {} : { note }),
    ...(note === "drifted" ? { liveTtl: 77 } : {}),
  }));
}
