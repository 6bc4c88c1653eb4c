/** What builders cannot make; the field stands before each. */

export const builders = {
  "dkim.selector": ["<given> has _domainkey in it", 'write the selector alone, such as "mail2026"'],
  "dkim.text": ["write the public key as plain text"],
  "dkim.quotes": [
    "the text has quotes in it, as zone files and consoles show it",
    "write the text without them",
  ],
  "dkim.private": [
    "this is a private key, which belongs to the mail server alone",
    "write the public one (openssl pkey -in KEY -pubout)",
  ],
  "dkim.base64": [
    "this is no public key in base64",
    'write what stands behind "p=", or the PEM file\'s text',
  ],
  "dkim.no-key": [
    "its base64 can be read, but is no public key",
    "it may be cut, or several strings joined in the wrong order",
  ],
  "dkim.kind": ["this is a key of <kind>, and DKIM has rsa and ed25519"],
  "dkim.other-kind": ["this is a key of <kind>, and algorithm says <wanted>"],
  "dkim.short": [
    "this key has <bits> bits, and receivers refuse one of less than <shortest> (RFC 8301 §3.2)",
    "make a longer one",
  ],

  "builder.text": ["<kind>, and plain text is needed"],
  "dmarc.no-policy": ["missing", 'write "none" (reports only), "quarantine" or "reject"'],
  "dmarc.address": ["<given> is no address for reports", 'write one such as "dmarc@example.com"'],
  "caa.none": ['"none" stands alone', "take it or the others out"],
  "caa.authority": [
    "<given> is no certificate authority",
    'write its domain, such as "letsencrypt.org", or "none"',
  ],
  "caa.iodef": ["<given> is no address", 'write one such as "security@example.com"'],
  "caa.nothing": ["nothing is said", "write issue, issuewild or iodef"],
  "mx.servers": ['write a server or a list of them, such as ["10 mx1.example.org"]'],
  "mx.server": ['<given> is not "priority host", such as "10 mx1.example.org"'],
  "mx.no-priority": ["priority: missing, or no number"],
  "mx.no-host": ["host: missing, or no text"],
  "srv.service": ["<given> is no service's name", 'write letters, digits and hyphens, such as "sip"'],
  "srv.no-port": ["missing", "write a whole number from 0 to 65535"],
  "ns.apex": [
    "the domain itself is delegated by its registry, and the service keeps its NS records",
    'write a name below it, such as "lab"',
  ],
  "ns.servers": ['write at least one, such as ["ns1.example.org"]'],

  "builder.arguments": ["<kind> stands where an object is needed: { <names> }"],
  "builder.word": ["<given> is not one of <words>"],
  "builder.whole": ["<given> is not a whole number from <low> to <high>"],
  "builder.below": ["<kind> is no name", 'write text such as "shop", or leave it out for the domain itself'],
  "builder.name": ["<kind> is no name", 'write text such as "www", or "@" for the domain itself'],

  "spf.long": [
    "the text has <length> octets, and more than <longest> belong into several records",
    'name the zone, such as domain: "example.com", and it is divided',
  ],
  "spf.network": ["<given> is no IPv<family> address or network", "write one such as <example>"],
  "spf.domain": ["<given> is no domain", 'write one such as "_spf.example.org"'],
  "spf.no-end": [
    "missing",
    'write "-all" (refuse mail from everybody else), "~all" (mark it) or "?all" (say nothing of it)',
  ],
  "spf.two-ends": ["one of the two ends the record", "take the other out"],
  "builder.field": ["unknown field", "<hint>"],
  "builder.missing": ["missing"],
  "builder.empty": ["an empty text"],
  "spf.lookups": [
    "<sum> look-ups, and a receiver makes <most> at most (RFC 7208 §4.6.4): <own> own, <within> included, <parts> of parts",
    "write addresses in place of names, or send through fewer services",
  ],
} as const;
