/** What builders cannot make; the field stands before each. */

export const builders = {
  "dkim.selector": ["<given> has _domainkey in it", 'write the selector alone, such as "mail2026"'],
  "dkim.private": ["this is a private key", "publish the public one: openssl pkey -in KEY -pubout"],
  "dkim.key": [
    "this is no public RSA or Ed25519 key",
    'write the whole PEM, or the text behind "p=" without quotes',
  ],
  "dkim.other-kind": ["this is a key of <kind>, and algorithm says <wanted>", "correct one of them"],
  "dkim.short": ["this key has <bits> bits; receivers need <shortest> (RFC 8301 §3.2)", "make a longer one"],
  "caa.none": ['"none" stands alone', "take it or the others out"],
  "ns.apex": ["the domain's own delegation is its registry's", 'write a name below it, such as "lab"'],
  "spf.long": [
    "the text has <length> octets; one record holds <longest>",
    'name the zone, such as domain: "example.com", and it is divided',
  ],
  "spf.two-ends": ["one of the two ends the record", "take the other out"],
  "spf.lookups": [
    "<sum> look-ups of <most> (RFC 7208 §4.6.4): <own> own, <within> included, <parts> of parts",
    "write addresses in place of names, or send through fewer services",
  ],
} as const;
