/** The record types of the service: a host (RFC 1035 §3.3, RFC 2782), an address (RFC 3596), CAA (RFC 8659) or text. */
import { unquote, quote, trimSpace, lowerAscii, type Show } from "../quoting";
import { reason, about, type Reason } from "../../problems";
import { wrong, type Data, type RecordType, type Source, formProblem, uint } from "./type";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { canonicalLabels, hyphenProblem, numberProblem, withoutDot } from "../names";

/**
 * `.` means "none" for MX (RFC 7505) and SRV (RFC 2782). Only a CNAME may point to a wildcard (RFC 1123
 * §2.1).
 */
function hostData(text: string, type: "CNAME" | "NS" | "MX" | "SRV", show: Show): Data {
  if (text === ".")
    return type === "MX" || type === "SRV"
      ? { value: "." }
      : wrong(reason("host.unfit", { given: show(text) }));
  const bare = withoutDot(text);
  const family = isIP(bare);
  if (family !== 0)
    return wrong(reason("host.address", { given: show(text), type, use: family === 4 ? "A" : "AAAA" }));
  const host = canonicalLabels(bare, type === "CNAME");
  const noHost = (problem: Reason): Reason => about(`${show(text)} is not a host name: it`, problem);
  if (typeof host !== "string") return wrong(noHost(host.problem));
  if (!host.includes(".")) return wrong(reason("host.unfit", { given: show(text) }));
  const problem = hyphenProblem(host) ?? numberProblem(host);
  return problem === undefined ? { value: `${host}.` } : { value: `${host}.`, unfit: noHost(problem) };
}

function hostType<Name extends "CNAME" | "NS">(
  name: Name,
  more: Pick<RecordType, "checks" | "limit">,
): RecordType<Name> {
  const read = ({ value, show }: Source): Data => hostData(trimSpace(value), name, show);
  return { name, read, fields: ["host"], form: "a host name", ...more };
}

export const cname = hostType("CNAME", { checks: ["cname-dangling", "cname-loop", "cname-chain"] });

export const ns = hostType("NS", {
  limit: "nsRecords",
  checks: ["ns-cname", "ns-missing", "ns-single", "ns-wildcard", "glue-missing"],
});

/** The characters of `isSpace` separate them. */
function wordsOf(value: string): string[] {
  return value.match(/[^\t-\r ]+/g) ?? [];
}

function twoPriorities(written: number | undefined, { priority, show }: Source): Data | undefined {
  if (written === undefined || priority === undefined || written === priority) return undefined;
  const parts = { given: show(String(priority)), written: show(String(written)) };
  return wrong(reason("priority.twice", parts), "priority");
}

export const mx: RecordType<"MX"> = {
  name: "MX",
  read: (source) => {
    const { value, priority: given, show } = source;
    const words = wordsOf(value);
    const [first = "", host] = words;
    if (words.length > 2) return wrong(formProblem(mx, value, show));
    const written = host === undefined ? undefined : uint(first, 65535, show);
    if (typeof written === "object") return wrong(written);
    const twice = twoPriorities(written, source);
    if (twice !== undefined) return twice;
    const priority = written ?? given;
    if (priority === undefined)
      return wrong(
        reason("field.missing", { example: "a priority before the host, such as 10" }),
        "priority",
      );
    const data = hostData(host ?? first, "MX", show);
    if ("problem" in data) return data;
    if (priority >= 1 && priority <= 20) return { ...data, priority };
    const note = reason("value.unusual", { what: `the priority ${show(String(priority))}` });
    return { ...data, priority, note };
  },
  fields: ["number", "host"],
  form: "a priority and a host, such as 10 mx1.example.com.",
  priority: "own",
  checks: ["mx-cname", "mx-missing", "mx-null", "mx-single", "mail-half", "spf-missing", "dmarc-missing"],
};

export const srv: RecordType<"SRV"> = {
  name: "SRV",
  read: (source) => {
    const { value, priority, show } = source;
    const words = wordsOf(value);
    if (words.length === 3 && priority !== undefined) words.unshift(String(priority));
    const host = words.pop();
    if (host === undefined || words.length !== 3) return wrong(formProblem(srv, value, show));
    const numbers: number[] = [];
    for (const [index, what] of ["priority", "weight", "port"].entries()) {
      const number = uint(words[index] ?? "", 65535, show);
      if (typeof number !== "number") return wrong(about(`the ${what}:`, number));
      numbers.push(number);
    }
    const twice = twoPriorities(numbers[0], source);
    if (twice !== undefined) return twice;
    const data = hostData(host, "SRV", show);
    return "problem" in data ? data : { ...data, value: `${numbers.join(" ")} ${data.value}` };
  },
  fields: ["number", "number", "number", "host"],
  form: "priority, weight, port and host, such as 10 5 5060 sip.example.com.",
  priority: "first",
  limit: "srvRecords",
  checks: ["srv-cname", "srv-missing", "srv-null", "srv-port", "srv-name"],
};

function address({ value: given, show }: Source, family: 4 | 6, example: string): Data {
  const value = trimSpace(given);
  const found = isIP(value);
  if (found === 0 || value.includes("%"))
    return wrong(reason("address.unfit", { given: show(value), family, example: JSON.stringify(example) }));
  if (found !== family)
    return wrong(
      reason("address.family", { given: show(value), family: found, use: found === 4 ? "A" : "AAAA" }),
    );
  return { value: family === 4 ? value : canonicalIPv6(value) };
}

/** RFC 5952 §4, and §5 for IPv4-mapped addresses. */
function canonicalIPv6(text: string): string {
  const parsed = ipaddr.IPv6.parse(text.includes(".") ? hexTail(text) : text);
  return parsed.isIPv4MappedAddress()
    ? `::ffff:${parsed.toIPv4Address().toString()}`
    : parsed.toRFC5952String();
}

/** ipaddr.js 2.5.0 takes the deprecated form `::192.0.2.1` for an IPv4-mapped address. */
function hexTail(text: string): string {
  const colon = text.lastIndexOf(":") + 1;
  const octets = ipaddr.IPv4.parse(text.slice(colon)).toByteArray();
  const hex = octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
  return `${text.slice(0, colon)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

export const a: RecordType<"A"> = {
  name: "A",
  read: (source) => address(source, 4, "192.0.2.1"),
  fields: ["word"],
  form: "an address, such as 192.0.2.1",
  isAddress: true,
  checks: ["private-address"],
};

export const aaaa: RecordType<"AAAA"> = {
  name: "AAAA",
  read: (source) => address(source, 6, "2001:db8::1"),
  fields: ["word"],
  form: "an address, such as 2001:db8::1",
  limit: "aaaaRecords",
  isAddress: true,
  checks: ["private-address"],
};

/** IANA, CAA properties (RFC 8659 §7.1). */
const tags = ["issue", "issuewild", "iodef", "contactemail", "contactphone", "issuemail", "issuevmc"];

function readCaa({ value, show }: Source): Data {
  const [head = "", first = "", second = ""] =
    /^[\t-\r ]*([^\t-\r ]+)[\t-\r ]+([^\t-\r ]+)[\t-\r ]+/.exec(value) ?? [];
  const rest = head && trimSpace(value, head.length);
  if (rest === "") return wrong(formProblem(caa, value, show));
  const flags = uint(first, 255, show);
  if (typeof flags !== "number") return wrong(flags);
  const tag = lowerAscii(second);
  if (!/^[a-z0-9]+$/.test(tag))
    return wrong(
      reason("value.unfit", { given: show(tag), what: "a CAA tag", example: "issue (RFC 8659 §4.1)" }),
    );
  const plain = rest.startsWith('"') ? unquote(rest) : rest;
  if (plain === undefined) return wrong(reason("text.quotes", { given: show(rest) }));
  const data = { value: `${flags} ${tag} ${quote(plain)}` };
  if (tags.includes(tag)) return data;
  const hint = `the known ones are ${tags.join(", ")}`;
  return { ...data, note: reason("caa.tag-unknown", { given: show(tag), hint }) };
}

export const caa: RecordType<"CAA"> = {
  name: "CAA",
  read: readCaa,
  fields: ["number", "word", "text"],
  form: 'flags, a tag and a value, such as 0 issue "letsencrypt.org"',
  checks: ["caa-open", "caa-wildcard", "caa-flags"],
};

/** The octets of strings of 255 in an RDLENGTH of 65535 (RFC 1035 §3.2.1, §3.3). */
const longest = 65_279;
/** Most resolvers cut longer answers over UDP (RFC 6891 §6.2.5). */
const long = 4096;

/** A spec's value between quotes is presentation text. */
function readTxt({ value, presentation, show }: Source): Data {
  const isQuoted = value.startsWith('"') && (presentation || value.endsWith('"'));
  const joined = isQuoted ? unquote(value) : undefined;
  if (joined === undefined && isQuoted && presentation)
    return wrong(reason("text.quotes", { given: show(value) }));
  return textData(joined ?? value);
}

/** The service takes a pair of quotes and white space off the ends (service-notes.md, Records). */
export function textData(value: string): Data {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  if (isQuoted || value.trim() !== value) return { value, unfit: reason("text.changed") };
  if (value === "") return { value, note: reason("value.unusual", { what: "an empty text" }) };
  const octets = value.length <= long / 4 ? 0 : Buffer.byteLength(value);
  if (octets > longest) return wrong(reason("text.too-long", { octets, most: longest }));
  return octets <= long
    ? { value }
    : { value, note: reason("value.unusual", { what: `a text of ${octets} octets` }) };
}

export const txt: RecordType<"TXT"> = {
  name: "TXT",
  read: readTxt,
  fields: "strings",
  form: "text in quotes",
  checks: [
    "text-quoting",
    "text-ascii",
    "mail-syntax",
    "mail-twice",
    "mail-half",
    "spf-lookups",
    "spf-dangling",
    "spf-open",
    "spf-neutral",
    "spf-ptr",
    "dmarc-alone",
    "dmarc-missing",
    "dmarc-tags",
    "acme-expiry",
  ],
};
