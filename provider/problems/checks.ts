/** The zone checks (docs/checks.md); the record stands before each. */
import { warning } from "./kinds";

/** The level of a check unless one is set. A `note` is shown, but is no warning. */
export type UsualLevel = "warn" | "note" | "off";

/** A check. A level for all checks counts for those that warn; the others are named. */
function check<U extends UsualLevel, const T extends readonly [string, ...string[]]>(usual: U, ...texts: T) {
  return { ...warning(...texts), usual };
}

/** Faults in the grammar of a mail record. `mail-syntax` names the first. `part` is a term, a tag or a character. */
export const mailFaults = {
  "mail.version": warning('it does not begin with "<part>"'),
  "mail.character": warning("<part> is no ASCII character"),
  "mail.form": warning("<part> has not the form that it needs"),
  "mail.unknown": warning("<part> is no term that SPF has"),
  "mail.value": warning("<part> has a value that is not legal"),
  "mail.missing": warning('it has no "<part>"'),
  "mail.twice": warning("<part> stands in it twice"),
  "mail.idle": warning('<part> has no effect beside or after "all"'),
};

export const checks = {
  "mx-cname": check(
    "warn",
    "its mail server <host> is a CNAME, which many clients refuse (RFC 2181 §10.3)",
    "point it to a name with A or AAAA records",
  ),
  "mx-missing": check(
    "warn",
    "its mail server <host> has no address in this zone",
    "declare an A or AAAA record for it, or correct the name",
  ),
  "mx-null": check(
    "warn",
    '"." at its name says that there is no mail, but <fault> (RFC 7505 §3)',
    'keep "." alone with the priority 0, or the hosts',
  ),
  "mx-single": check(
    "off",
    "its name has one <type> record, so that one mail server answers for it",
    "declare a second one",
  ),
  "ns-cname": check(
    "warn",
    "its name server <host> is a CNAME, which many clients refuse (RFC 2181 §10.3)",
    "point it to a name with A or AAAA records",
  ),
  "ns-missing": check(
    "warn",
    "its name server <host> has no address in this zone",
    "declare an A or AAAA record for it, or correct the name",
  ),
  "ns-single": check(
    "off",
    "its name has one <type> record, so that one name server answers for it",
    "declare a second one",
  ),
  "ns-wildcard": check(
    "warn",
    "name servers for <name> mean nothing that is defined (RFC 4592 §4.2), and BIND refuses such a zone",
    "delegate each name by itself",
  ),
  "glue-missing": check(
    "warn",
    "its name server <host> lies below the name that it answers for, and has no address in this zone (glue), so that nobody can find it",
    "declare an A or AAAA record for <host>",
  ),
  "srv-cname": check(
    "warn",
    "its host <host> is a CNAME, which many clients refuse (RFC 2782)",
    "point it to a name with A or AAAA records",
  ),
  "srv-missing": check(
    "warn",
    "its host <host> has no address in this zone",
    "declare an A or AAAA record for it, or correct the name",
  ),
  "srv-null": check(
    "warn",
    '"." at its name says that there is no service, but <count> other records there name hosts (RFC 2782)',
    'keep "." or the hosts',
  ),
  "srv-port": check(
    "warn",
    "port 0 of <host> is reserved, and no service has it",
    "declare the port of the service",
  ),
  "srv-name": check(
    "warn",
    "clients ask for SRV records at names such as _sip._tcp only (RFC 2782)",
    "begin the name with the service and the protocol",
  ),
  "cname-dangling": check("warn", "<host> is not in this zone", "declare it, or correct the name"),
  "cname-loop": check(
    "warn",
    "its CNAMEs lead into a loop at <host>, so that the name has no answer (RFC 1034 §3.6.2)",
    "correct one of them",
  ),
  "cname-chain": check(
    "off",
    "<host> is a CNAME itself, which costs resolvers another step",
    "point to the end of the chain",
  ),
  "name-unusual": check(
    "warn",
    "<name> has <what>, which some clients and certificate authorities refuse",
    "choose another label",
  ),
  "name-occluded": check(
    "warn",
    "other name servers answer for <delegated> and all below it, so that this record is never asked for",
    "declare it there",
  ),
  "wildcard-idle": check(
    "warn",
    "the wildcard above it gives the same answer, so that this one changes nothing but that <parent> itself has no answer any more",
    "take it out",
  ),
  "wildcard-hidden": check(
    "note",
    "with this new name, <wildcard> does not answer for <name> any more (RFC 4592 §2.2.2): it has no <types>",
    "declare what it needs",
  ),
  "ttl-long": check(
    "warn",
    "its TTL of <ttl> seconds is above a week (<week>): the service may refuse it, and caches keep a mistake for as long",
    "declare a shorter one",
  ),
  "ttl-differs": check(
    "warn",
    "the records of its name and type have different TTLs (<ttls>), and resolvers keep one for all (RFC 2181 §5.2)",
    "declare one TTL",
  ),
  "private-address": check(
    "warn",
    "its address is one of <of>, and this zone is public: nobody outside reaches it, and everybody learns of it",
    "declare a public address, or keep the name in a zone of that network",
  ),
  "caa-open": check(
    "warn",
    'no CAA record of its name has "issue", so that every authority may issue certificates (RFC 8659 §4.1)',
    "name the authorities",
  ),
  "caa-wildcard": check(
    "off",
    'its name has "issue" and no "issuewild", so that the same authorities may issue certificates for wildcards',
    'say it, or forbid it with "issuewild ;"',
  ),
  "caa-flags": check("warn", "its flags have no meaning (RFC 8659 §4.1)", "write 0 or 128"),
  "text-quoting": check(
    "warn",
    "its text has <has> in it, as zone files and consoles show a text, and receivers read them as part of it",
    "declare the text without them",
  ),
  "text-ascii": check(
    "off",
    "its text has a character that is not printable ASCII (<code>), which some programs cannot read",
    "write it otherwise",
  ),
  "mail-syntax": check(
    "warn",
    "it is no valid <what> record: <fault>",
    "correct it, because receivers pass over it or report an error",
  ),
  "mail-twice": check(
    "warn",
    "its name has <count> <what> records, and receivers take none of several",
    "join them into one",
  ),
  "mail-half": check(
    "off",
    "it says something about mail, and the zone does not say the rest",
    "declare <lacks> as well",
  ),
  "spf-lookups": check(
    "warn",
    "it needs at least <count> look-ups, and a receiver makes <most> at most and then takes the record for broken (RFC 7208 §4.6.4)",
    "write addresses in place of names, or send through fewer services",
  ),
  "spf-dangling": check(
    "warn",
    "it includes <host>, which has no SPF record in this zone, and receivers then take it for broken (RFC 7208 §5.2)",
    "declare that record, or take the term out",
  ),
  "spf-open": check("warn", '"+all" lets everybody send mail for the name', "end it with -all or ~all"),
  "spf-neutral": check("off", "it says nothing about other senders", "end it with -all or ~all"),
  "spf-ptr": check(
    "warn",
    '"ptr" is slow and not reliable, and should not be published (RFC 7208 §5.5)',
    'write addresses or "a"',
  ),
  "spf-type": check(
    "warn",
    "receivers do not ask for the type SPF any more (RFC 7208 §3.1)",
    "declare the text as TXT",
  ),
  "spf-missing": check(
    "off",
    "<name> takes mail and has no SPF record, so that everybody can send in its name",
    "declare one",
  ),
  "dmarc-alone": check(
    "warn",
    "<name> has no SPF record and its zone no DKIM key, so that none of its mail can pass DMARC",
    'declare them, or "v=spf1 -all" where it sends none',
  ),
  "dmarc-missing": check(
    "off",
    "the domain has mail and no DMARC record",
    'declare <name> TXT "v=DMARC1; p=none" or stricter',
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
