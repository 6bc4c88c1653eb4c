/** Records in inputs and zone files. */
import { warning } from "./kinds";

export const records = {
  "field.missing": ["missing", "write <example>"],
  "field.kind": ["<kind> is not <what>", "write <example>"],
  "field.unknown": ["unknown field", "<hint>"],
  "field.several": ["only one of them can be set", "remove the others"],
  "value.empty": ["empty", "write <example>"],
  "value.unfit": ["<given> is not <what>", "write <example>"],
  "value.pending": ["<what> is not known yet", "use <lookup>Output, which waits for it"],
  "value.unusual": warning("<what>: the service may refuse it"),
  "number.unfit": ["<given> is not a whole number from <low> to <high>"],
  "word.unknown": ["<given> is not valid", "<hint>"],
  "word.quoted": ["<given> is in quotes", "remove them: only texts have quotes"],
  "output.as-text": [
    "the text contains an output instead of its value",
    "write pulumi.interpolate`…` or output.apply(…), in Python pulumi.Output.format",
  ],

  "domain.unfit": ["is not a domain", 'write the zone\'s name, such as "example.com"'],
  "domain.unknown": [
    "not known yet, but the preview needs it",
    "declare the records as Record, whose domain may be known later",
  ],
  "domains.nested": ["<domain> is inside <parent> (<at>)", "declare them in two batches"],

  "name.stars": ['has "*" outside a wildcard label', 'write a wildcard as "*" or "*.name"'],
  "name.long": ["is too long", "use at most 63 octets per label and 253 per name (RFC 1035 §2.3.4)"],
  "name.number": ["ends in a number, as no DNS name does", "write the whole address or the whole name"],
  "name.absolute-in-many": [
    "is absolute, but the batch has <count> domains",
    'write it relative, such as "www" or "@"',
  ],
  "name.outside": ["is outside <zones>", "write a relative name, or declare it with its own domain"],
  "name.repeats-domain": ["repeats the domain", "write <relative> for <name>."],
  "label.unfit": [
    "has an invalid label, number <number>",
    "use letters, digits, underscores and inner hyphens, or IDNA (RFC 5891)",
  ],

  "type.soa": ["the service makes the SOA record itself", "remove it"],
  "type.unknown": ["is not a record type", "<hint>"],
  "type.unchecked": warning("this provider does not check records of type <given>"),

  "ttl.unfit": [
    "<given> is not a TTL",
    'write seconds from 1 to 2147483647, a time such as "1h", or "default"',
  ],

  "line.parts": ["a record needs a name, a type and data", 'write a line such as "www 600 A 192.0.2.1"'],
  "line.name": [
    "the line's name is empty or broken",
    'write line="NAME" after the data, with inner quotes as \\"',
  ],
  "line.two": ["the record has two lines", "write one record per line"],

  "record.twice": ["<what> is also declared <where>", "declare it once"],
  "record.unwanted": [
    "declared records match a pattern of `absent`",
    "remove them from the program, or change the pattern",
  ],
  "cname.beside": [
    "the CNAME of <where> excludes other data at the same name",
    "remove the CNAME or the other data",
  ],
  "cname.apex": warning(
    "a CNAME at the apex of <domain> hides its NS, MX and TXT data",
    "use A and AAAA records",
  ),

  "address.unfit": ["<given> is not an IPv<family> address", "write one such as <example>"],
  "address.family": ["<given> is an IPv<family> address", "use type <use>"],
  "host.unfit": ["<given> is not a full host name", 'write one such as "host.example.com."'],
  "host.address": [
    "<given> is an address, and <type> needs a host name",
    "write the name, or use type <use>",
  ],
  "data.form": ["<given> is not valid <type> data", "write <form>"],
  "priority.needless": ["a record of type <type> has no priority", "remove it, or use type MX"],
  "priority.twice": ["the priority is <given> here, and <written> in the value", "write it once"],
  "caa.tag-unknown": warning("<given> is not a registered CAA tag", "<hint>"),
  "text.half-character": [
    "the text contains half a character (a lone surrogate)",
    "write the whole character",
  ],
  "text.quotes": ["<given> is not a quoted text", 'close every quote, and write inner quotes as \\"'],
  "text.changed": ["the service strips quotes and white space from the ends of a text", "remove them"],
  "text.too-long": ["the text has <octets> octets", "use at most <most> (RFC 1035 §3.3)"],
  "builder.secret": [
    "a builder cannot make this record from its secret",
    "call it with a plain text to see why",
  ],
} as const;
