/** Records as programs and lines declare them: names, data, TTLs, specs, and what cannot stand together. */
import { warning } from "./kinds";

export const records = {
  "type.soa": ["SOA: the service makes this record itself", "take it out of the program"],
  "type.unfit": ["is no record type", "write one such as <known>"],
  "type.unchecked": warning(
    "<given> is a type that this provider does not know: its values go to the service unchecked, byte for byte",
  ),
  "type.unchecked-names": warning(
    "<given> is a type that this provider does not know: relative names in its values are made absolute, and the values go to the service unchecked, byte for byte",
  ),
  "text.half-character": [
    "the text holds half a character (a lone surrogate), which UTF-8 does not have",
    "take it out, or write the whole character",
  ],
  "priority.needless": ["a record of type <type> has no priority", "take it out, or use type MX"],
  "address.interface": [
    '<given> has an interface ("%…"), which means nothing in DNS',
    "write the address alone",
  ],
  "address.is-ipv4": ["<given> is an IPv4 address", "use type A"],
  "address.is-ipv6": ["<given> is an IPv6 address", "use type AAAA"],
  "address.unfit": ["<given> is no IPv<family> address", 'write one such as "<example>"'],
  "host.single-label": [
    "<given> is a single label",
    'write the whole host name, such as "host.example.com."',
  ],
  "host.root": [
    '"." is the root of the DNS, and no <type> record points there',
    'write the whole host name, such as "host.example.com."',
  ],
  "mx.form": ['<given> is not "priority host", such as "10 mx1.example.com."'],
  "mx.priority": ["<given> is no priority", "write a whole number from 0 to 65535 before the host"],
  "mx.priority-missing": [
    "is missing: an MX record needs one",
    'write priority: 10, or "10 mx1.example.com." as the value',
  ],
  "mx.priority-unusual": warning(
    "<given> lies outside 1-20, and the service may refuse it as an MX priority",
  ),
  "srv.form": [
    "<given> is no SRV value",
    'write "priority weight port host", such as "10 5 5060 sip.example.com."',
  ],
  "srv.number": ["<given> is no SRV <what>", "write a whole number from 0 to 65535"],
  "priority.twice": ["<given> is given, but the value says <written>", "write the priority once"],
  "caa.form": ['<given> is not "flags tag value", such as \'0 issue "letsencrypt.org"\''],
  "caa.flags": ["<given> is no CAA flags", "write a whole number from 0 to 255"],
  "caa.tag": ["<given> is no CAA tag", "write letters and digits, such as issue (RFC 8659 §4.1)"],
  "caa.quotes": ["<given> is no quoted text", 'write quotes inside it as \\"'],
  "text.quotes": ["<given> is no quoted text", 'close every quote, and write quotes inside the text as \\"'],
  "text.own-quotes": [
    "the text begins and ends with quotes of its own, which the service takes for quoting: its record could not be told from that of the text without them",
    "leave them out",
  ],
  "text.empty": warning(
    "the text is empty: no document of the service says that it takes an empty TXT, and it may refuse this one",
  ),
  "text.space-at-ends": [
    "the text begins or ends with white space, which the service takes away: it would list another text than the declared one",
    "leave the white space out",
  ],

  "domain.empty": ["is no domain", 'write the zone\'s name, for example "example.com"'],
  "domain.address": ["is an address", 'write the zone\'s name, for example "example.com"'],
  "domain.single-label": ["is a single label", 'write the zone\'s whole name, for example "example.com"'],
  "label.empty": ["has an empty label", "write one dot between two labels"],
  "name.stars": [
    'has a "*" beyond the one that the first label may hold',
    'write a wildcard as "*" or "*.name"',
  ],
  "label.character": ["has a character in label <number> that is no letter, digit, hyphen or underscore"],
  "label.long": ["has <octets> octets in label <number>", "a label holds at most <most> (RFC 1035 §2.3.4)"],
  "name.long": ["makes a name of <octets> octets", "a name holds at most <most> (RFC 1035 §2.3.4)"],
  "label.hyphen": [
    "has a label that begins or ends with a hyphen, which the service refuses (RFC 1123 §2.1)",
    "take that hyphen away",
  ],
  "name.number": ["ends in a number, as no name in DNS does", "write the whole address or the whole name"],
  "name.characters": ["has <length> characters", "a name holds at most <most> octets (RFC 1035 §2.3.4)"],
  "label.foreign": ["has a label (<number>) that is no internationalised name", "see IDNA (RFC 5891)"],
  "name.absolute-in-many": [
    "is absolute, but the batch covers <count> domains",
    'write it relative to each domain, such as "www" or "@"',
  ],
  "name.outside": [
    "is absolute and does not lie in <zones>",
    "declare it with its own domain, or write a relative name",
  ],

  "ttl.text": ["<given> is text", 'write <instead>, a time such as "1h" or "1d12h", or "default"'],
  "ttl.fraction": ["<given> is no TTL, which counts whole seconds", "write <instead>"],
  "ttl.kind": [
    "<kind> is no TTL",
    'write the seconds as a number, a time such as "1h" or "1d12h", or "default"',
  ],
  "ttl.zero": ["0 is no TTL that the service keeps", "write seconds from 1, or leave the TTL out"],
  "ttl.unfit": ["<given> is no TTL", "write whole seconds from 1"],
  "ttl.long": ["<given> is too long", "a TTL is at most <most> seconds (RFC 2181 §8)"],

  "line.parts": ["a name, a type and data are needed", 'write a line such as "www A 192.0.2.1"'],
  "line.ttl-or-type": [
    "<given> is neither a TTL (such as 600 or 1h) nor a record type",
    'write a line such as "www 600 A 192.0.2.1"',
  ],
  "line.quoted": [
    "the whole line is in quotes",
    'take them away and write a name, a type and data, such as "www A 192.0.2.1"',
  ],
  "line.brackets": ["the line's name in brackets is empty, or has a broken escape"],

  "line.two": ["its brackets name one line, and its comment another", "write a record for each line"],

  "field.list": ["a list is no <field>", "a Record holds one record: use RecordBatch for several"],
  "field.empty-list": ["the list is empty", "write at least one <field>, or take the record out"],
  "name.kind": ["<kind> is no name", 'write text such as "www", or "@" for the apex'],
  "type.missing": ["missing", "write a type such as A, CNAME or TXT"],
  "type.kind": ["<kind> is no type", 'write text such as "A", "CNAME" or "TXT"'],
  "line.half-character": [
    "the line's name holds half a character (a lone surrogate), which UTF-8 does not have",
    "write the whole character",
  ],
  "line.unfit": ["<given> is no line", "write the line's name, or leave it out for the default line"],
  "priority.unfit": ["<given> is no priority", "write a whole number from 0 to 65535"],
  "value.missing": ["missing", "write the record's data as text"],
  "output.empty": [
    "the output that it comes from holds nothing (<nothing>)",
    "check that resource's outputs",
  ],
  "output.as-text": [
    "an output was put into this text as if it were one, and its value is not there",
    "write pulumi.interpolate`…`, or output.apply((value) => …) (in Python: pulumi.Output.format, or apply)",
  ],
  "value.kind": ["<kind> is no value", "write the record's data as text"],
  "builder.secret": [
    "a builder cannot make this record, and what it was given is secret",
    "call it with a plain text to see why",
  ],

  "records.one": ["one record stands where a list is needed", "put it into brackets: [{ … }]"],
  "records.kind": ["<given>", "write a list of records, or a text with one record a line"],
  "domain.unknown": [
    "not known yet: a preview must know the zones of a batch",
    "declare what belongs to this one as Record, whose domain may be known later",
  ],
  "domains.none": ["the list is empty", 'write at least one zone, such as "example.com"'],
  "domains.nested": [
    "<domain> lies below <parent> (<at>), and their records' names would overlap",
    "declare them in two batches",
  ],
  "domain.missing": ["missing", 'write the zone\'s name, such as "example.com"'],
  "domain.kind": ["<kind> is no domain", 'write the zone\'s name, such as "example.com"'],
  "record.empty-line": ["an empty line is no record", 'write one such as "www A 192.0.2.1", or take it out'],
  "record.kind": [
    "<kind> is no record",
    'write { name: "www", type: "A", value: "192.0.2.1" } or a line such as "www A 192.0.2.1"',
  ],

  "type.meant": ["<given> is no record type", "did you mean <meant>?"],

  "record.twice-by-ttl": [
    "<what> is declared at <at> already, with TTL <firstTtl> there and <ttl> here",
    "a TTL makes no second record: keep one",
  ],
  "record.twice": ["<what> is declared at <at> already", "declare it once"],
  "cname.twice": ["<where> has a CNAME at <at> already", "a name has one CNAME on a line: keep one"],
  "cname.apex": warning(
    "a CNAME at the apex of <domain> hides the zone's NS, MX and TXT data from many resolvers",
    "use A and AAAA records where you can",
  ),
  "host.address": [
    "<given> is an IPv<family> address, but a record of type <type> points to a host name",
    "use type <use>, or name a host that has such a record",
  ],
  "caa.tag-unknown": warning("<given> is no CAA tag that certificate authorities know", "<hint>"),
  "text.too-long": ["the text has <octets> octets", "a TXT record holds at most <most> (RFC 1035 §3.3)"],
  "text.long": warning(
    "the text has <octets> octets: no document of the service names a limit, and it may refuse so long a TXT",
    "resolvers fetch it over TCP",
  ),
  "name.repeats-domain": ["ends in the domain itself", "write <relative> for <name>."],
  "field.unknown": ["unknown field", "<hint>"],
  "value.empty": ["the text is empty", "write the record's data"],
  "cname.beside": [
    "the CNAME of <where> excludes other data at the same name",
    "take the CNAME or the other data out",
  ],
} as const;
