/** The zone checks (docs/checks.md); the record stands before each. */
import { warning } from "./kinds";

/** The level of a check unless one is set. A `note` is shown, but is no warning. */
export type UsualLevel = "warn" | "note" | "off";

/** A check. A level for all checks counts for those that warn; the others are named. */
function check<Render extends (parts: never) => string>(usual: UsualLevel, render: Render) {
  return Object.assign(warning(render), { usual });
}

export interface Host {
  readonly host: string;
}

const alias = (server: string, rfc: string) =>
  check(
    "warn",
    (p: Host) =>
      `its ${server} ${p.host} is a CNAME, which many clients refuse (${rfc}); point it to a name with A or AAAA records`,
  );
const missing = (server: string) =>
  check(
    "warn",
    (p: Host) =>
      `its ${server} ${p.host} has no address in this zone; declare an A or AAAA record for it, or correct the name`,
  );
const nothingBeside = (what: string, rfc: string) =>
  check(
    "warn",
    (p: { count: number }) =>
      `"." at its name says that there is no ${what}, but ${p.count.toLocaleString("en-US")} other records there name hosts (${rfc}); keep "." or the hosts`,
  );
const single = (server: string) =>
  check(
    "off",
    (p: { type: string }) =>
      `its name has one ${p.type} record, so that one ${server} answers for it; declare a second one`,
  );

/** Faults in the grammar of a mail record. `mail-syntax` names the first. `part` is a term, a tag or a character. */
export const mailFaults = {
  "mail.version": warning((p: { part: string }) => `it does not begin with "${p.part}"`),
  "mail.character": warning((p: { part: string }) => `${p.part} is no ASCII character`),
  "mail.form": warning((p: { part: string }) => `${p.part} has not the form that it needs`),
  "mail.unknown": warning((p: { part: string }) => `${p.part} is no term that SPF has`),
  "mail.value": warning((p: { part: string }) => `${p.part} has a value that is not legal`),
  "mail.missing": warning((p: { part: string }) => `it has no "${p.part}"`),
  "mail.twice": warning((p: { part: string }) => `${p.part} stands in it twice`),
  "mail.idle": warning((p: { part: string }) => `${p.part} has no effect beside or after "all"`),
};

export const checks = {
  "mx-cname": alias("mail server", "RFC 2181 §10.3"),
  "mx-missing": missing("mail server"),
  "mx-null": nothingBeside("mail", "RFC 7505 §3"),
  "mx-single": single("mail server"),
  "ns-cname": alias("name server", "RFC 2181 §10.3"),
  "ns-missing": missing("name server"),
  "ns-single": single("name server"),
  "ns-wildcard": check(
    "warn",
    (p: { name: string }) =>
      `name servers for ${p.name} mean nothing that is defined (RFC 4592 §4.2), and BIND refuses such a zone; delegate each name by itself`,
  ),
  "glue-missing": check(
    "warn",
    (p: Host) =>
      `its name server ${p.host} lies below the name that it answers for, and has no address in this zone (glue), so that nobody can find it; declare an A or AAAA record for ${p.host}`,
  ),
  "srv-cname": alias("host", "RFC 2782"),
  "srv-missing": missing("host"),
  "srv-null": nothingBeside("service", "RFC 2782"),
  "srv-port": check(
    "warn",
    (p: Host) => `port 0 of ${p.host} is reserved, and no service has it; declare the port of the service`,
  ),
  "srv-name": check(
    "warn",
    (p: { example: string }) =>
      `clients ask for SRV records at names such as ${p.example} only (RFC 2782); begin the name with the service and the protocol`,
  ),
  "cname-dangling": check(
    "warn",
    (p: { target: string }) => `${p.target} is not in this zone; declare it, or correct the name`,
  ),
  "cname-loop": check("warn", (p: { target?: string }) =>
    p.target === undefined
      ? "it points to itself, so that the name has no answer (RFC 1034 §3.6.2); correct the target"
      : `the CNAMEs from ${p.target} on point to each other, so that the name has no answer (RFC 1034 §3.6.2); correct one of them`,
  ),
  "cname-chain": check(
    "off",
    (p: { target: string }) =>
      `${p.target} is a CNAME itself, which costs resolvers another step; point to the end of the chain`,
  ),
  "name-unusual": check("warn", (p: { name: string; has: "underscore" | "hyphens" }) =>
    p.has === "underscore"
      ? `${p.name} has an underscore, so that it is no host name (RFC 1123 §2.1), and some clients and certificate authorities refuse it; write a hyphen`
      : `${p.name} has "--" after two characters, which is reserved for internationalised names (RFC 5890 §2.3.1); choose another label`,
  ),
  "name-occluded": check(
    "warn",
    (p: { delegated: string }) =>
      `other name servers answer for ${p.delegated} and all below it, so that this record is never asked for; declare it there`,
  ),
  "wildcard-idle": check(
    "warn",
    (p: { parent: string }) =>
      `the wildcard above it gives the same answer, so that this one changes nothing but that ${p.parent} itself has no answer any more; take it out`,
  ),
  "wildcard-hidden": check(
    "note",
    (p: { wildcard: string; name: string; types: string }) =>
      `with this new name, ${p.wildcard} does not answer for ${p.name} any more (RFC 4592 §2.2.2): it has no ${p.types}; declare what it needs`,
  ),
  "ttl-long": check(
    "warn",
    (p: { ttl: number; week: number }) =>
      `its TTL of ${p.ttl} seconds is above a week (${p.week}): the service may refuse it, and caches keep a mistake for as long; declare a shorter one`,
  ),
  "ttl-differs": check(
    "warn",
    (p: { ttls: string }) =>
      `the records of its name and type have different TTLs (${p.ttls}), and resolvers keep one for all (RFC 2181 §5.2); declare one TTL`,
  ),
  "private-address": check(
    "warn",
    (p: { of: string }) =>
      `its address is one of ${p.of}, and this zone is public: nobody outside reaches it, and everybody learns of it; declare a public address, or keep the name in a zone of that network`,
  ),
  "caa-open": check(
    "warn",
    (p: { lacks: string }) =>
      `no CAA record of its name has "${p.lacks}", so that every authority may issue certificates (RFC 8659 §4.1); name the authorities`,
  ),
  "caa-wildcard": check(
    "off",
    (p: { lacks: string }) =>
      `its name has "issue" and no "${p.lacks}", so that the same authorities may issue certificates for wildcards; say it, or forbid it with "${p.lacks} ;"`,
  ),
  "caa-flags": check(
    "warn",
    (p: { known: string }) => `its flags have no meaning (RFC 8659 §4.1); write ${p.known}`,
  ),
  "text-quoting": check(
    "warn",
    (p: { has: string }) =>
      `its text has ${p.has} in it, as zone files and consoles show a text, and receivers read them as part of it; declare the text without them`,
  ),
  "text-ascii": check(
    "off",
    (p: { code: string }) =>
      `its text has a character that is not printable ASCII (${p.code}), which some programs cannot read; write it otherwise`,
  ),
  "mail-syntax": check(
    "warn",
    (p: { what: string; fault: string }) =>
      `it is no valid ${p.what} record: ${p.fault}; correct it, because receivers pass over it or report an error`,
  ),
  "mail-twice": check(
    "warn",
    (p: { what: string; count: number }) =>
      `its name has ${p.count} ${p.what} records, and receivers take none of several; join them into one`,
  ),
  "mail-half": check(
    "off",
    (p: { lacks: string }) =>
      `it says that the name has no mail, and the zone does not say so everywhere; declare ${p.lacks} as well`,
  ),
  "spf-lookups": check(
    "warn",
    (p: { count: number; most: number }) =>
      `it needs at least ${p.count} look-ups, and a receiver makes ${p.most} at most and then takes the record for broken (RFC 7208 §4.6.4); write addresses in place of names, or send through fewer services`,
  ),
  "spf-dangling": check(
    "warn",
    (p: Host) =>
      `it includes ${p.host}, which has no SPF record in this zone, and receivers then take it for broken (RFC 7208 §5.2); declare that record, or take the term out`,
  ),
  "spf-open": check(
    "warn",
    (p: { term: string }) => `"${p.term}" lets everybody send mail for the name; end it with -all or ~all`,
  ),
  "spf-neutral": check(
    "off",
    (p: { ends: string }) => `it says nothing about other senders; end it with ${p.ends}`,
  ),
  "spf-ptr": check(
    "warn",
    (p: { term: string }) =>
      `"${p.term}" is slow and not reliable, and should not be published (RFC 7208 §5.5); write addresses or "a"`,
  ),
  "spf-type": check(
    "warn",
    (p: { type: string }) =>
      `receivers do not ask for the type ${p.type} any more (RFC 7208 §3.1); declare the text as TXT`,
  ),
  "spf-missing": check(
    "off",
    (p: { name: string }) =>
      `${p.name} takes mail and has no SPF record, so that everybody can send in its name; declare one`,
  ),
  "dmarc-alone": check(
    "warn",
    (p: { name: string }) =>
      `${p.name} has no SPF record and its zone no DKIM key, so that none of its mail can pass DMARC; declare them, or "v=spf1 -all" where it sends none`,
  ),
  "dmarc-missing": check(
    "off",
    (p: { name: string }) =>
      `the domain has mail and no DMARC record; declare ${p.name} TXT "v=DMARC1; p=none" or stricter`,
  ),
};

const count = (n: number): string => n.toLocaleString("en-US");

/** The texts of one finding about several records. */
export const several: { readonly [Code in keyof typeof checks]?: (n: number, records: string) => string } = {
  "cname-dangling": (n, records) =>
    `${count(n)} CNAMEs point to names that are not in this zone: ${records}; declare these names, or correct the records`,
  "cname-loop": (n, records) =>
    `${count(n)} CNAMEs lead into a loop, so that their names have no answer (RFC 1034 §3.6.2): ${records}; correct them`,
  "cname-chain": (n, records) =>
    `${count(n)} CNAMEs point to other CNAMEs, which costs resolvers more steps: ${records}; point to the ends of the chains`,
  "name-unusual": (n, records) =>
    `${count(n)} records have names that are no host names (RFC 1123 §2.1): ${records}; write other names`,
  "name-occluded": (n, records) =>
    `other name servers answer for the names of ${count(n)} records, which are never asked for: ${records}; declare them there`,
  "wildcard-hidden": (n, records) =>
    `${count(n)} new names take away answers of a wildcard (RFC 4592 §2.2.2): ${records}; declare what these names need`,
  "ttl-differs": (n, records) =>
    `${count(n)} names have records of one type with different TTLs, and resolvers keep one for all (RFC 2181 §5.2): ${records}; declare one TTL for each`,
};
