/** Inputs and zone files alike: names, data, TTLs, specs, and records that exclude each other. */
import { warning } from "./kinds";

export const records = {
  "field.missing": ["missing", "write <example>"],
  "field.kind": ["<kind> is no <field>", "write text such as <example>"],
  "field.unknown": ["unknown field", "<hint>"],
  "field.list": ["a list is no <field>", "use RecordBatch for several records"],
  "value.empty": ["an empty text", "write the record's data, or take it out"],
  "value.unfit": ["<given> is no <what>", "write one such as <example>"],
  "value.unusual": warning("<what>: the service may refuse it"),
  "number.unfit": ["<given> is no whole number from <low> to <high>"],
  "word.unfit": ["<given> is not one of <words>"],
  "word.unknown": ["<given> is unknown", "<hint>"],
  "word.quoted": ["<given> is in quotes", "take them away: quotes are for data that is text"],
  "list.empty": ["the list is empty", "write at least one <field>"],
  "list.needed": ["<kind> is no list", "write a list such as <example>"],
  "object.needed": ["<kind> is no object", "write { <names> }"],
  "output.as-text": [
    "an output is in this text, and its value is not",
    "write pulumi.interpolate`…` or output.apply(…), in Python pulumi.Output.format",
  ],

  "domain.unfit": ["is no domain", 'write the zone\'s name, such as "example.com"'],
  "domain.unknown": [
    "not known yet, but a preview needs the zones of a batch",
    "declare its records as Record, whose domain may be known later",
  ],
  "domains.nested": ["<domain> lies below <parent> (<at>)", "declare them in two batches"],

  "name.stars": ['has a "*" outside of a wildcard', 'write a wildcard as "*" or "*.name"'],
  "name.long": ["is too long", "a label holds 63 octets, a name 253 (RFC 1035 §2.3.4)"],
  "name.number": ["ends in a number, as no name in DNS does", "write the whole address or the whole name"],
  "name.absolute-in-many": [
    "is absolute, but the batch has <count> domains",
    'write it relative, such as "www" or "@"',
  ],
  "name.outside": ["does not lie in <zones>", "write a relative name, or declare it with its own domain"],
  "name.repeats-domain": ["ends in the domain itself", "write <relative> for <name>."],
  "label.empty": ["has an empty label", "write one dot between two labels"],
  "label.unfit": [
    "has an illegal character or hyphen in label <number>",
    "write letters, digits, hyphens inside and underscores; or see IDNA (RFC 5891)",
  ],

  "type.soa": ["SOA: the service makes this record itself", "take it out of the program"],
  "type.unknown": ["is no record type", "<hint>"],
  "type.unchecked": warning("<given> is a type that this provider does not check"),

  "ttl.unfit": ["<given> is no TTL", 'write whole seconds from 1, a time such as "1h", or "default"'],
  "ttl.long": ["<given> is too long", "a TTL is at most <most> seconds (RFC 2181 §8)"],

  "line.parts": ["a name, a type and data are needed", 'write a line such as "www 600 A 192.0.2.1"'],
  "line.name": [
    "the line's name is empty, or has a broken quote or escape",
    'write line="NAME" behind the data, with quotes inside it as \\"',
  ],
  "line.two": ["the record is on two lines", "write a record for each line"],

  "record.kind": [
    "<kind> is no record",
    'write { name: www, type: A, value: 192.0.2.1 }, or "www A 192.0.2.1"',
  ],
  "record.twice": ["<what> is declared <where> as well", "declare it once"],
  "cname.beside": [
    "the CNAME of <where> excludes other data at the same name",
    "take the CNAME or the other data out",
  ],
  "cname.apex": warning(
    "a CNAME at the apex of <domain> hides its NS, MX and TXT data",
    "use A and AAAA records",
  ),

  "address.unfit": ["<given> is no IPv<family> address", "write one such as <example>"],
  "address.family": ["<given> is an IPv<family> address", "use type <use>"],
  "host.unfit": ["<given> is no whole host name", 'write one such as "host.example.com."'],
  "host.address": ["<given> is an address, and <type> needs a host", "write its name, or use type <use>"],
  "data.form": ["<given> is no <type> data", "write <form>"],
  "priority.needless": ["a record of type <type> has no priority", "take it out, or use type MX"],
  "priority.twice": ["<given> is given, but the value says <written>", "write the priority once"],
  "caa.tag-unknown": warning("<given> is no CAA tag that certificate authorities know", "<hint>"),
  "text.half-character": ["the text holds half a character (a lone surrogate)", "write the whole character"],
  "text.quotes": ["<given> is no quoted text", 'close every quote, and write quotes inside it as \\"'],
  "text.changed": ["the service takes quotes and white space off the ends of a text", "leave them out"],
  "text.too-long": ["the text has <octets> octets", "a TXT record holds at most <most> (RFC 1035 §3.3)"],
  "builder.secret": [
    "a builder cannot make this record from its secret",
    "call it with a plain text to see why",
  ],
} as const;
