/** `spf`: the hosts that may send mail for a domain (RFC 7208). */
import { withoutDot } from "../names";
import { isNetwork, isSpfDomain, lookupTerms, mostLookups } from "../spf";
import { kindOf } from "../../support/text";
import { reason } from "../../problems";
import { elements, Making, type NamedOptions, type BuiltRecord, type OneOrMore } from "./making";

/** A domain whose SPF record counts as well. */
export interface SpfInclude {
  readonly domain: string;
  /** The look-ups of that record, if they are known. The `include` itself costs one more. */
  readonly lookups?: number;
}

export interface SpfArgs extends NamedOptions {
  readonly include?: OneOrMore<string | SpfInclude>;
  /** Addresses or networks: `192.0.2.1`, `192.0.2.0/24`. */
  readonly ip4?: OneOrMore<string>;
  /** Addresses or networks: `2001:db8::1`, `2001:db8::/32`. */
  readonly ip6?: OneOrMore<string>;
  /** Hosts whose addresses may send; `true` for the domain itself. */
  readonly a?: true | OneOrMore<string>;
  /** Domains whose mail servers may send; `true` for the domain itself. */
  readonly mx?: true | OneOrMore<string>;
  readonly exists?: OneOrMore<string>;
  /** The result for other hosts. Required without `redirect`. */
  readonly all?: "-all" | "~all" | "?all";
  /** Another domain, whose record counts for other hosts. It replaces `all`. */
  readonly redirect?: string;
  /** The zone, such as `example.com`. Required for a long text, which is divided into several records. */
  readonly domain?: string;
}

const fields = ["name", "include", "ip4", "ip6", "a", "mx", "exists", "all", "redirect", "domain", "ttl"];

/** A longer answer may not fit into one packet of UDP (RFC 7208 §3.4). */
const longest = 450;

/**
 * The SPF record. A text of more than 450 octets becomes several records, and the first includes the others (`_spf1`,
 * `_spf2`). More than ten look-ups are a problem. Those of included domains count if `lookups` has them.
 *
 * @example
 * spf({ include: "_spf.example.org", ip4: ["192.0.2.0/28"], all: "-all" })
 */
export function spf(args: SpfArgs): BuiltRecord[] {
  const making = new Making("spf");
  const given = making.fields(args, fields);
  const { include, ip4, ip6, a, mx, exists, all, redirect, domain, ttl } = given;
  const name = making.name(given["name"]);
  const included = includesOf(making, include);
  const terms = [
    ...new Set([
      ...hosts(making, "a", a),
      ...hosts(making, "mx", mx),
      ...networks(making, "ip4", ip4, 4),
      ...networks(making, "ip6", ip6, 6),
      ...included.map((each) => `include:${each.domain}`),
      ...making.texts("exists", exists).map((each) => `exists:${targetOf(making, "exists", each)}`),
    ]),
  ];
  const end = endOf(making, all, redirect);
  const within = included.reduce((sum, { lookups = 0 }) => sum + lookups, 0);
  const whole = ["v=spf1", ...terms, end].join(" ");
  if (whole.length <= longest) {
    refuseLookups(making, whole, within, 0);
    return making.list("TXT", name, [making.record("TXT", name, whole, ttl)]);
  }
  if (typeof domain !== "string") {
    making.problem("", reason("spf.long", { length: whole.length, longest }));
    return making.list("TXT", name, []);
  }
  const parts = divided(terms);
  refuseLookups(making, whole, within, parts.length);
  const owner = `${name === "@" ? "" : `${name}.`}${withoutDot(domain)}`;
  const first = ["v=spf1", ...parts.map((_, i) => `include:_spf${i + 1}.${owner}`), end].join(" ");
  return making.list("TXT", name, [
    making.record("TXT", name, first, ttl),
    ...parts.map((part, i) =>
      making.record("TXT", making.below(`_spf${i + 1}`, name), ["v=spf1", ...part, "-all"].join(" "), ttl),
    ),
  ]);
}

function divided(terms: readonly string[]): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const term of terms) {
    if (term.length + 1 > room) {
      parts.push([]);
      room = longest - "v=spf1 -all".length;
    }
    parts.at(-1)?.push(term);
    room -= term.length + 1;
  }
  return parts;
}

function refuseLookups(making: Making, text: string, within: number, parts: number): void {
  const sum = lookupTerms(text).length + within + parts;
  if (sum > mostLookups) making.problem("", reason("spf.lookups", { sum, most: mostLookups }));
}

function includesOf(making: Making, given: unknown): SpfInclude[] {
  return elements(given).flatMap(({ value, suffix }): SpfInclude[] => {
    const path = `include${suffix}`;
    const fields =
      kindOf(value) === "an object" ? making.fields(value, ["domain", "lookups"]) : { domain: value };
    const domain = making.text(path, fields["domain"]);
    const lookups = making.whole(`${path}.lookups`, fields["lookups"], 0, 1000) ?? 0;
    return domain === undefined ? [] : [{ domain: targetOf(making, path, domain), lookups }];
  });
}

function hosts(making: Making, mechanism: "a" | "mx", given: unknown): string[] {
  if (given === true) return [mechanism];
  return making.texts(mechanism, given).map((each) => `${mechanism}:${targetOf(making, mechanism, each)}`);
}

function networks(making: Making, field: "ip4" | "ip6", given: unknown, family: 4 | 6): string[] {
  const example = family === 4 ? '"192.0.2.0/24"' : '"2001:db8::/32"';
  return making.texts(field, given).map((each) => {
    if (!isNetwork(each, family)) making.unfit(field, each, `an IPv${family} address or network`, example);
    return `${field}:${each}`;
  });
}

/** It may have macros (RFC 7208 §7). */
function targetOf(making: Making, field: string, text: string): string {
  if (!isSpfDomain(text)) making.unfit(field, text, "a domain", '"_spf.example.org"');
  return withoutDot(text);
}

function endOf(making: Making, all: unknown, redirect: unknown): string {
  const end = making.word("all", all, ["-all", "~all", "?all"]);
  if (redirect === undefined) {
    if (all === undefined)
      making.problem("all", reason("field.missing", { example: '"-all", "~all" or "?all"' }));
    return end ?? "-all";
  }
  if (all !== undefined) making.problem("all, redirect", reason("field.several"));
  const target = making.text("redirect", redirect);
  return `redirect=${target === undefined ? "" : targetOf(making, "redirect", target)}`;
}
