/** Options and inputs of resources. */

export const inputs = {
  "lookup.outside": [
    "is absolute and does not lie in <zones>",
    "look it up in its own domain, or write a relative name",
  ],
  "shares.unfit": ["write a list of { email, mode, subDomain?, from? }"],
  "share.of-zone": ["a share of a zone is one of the zone's domain", "take it out, or declare a DomainShare"],
  "pattern.type": ["<given>: <type> is no record type", "did you mean <meant>?"],
  "pattern.unfit": [
    "<given> is no pattern",
    'write a name such as "_acme-challenge*", or a name and a type such as "* TXT"',
  ],

  "checks.kind": [
    "<kind> says no level",
    'write note, warn, refuse or off, or levels by code such as "warn, mx-cname=refuse, ttl-long=off"',
  ],
  "checks.json": [
    "its text is no JSON object",
    'write note, warn, refuse or off, or levels by code such as "warn, mx-cname=refuse, ttl-long=off"',
  ],
  "checks.level": [
    "<given> is no level of <of>",
    'write note, warn, refuse or off, or levels by code such as "warn, mx-cname=refuse, ttl-long=off"',
  ],

  "removal.unfit": [
    "<given> is no way of removal",
    'write "verify" (an error while the record is live), "retain" (the record stays) or "delete" (with undocumentedOperations: it is removed)',
  ],
  "adopt.unfit": ["<given> is neither true nor false"],
  "undeclared.unfit": ['<given> is not one of "ignore" (the default), "report" and "remove"'],
  "ignore.unfit": ['write a list of patterns, such as ["_acme-challenge*", "* TXT"]'],

  "share.domain": ['name the shared domain, for example "example.com"'],

  "records.rewritten": [
    "a transform has edited the text of records that are secret",
    "set `records` to specs or lines, or change the program",
  ],

  "record.elsewhere": ["<what> is declared by <resource> as well", "declare it once"],
  "cname.elsewhere": [
    "<what> cannot stand beside <other> of <resource>, since a CNAME stands alone",
    "take one of them out",
  ],
  "share.none": [
    "<domain> is shared with nobody, and the documented interface can only change a share that exists. Share it with <email> in the service's console first, then run `pulumi up` again",
  ],
  "share.elsewhere": [
    "the share of <domain> with <email> is declared by <resource> as well",
    "declare it once",
  ],

  "inputs.kind": [
    "<kind> stands where an object of inputs is needed (<names>), each of which may be an output",
  ],
  "import.option": [
    "a dynamic provider imports no resource by its id",
    "take this option out: declaring <what> that is live adopts it, without a write",
  ],
  "checks.unknown": ["<given> is no check", "<hint>"],
  "code.unknown": ["<given> is no code of a message", "<hint>"],
  "input.unknown": ["unknown input", "<hint>"],
  "share.email": [
    "<given> is no e-mail address",
    "write the one that the domain is shared with, exactly as the service's console shows it",
  ],
  "share.mode": ["<given> is no mode", 'write "r" (read only) or "rw" (read and modify)'],
  "removal.not-allowed": [
    '"delete" needs the service\'s undocumented operations',
    "allow them: <allow>",
    'or write "verify" or "retain"',
  ],
  "undeclared.not-allowed": [
    '"remove" needs the service\'s undocumented operations',
    "allow them: <allow>",
    'or write "report" to have such records named',
  ],
} as const;
