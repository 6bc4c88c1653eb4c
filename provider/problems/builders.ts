/** Faults in the arguments of builders. */

export const builders = {
  "dkim.selector": ["<given> contains _domainkey", 'write the selector alone, such as "mail2026"'],
  "dkim.private": ["this is a private key", "publish the public one: openssl pkey -in KEY -pubout"],
  "dkim.key": [
    "this is not a public RSA or Ed25519 key",
    'write the whole PEM, or the text after "p=" without quotes',
  ],
  "dkim.other-kind": ["the key is <kind>, but `algorithm` is <wanted>", "correct one of them"],
  "dkim.short": ["the key has <bits> bits; receivers need <shortest> (RFC 8301 §3.2)", "make a longer one"],
  "caa.none": ['"none" excludes all others', "remove it or the others"],
  "ns.apex": ["the registry delegates the domain itself", 'write a name below it, such as "lab"'],
  "spf.long": [
    "the text has <length> octets; one record holds <longest>",
    'name the zone, such as domain: "example.com", and the builder splits it',
  ],
  "spf.lookups": [
    "<sum> look-ups; receivers stop after <most> (RFC 7208 §4.6.4)",
    "write addresses instead of names, or send through fewer services",
  ],
} as const;
