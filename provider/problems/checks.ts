/** The zone checks (docs/checks.md). */

/** A `note` is shown, but is not a warning. */
export type UsualLevel = "warn" | "note" | "off";

function at<const U extends UsualLevel>(usual: U) {
  return (title: string, help: string) =>
    ({ level: "warning", texts: [title, help] as const, usual }) as const;
}

const warn = at("warn");
const off = at("off");

const alias = (what: string) =>
  warn(`${what} is a CNAME, which clients refuse`, "name a host with addresses");
const missing = (what: string) =>
  warn(`${what} has no address in this zone`, "declare an A or AAAA record for it, or correct the name");
const nothing = (what: string) =>
  warn(`"." declares that there is no ${what}`, 'keep "." alone, or the hosts');
const single = (what: string) => off(`there is only one ${what}`, "declare a second one");

export const checks = {
  "mx-cname": alias("a mail server"),
  "mx-missing": missing("a mail server"),
  "mx-null": nothing("mail"),
  "mx-single": single("mail server"),
  "ns-cname": alias("a name server"),
  "ns-missing": missing("a name server"),
  "ns-single": single("name server"),
  "ns-wildcard": warn("a wildcard cannot be delegated (RFC 4592 §4.2)", "delegate each name"),
  "glue-missing": missing("a name server below its own name (glue)"),
  "srv-cname": alias("a service's host"),
  "srv-missing": missing("a service's host"),
  "srv-null": nothing("service"),
  "srv-port": warn("port 0 is reserved", "declare the port of the service"),
  "srv-name": warn(
    "clients ask for SRV at other names (RFC 2782)",
    "begin the name with service and protocol",
  ),
  "cname-dangling": warn(
    "a CNAME points to a name that is not in this zone",
    "declare it, or correct the name",
  ),
  "cname-loop": warn("a CNAME leads into a loop, so it has no answer", "correct one of them"),
  "cname-chain": off("a CNAME points to another, which costs a step", "point to the end of the chain"),
  "name-unusual": warn("some clients and certificate authorities refuse this name", "choose another label"),
  "name-occluded": warn("other name servers answer for this name", "declare it there"),
  "wildcard-idle": warn("the wildcard above gives the same answer", "remove it"),
  "wildcard-hidden": at("note")(
    "a new name hides a wildcard's records (RFC 4592 §2.2.2)",
    "declare what it needs",
  ),
  "ttl-long": warn("a TTL above a week keeps a mistake for as long", "declare a shorter one"),
  "ttl-differs": warn("resolvers keep one TTL for a name and type (RFC 2181 §5.2)", "declare one TTL"),
  "private-address": warn("a private address is in a public zone", "declare a public one"),
  "caa-open": warn("every authority may issue certificates (RFC 8659 §4.1)", "name the authorities"),
  "caa-wildcard": off(
    "the authorities may issue certificates for wildcards",
    'declare issuewild, or ";" in it',
  ),
  "caa-flags": warn("the CAA flags have no meaning (RFC 8659 §4.1)", "write 0 or 128"),
  "text-quoting": warn("receivers read quotes and backslashes as text", "declare the text without them"),
  "text-ascii": off("some programs read printable ASCII only", "write it otherwise"),
  "mail-syntax": warn("receivers ignore a malformed mail record", "correct it"),
  "mail-twice": warn("receivers ignore several mail records of one kind", "join them into one"),
  "mail-half": off("the zone declares only half of its mail", "declare the rest"),
  "spf-lookups": warn(
    "receivers stop after ten look-ups of SPF (RFC 7208 §4.6.4)",
    "write addresses, or use fewer services",
  ),
  "spf-dangling": warn("an included name has no SPF record in this zone", "declare it, or remove the term"),
  "spf-open": warn("everybody may send mail for the name", "end it with -all or ~all"),
  "spf-neutral": off("other senders stay open", "end it with -all or ~all"),
  "spf-ptr": warn("ptr is slow and not reliable (RFC 7208 §5.5)", 'write addresses or "a"'),
  "spf-type": warn("receivers do not ask for the type SPF (RFC 7208 §3.1)", "declare the text as TXT"),
  "spf-missing": off("a name takes mail and has no SPF record", "declare one"),
  "dmarc-alone": warn("without SPF and DKIM, no mail passes DMARC", 'declare them, or "v=spf1 -all"'),
  "dmarc-missing": off("the domain has mail and no DMARC record", 'declare "v=DMARC1; p=none" or stricter'),
  "dmarc-tags": at("note")("receivers ignore these tags of DMARC (RFC 9989 §4.7)", "remove them"),
  "acme-expiry": warn(
    "a lasting ACME permission has ended, or ends within 30 days",
    "set a later persistUntil",
  ),
};
