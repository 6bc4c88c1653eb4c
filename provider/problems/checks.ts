/** The zone checks (docs/checks.md); the record stands before each. */
import { warning } from "./kinds";

const cname = (server: string, host: string): string =>
  `its ${server} ${host} is a CNAME, which many servers refuse (RFC 2181 §10.3); point it to a name with A or AAAA records`;
const missing = (server: string, host: string): string =>
  `its ${server} ${host} has no address in this zone; declare an A or AAAA record for it, or correct the name`;

export const checks = {
  "mx-cname": warning((p: { host: string }) => cname("mail server", p.host)),
  "mx-missing": warning((p: { host: string }) => missing("mail server", p.host)),
  "ns-cname": warning((p: { host: string }) => cname("name server", p.host)),
  "ns-missing": warning((p: { host: string }) => missing("name server", p.host)),
  "cname-dangling": warning(
    (p: { target: string }) => `${p.target} is not in this zone; declare it, or correct the name`,
  ),
  "glue-missing": warning(
    (p: { host: string }) =>
      `its name server ${p.host} lies below the name that it answers for, and has no address in this zone (glue), so that nobody can find it; declare an A or AAAA record for ${p.host}`,
  ),
  "spf-lookups": warning(
    (p: { count: number; most: number }) =>
      `it needs at least ${p.count} look-ups, and a receiver makes ${p.most} at most and then takes the record for broken (RFC 7208 §4.6.4); write addresses in place of names, or send through fewer services`,
  ),
  "spf-twice": warning(
    (p: { other: string; where: string }) =>
      `${p.other} is ${p.where} as well, and receivers take two SPF records of one name for broken (RFC 7208 §4.5); join them into one`,
  ),
  "dmarc-alone": warning(
    (p: { name: string }) =>
      `${p.name} has no SPF record and its zone no DKIM key, so that none of its mail can pass DMARC; declare them, or "v=spf1 -all" where it sends none`,
  ),
  "dkim-quoting": warning(
    () =>
      "its text has quotes or backslashes in it, as zone files and consoles show a key, and receivers read them as part of it; declare the text without them",
  ),
  "ttl-long": warning(
    (p: { ttl: number; week: number }) =>
      `its TTL of ${p.ttl} seconds is above a week (${p.week}): the service may refuse it, and caches keep a mistake for as long; declare a shorter one`,
  ),
  "wildcard-idle": warning((p: { delegated: string } | { parent: string }) =>
    "delegated" in p
      ? `other name servers answer for ${p.delegated} and all below it, so that this wildcard is never asked for; declare it there`
      : `the wildcard above it gives the same answer, so that this one changes nothing but that ${p.parent} itself has no answer any more; take it out`,
  ),
  "private-address": warning(
    (p: { of: string }) =>
      `its address is one of ${p.of}, and this zone is public: nobody outside reaches it, and everybody learns of it; declare a public address, or keep the name in a zone of that network`,
  ),
};

/** What is said of several records together that a check finds the same of. */
export const several: { readonly [Code in keyof typeof checks]?: (n: number, records: string) => string } = {
  "cname-dangling": (n, records) =>
    `${n.toLocaleString("en-US")} CNAMEs point to names that are not in this zone: ${records}; declare these names, or correct the records`,
};
