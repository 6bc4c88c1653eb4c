/**
 * Builders: specs of records whose text has its own grammar. They never throw: the resource reports their
 * problems with all others.
 */
import { quote, specText } from "../quoting";
import { kindProblem } from "../record";
import { reason } from "../../problems";
import { defined } from "../../support/defined";
import {
  elements,
  Making,
  type BuilderOptions,
  type BuiltRecord,
  type NamedOptions,
  type OneOrMore,
} from "./making";

export { acmeDelegate, acmePersist } from "./acme";
export type { AcmePersistArgs } from "./acme";
export { dkim } from "./dkim";
export type { DkimOptions } from "./dkim";
export type { BuilderOptions, BuiltRecord, OneOrMore } from "./making";
export { spf } from "./spf";
export type { SpfArgs, SpfInclude } from "./spf";

/**
 * A TXT record with a text of at most 65,279 octets. It is divided into strings as needed.
 *
 * @param text the text itself, without escapes. Quotes in it are quotes.
 */
export function txt(name: string, text: string, options?: BuilderOptions): BuiltRecord {
  const making = new Making("txt");
  const { ttl } = making.fields(options, ["ttl"]);
  if (typeof text !== "string") making.problem("text", kindProblem(text, "text", '"v=1"'));
  const own = typeof text === "string" ? text : "";
  return making.record("TXT", making.name(name), specText(own), ttl);
}

type DmarcPolicy = "none" | "quarantine" | "reject";

export interface DmarcArgs extends NamedOptions {
  /** Default: `none`. */
  readonly policy?: DmarcPolicy;
  /** For names below that exist. Default: `policy`. */
  readonly subdomainPolicy?: DmarcPolicy;
  /** For names below that do not exist. Default: `subdomainPolicy`. */
  readonly nonexistentPolicy?: DmarcPolicy;
  /** Asks receivers to apply the next weaker policy. */
  readonly testing?: boolean;
  /** `y` for a public suffix, `n` for an organizational domain. Default: `u`, and receivers find out. */
  readonly psd?: "y" | "n" | "u";
  readonly alignmentDkim?: "relaxed" | "strict";
  readonly alignmentSpf?: "relaxed" | "strict";
  /** The addresses for reports, with or without `mailto:`. */
  readonly rua?: OneOrMore<string>;
  /** The addresses for reports of single failures. */
  readonly ruf?: OneOrMore<string>;
  /** The failures to report: `0` of all checks, `1` of any, `d` of DKIM, `s` of SPF. */
  readonly failureOptions?: OneOrMore<"0" | "1" | "d" | "s">;
}

const policies = ["none", "quarantine", "reject"];

/**
 * The DMARC record of a domain, at `_dmarc` (RFC 9989 §4.7). `p` is always written, because older receivers need it.
 * @example dmarc({ policy: "reject", rua: "dmarc@example.com" })
 */
export function dmarc(args: DmarcArgs): BuiltRecord {
  const making = new Making("dmarc");
  const alignment = (field: string, value: unknown): string | undefined =>
    making.word(field, value, ["relaxed", "strict"])?.charAt(0);
  const policy = (field: string, value: unknown): string | undefined => making.word(field, value, policies);
  const report = (field: string, value: unknown): string | undefined => addresses(making, field, value);
  const readers = {
    policy: ["p", policy],
    subdomainPolicy: ["sp", policy],
    nonexistentPolicy: ["np", policy],
    testing: ["t", (field, value) => making.flag(field, value) && "y"],
    psd: ["psd", (field, value) => making.word(field, value, ["y", "n", "u"])],
    alignmentDkim: ["adkim", alignment],
    alignmentSpf: ["aspf", alignment],
    rua: ["rua", report],
    ruf: ["ruf", report],
    failureOptions: ["fo", (_, value) => failures(making, value)],
  } satisfies Record<
    Exclude<keyof DmarcArgs, "name" | "ttl">,
    [tag: string, read: (field: string, value: unknown) => string | false | undefined]
  >;
  const given = making.fields(args, ["name", ...Object.keys(readers), "ttl"]);
  const tags = Object.entries(readers).flatMap(([field, [tag, read]]) => {
    const value = read(field, given[field] ?? (field === "policy" ? "none" : undefined));
    return value === undefined || value === false ? [] : [`${tag}=${value}`];
  });
  const text = ["v=DMARC1", ...tags].join("; ");
  return making.record("TXT", making.below("_dmarc", given["name"]), text, given["ttl"]);
}

function addresses(making: Making, field: string, given: unknown): string | undefined {
  const list = making.texts(field, given).map((each) => {
    // Commas separate addresses; an exclamation mark begins an obsolete size (RFC 9989 §4.8).
    if (
      !/^(mailto:)?[^\s@,;!]+@[^\s@,;!]+(![0-9]+[kmgt]?)?$/i.test(each) &&
      !/^https:\/\/[^\s,;!]+$/i.test(each)
    )
      making.unfit(field, each, "an address", "security@example.com");
    return /^(mailto|https):/i.test(each) ? each : `mailto:${each}`;
  });
  return list.length === 0 ? undefined : list.join(",");
}

function failures(making: Making, given: unknown): string | undefined {
  const list = making.texts("failureOptions", given);
  for (const each of list) making.word("failureOptions", each, ["0", "1", "d", "s"]);
  return list.length === 0 ? undefined : list.join(":");
}

export interface CaaArgs extends NamedOptions {
  /** Certificate authorities, also with parameters (`letsencrypt.org; validationmethods=dns-01`), or `"none"`. */
  readonly issue?: OneOrMore<string>;
  /** The same for wildcards. Default: `issue`. */
  readonly issuewild?: OneOrMore<string>;
  /** The e-mail or web address for reports of refused requests. */
  readonly iodef?: OneOrMore<string>;
  /** Forbids certificates of authorities that do not know a property (flag 128). */
  readonly critical?: boolean;
}

/**
 * The CAA records of a domain (RFC 8659).
 * @example caa({ issue: "letsencrypt.org", issuewild: "none", iodef: "security@example.com" })
 */
export function caa(args: CaaArgs): BuiltRecord[] {
  const making = new Making("caa");
  const given = making.fields(args, ["name", "issue", "issuewild", "iodef", "critical", "ttl"]);
  const name = making.name(given["name"]);
  const flags = given["critical"] === true ? 128 : 0;
  const records: BuiltRecord[] = [];
  const add = (tag: string, value: string): void =>
    void records.push(making.record("CAA", name, `${flags} ${tag} ${quote(value)}`, given["ttl"]));
  for (const tag of ["issue", "issuewild"]) {
    const authorities = making.texts(tag, given[tag]);
    if (authorities.length > 1 && authorities.includes("none")) making.problem(tag, reason("caa.none"));
    for (const each of authorities) {
      if (each !== "none" && !/^[a-z0-9.-]+\.[a-z0-9-]+\s*(;[\x20-\x7e]*)?$/i.test(each))
        making.unfit(tag, each, "a certificate authority", "letsencrypt.org");
      add(tag, each === "none" ? ";" : each);
    }
  }
  for (const each of making.texts("iodef", given["iodef"])) {
    if (!/^(mailto:)?[^\s@]+@[^\s@]+$/i.test(each) && !/^https?:\/\/[^\s.]+\.\S+$/i.test(each))
      making.unfit("iodef", each, "an address", "security@example.com");
    add("iodef", /^(mailto:|https?:)/i.test(each) ? each : `mailto:${each}`);
  }
  if (records.length === 0 && making.problems.length === 0)
    making.problem("", reason("field.missing", { example: "issue, issuewild or iodef" }));
  return making.list("CAA", name, records);
}

export interface MailServer {
  /** 0-65535, the lowest first. */
  readonly priority: number;
  /** A whole host name. */
  readonly host: string;
}

/**
 * The mail servers of a domain.
 * @param servers `{ priority, host }`, or a text such as `10 mx1.example.org`
 * @example mx(["10 mx1.example.org", "20 mx2.example.org"])
 */
export function mx(servers: OneOrMore<MailServer | string>, options?: NamedOptions): BuiltRecord[] {
  const making = new Making("mx");
  const { name: given, ttl } = making.fields(options, ["name", "ttl"]);
  const name = making.name(given);
  const list = elements(servers);
  if (list.length === 0) making.problem("", reason("value.empty", { example: "at least one server" }));
  const records = list.map(({ value: each, suffix }): BuiltRecord => {
    // The resource reads the priority in a text.
    if (typeof each === "string") return making.record("MX", name, each, ttl);
    const server = making.fields(each, ["priority", "host"]);
    const priority = making.whole(`${suffix} priority`.trim(), server["priority"], 0, 65535);
    const host = making.text(`${suffix} host`.trim(), server["host"]) ?? "";
    return { ...making.record("MX", name, host, ttl), ...defined({ priority }) };
  });
  return making.list("MX", name, records);
}

export interface SrvArgs extends NamedOptions {
  /** `sip` or `imaps`, without the underscore. */
  readonly service: string;
  /** The protocol without the underscore. Default: `tcp`. */
  readonly protocol?: "tcp" | "udp" | "tls" | (string & {});
  /** A whole host name. `.` means that the service is not offered. */
  readonly target: string;
  /** 0-65535. */
  readonly port: number;
  /** 0-65535, the lowest first. Default: 0. */
  readonly priority?: number;
  /** 0-65535, the share among equal priorities. Default: 0. */
  readonly weight?: number;
}

/**
 * The SRV record of a service, at `_SERVICE._PROTOCOL` (RFC 2782).
 * @example srv({ service: "sip", target: "sip1.example.com", port: 5060, priority: 10, weight: 60 })
 */
export function srv(args: SrvArgs): BuiltRecord {
  const making = new Making("srv");
  const fields = ["service", "protocol", "name", "target", "port", "priority", "weight", "ttl"];
  const given = making.fields(args, fields);
  const label = (field: string, word: unknown): string => {
    const text = making.text(field, word) ?? field;
    if (!/^_?[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(text))
      making.unfit(field, text, "a service", '"sip"');
    return text.startsWith("_") ? text : `_${text}`;
  };
  const [service, protocol] = [given["service"], given["protocol"] ?? "tcp"];
  const labels = `${label("service", service)}.${label("protocol", protocol)}`;
  const name = making.below(labels, given["name"]);
  if (given["port"] === undefined)
    making.problem("port", reason("field.missing", { example: "a whole number, such as 5060" }));
  const number = (field: string): number => making.whole(field, given[field], 0, 65535) ?? 0;
  const target = making.text("target", given["target"]) ?? "";
  const data = `${number("priority")} ${number("weight")} ${number("port")} ${target}`;
  return making.record("SRV", name, data, given["ttl"]);
}

/**
 * Delegates a name and all names below it to other name servers. A server below the name needs an address record (glue).
 * @param servers whole host names
 * @example delegate("lab", ["ns1.example.org", "ns2.example.org"])
 */
export function delegate(name: string, servers: OneOrMore<string>, options?: BuilderOptions): BuiltRecord[] {
  const making = new Making("delegate");
  const { ttl } = making.fields(options, ["ttl"]);
  const owner = making.name(name);
  if (owner === "@") making.problem("name", reason("ns.apex"));
  const hosts = making.texts("servers", servers);
  if (hosts.length === 0 && making.problems.length === 0)
    making.problem("servers", reason("value.empty", { example: "at least one server" }));
  const records = hosts.map((host) => making.record("NS", owner, host, ttl));
  return making.list("NS", owner, records);
}
