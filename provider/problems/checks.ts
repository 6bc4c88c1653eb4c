/** The zone checks (docs/checks.md). `<…>` of the last part stands in the record's line, so that findings of a code merge. */

/** The level of a check unless one is set. A `note` is shown, but is no warning. */
export type UsualLevel = "warn" | "note" | "off";

function at<U extends UsualLevel>(usual: U) {
  return <const Title extends string, const Help extends string, const Note extends string>(
    title: Title,
    help: Help,
    note?: Note,
  ) => ({ level: "warning", texts: [title, help], note, usual }) as const;
}

const warn = at("warn");
const off = at("off");

const point = "point it to a name with A or AAAA records";
const declare = "declare an A or AAAA record for it, or correct the name";
const second = "declare a second one";

export const checks = {
  "mx-cname": warn("a mail server is a CNAME, which clients refuse (RFC 2181 §10.3)", point, "<host>"),
  "mx-missing": warn("a mail server has no address in this zone", declare, "<host>"),
  "mx-null": warn(
    '"." declares that there is no mail (RFC 7505 §3)',
    'keep "0 ." alone, or the hosts',
    "<fault>",
  ),
  "mx-single": off("one mail server answers alone", second, "<type>"),
  "ns-cname": warn("a name server is a CNAME, which clients refuse (RFC 2181 §10.3)", point, "<host>"),
  "ns-missing": warn("a name server has no address in this zone", declare, "<host>"),
  "ns-single": off("one name server answers alone", second, "<type>"),
  "ns-wildcard": warn("a wildcard cannot be delegated (RFC 4592 §4.2)", "delegate each name", "<name>"),
  "glue-missing": warn(
    "a name server below its own name has no address (glue)",
    "declare an A or AAAA record for it",
    "<host>",
  ),
  "srv-cname": warn("a service's host is a CNAME, which clients refuse (RFC 2782)", point, "<host>"),
  "srv-missing": warn("a service's host has no address in this zone", declare, "<host>"),
  "srv-null": warn(
    '"." declares that there is no service (RFC 2782)',
    'keep "." or the hosts',
    "<count> others",
  ),
  "srv-port": warn("port 0 is reserved", "declare the port of the service", "<host>"),
  "srv-name": warn(
    "clients ask for SRV at other names (RFC 2782)",
    "begin the name with service and protocol",
  ),
  "cname-dangling": warn(
    "a CNAME points to a name that is not in this zone",
    "declare it, or correct the name",
    "<host>",
  ),
  "cname-loop": warn(
    "a CNAME leads into a loop, so it has no answer (RFC 1034 §3.6.2)",
    "correct one of them",
    "<host>",
  ),
  "cname-chain": off(
    "a CNAME points to another, which costs a step",
    "point to the end of the chain",
    "<host>",
  ),
  "name-unusual": warn(
    "some clients and certificate authorities refuse this name",
    "choose another label",
    "<name>: <what>",
  ),
  "name-occluded": warn("other name servers answer for this name", "declare it there", "<delegated>"),
  "wildcard-idle": warn("the wildcard above gives the same answer", "take it out", "hides <parent>"),
  "wildcard-hidden": at("note")(
    "a new name hides a wildcard's records (RFC 4592 §2.2.2)",
    "declare what it needs",
    "<wildcard> for <name>: <types>",
  ),
  "ttl-long": warn(
    "a TTL above a week keeps a mistake for as long",
    "declare a shorter one",
    "<ttl>, a week is <week>",
  ),
  "ttl-differs": warn(
    "resolvers keep one TTL for a name and type (RFC 2181 §5.2)",
    "declare one TTL",
    "<ttls>",
  ),
  "private-address": warn(
    "a private address in a public zone",
    "declare a public one, or use a zone of that network",
    "<of>",
  ),
  "caa-open": warn("every authority may issue certificates (RFC 8659 §4.1)", "name the authorities"),
  "caa-wildcard": off(
    "the authorities may issue certificates for wildcards",
    'declare issuewild, or ";" in it',
  ),
  "caa-flags": warn("the CAA flags have no meaning (RFC 8659 §4.1)", "write 0 or 128"),
  "text-quoting": warn(
    "receivers read quotes and backslashes as text",
    "declare the text without them",
    "has <has>",
  ),
  "text-ascii": off("some programs read printable ASCII only", "write it otherwise", "<code>"),
  "mail-syntax": warn("receivers pass over a malformed mail record", "correct it", "<what>: <fault>"),
  "mail-twice": warn("receivers take none of several mail records", "join them into one", "<count> <what>"),
  "mail-half": off("the zone is half open about mail", "declare the rest", "<lacks>"),
  "spf-lookups": warn(
    "receivers stop after ten look-ups of SPF (RFC 7208 §4.6.4)",
    "write addresses, or use fewer services",
    "<count>, at most <most>",
  ),
  "spf-dangling": warn(
    "an included name has no SPF record in this zone (RFC 7208 §5.2)",
    "declare it, or take the term out",
    "<host>",
  ),
  "spf-open": warn("everybody may send mail for the name", "end it with -all or ~all"),
  "spf-neutral": off("other senders stay open", "end it with -all or ~all"),
  "spf-ptr": warn("ptr is slow and not reliable (RFC 7208 §5.5)", 'write addresses or "a"'),
  "spf-type": warn("receivers do not ask for the type SPF (RFC 7208 §3.1)", "declare the text as TXT"),
  "spf-missing": off("a name takes mail and has no SPF record", "declare one", "<name>"),
  "dmarc-alone": warn(
    "without SPF and DKIM, no mail passes DMARC",
    'declare them, or "v=spf1 -all"',
    "<name>",
  ),
  "dmarc-missing": off(
    "the domain has mail and no DMARC record",
    'declare "v=DMARC1; p=none" or stricter',
    "<name>",
  ),
};

/** Faults in the grammar of a mail record, which `mail-syntax` names. `part` is a term, a tag or a character. */
export const mailFaults = {
  "mail.missing": ['no "<part>"'],
  "mail.unfit": ["<part> is not legal"],
  "mail.twice": ["<part> stands in it twice or after all"],
} as const;
