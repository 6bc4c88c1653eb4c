/** Zone files: master files (RFC 1035 §5), YAML, and their paths. */
import { warning } from "./kinds";

export const files = {
  "directive.indented": ["<name> begins with white space", "write it at the start of its line"],
  "time.unfit": ["<given> is no time", "write seconds, or units such as 1h30m (w, d, h, m, s)"],
  "include.no-files": [
    "$INCLUDE needs files, and there is only this text",
    "put the records of the other file here",
  ],
  "include.itself": ["<file> includes itself: <chain>", "take one $INCLUDE out"],
  "include.deep": ["files include files more than <most> levels deep", "include fewer from one another"],
  "include.many": ["more than <most> files are included", "put some together"],
  "include.empty": ["<file> is empty", "write its records anew, or a comment where it is to have none"],
  "include.comments": warning("<file> holds comments only, and no record"),
  "generate.form": [
    '$GENERATE needs a range, a name, a type and data, such as "$GENERATE 1-9 host$ A 192.0.2.$"',
  ],

  "name.quoted": ["<given> is in quotes, but a name is needed", "take them away"],
  "name.no-dot": warning(
    "<given> has no dot at the end, so it is <host>.",
    'write "<written>." where that is meant',
  ),
  "name.escape": ["<given> has an escaped character that no name of the service holds"],
  "line.escape": ["the line's name has a broken escape"],
  "line.missing": ["the line's name is missing", 'write it after "line=", or take the comment out'],
  "line.quotes": [
    "<given> is no line's name",
    'put the whole name into quotes, and write quotes inside it as \\"',
  ],

  "generate.range": [
    "<given> is no range",
    'write two numbers, the smaller first, and perhaps a step: "1-9" or "0-100/2"',
  ],
  "generate.long": ["makes more than <most> characters", "write a shorter template"],
  "generate.modifier": [
    "<given> is not ${offset,width,base} with a base of d, o, x or X",
    "write such as ${0,3,d}",
  ],
  "generate.negative": ["<given> makes <value> of <number>", "a name holds no number below zero"],

  "data.missing": ["the data is missing", "a record of type <type> needs <form>"],
  "data.generic": [
    "\\# begins data in hexadecimal digits (RFC 3597), which the service does not take",
    "write it as <type> data",
  ],
  "data.quoted": ["<given> is in quotes, but quotes are for text", "take them away"],
  "text.alone": [
    "text in quotes alone is no record",
    'write one such as "www 600 IN A 192.0.2.1", or, where it goes on with the record above, put all texts of that one into parentheses: ( "one" "two" )',
  ],
  "text.octets": ["the octets of the escapes are no UTF-8 text, and the service keeps text only"],
  "text.cut": warning(
    'the text ends before the ";", which begins a comment here',
    "write the text in quotes where it is meant",
  ),
  "text.joined": warning(
    "words without quotes are joined without spaces (RFC 1035 §3.3.14)",
    "write the text in quotes where they are meant",
  ),
  "text.string": warning(
    "the string has <octets> octets, and other name servers refuse one of more than <most> (RFC 1035 §3.3)",
    "divide it: several strings are joined without a space",
  ),

  "file.no-zone": [
    "<file> is no zone file: no line of it is a directive, or has a record type",
    "name another file",
  ],
  "file.more-problems": ["<count> more problems of this file are not listed", "correct those above first"],
  "file.more-warnings": warning("<count> more warnings of this file are not listed"),
  "path.hidden": [
    "<path> is a hidden file, or in a hidden folder, where no zone file is read",
    "give it a name without the dot at its beginning",
  ],
  "file.carriage-return": [
    "the line ends with a carriage return alone, so that a name server reads on",
    "save the file with the line ends of Unix or Windows",
  ],
  "record.no-owner": [
    "the record begins with white space, so its name is that of the record above, but there is none",
    "write the name",
  ],
  "class.unfit": ["<given> is a class that the service does not have", "write IN, or leave the class out"],
  "record.parts": ["a name, a type and data are needed", 'write a record such as "www 600 IN A 192.0.2.1"'],
  "soa.place": ["an SOA record stands at the apex of a zone only", "take it out"],
  "line.already": ["the record is on line <given> already", "write a record for each line"],
  "line.stray": warning(
    "this comment declares a line, but stands on no record",
    "write it behind the record's data",
  ),
  "type.quoted": ["<given> is in quotes, but a type is needed", "take them away"],
  "type.number": [
    "<given> is a type by its number (RFC 3597), which the service does not take",
    "write the type's name, such as A",
  ],
  "type.indented": [
    "<given> is no record type",
    "take the white space before it away where it is the record's name",
  ],
  "type.unlisted-meant": ["<given> is no type that zone files have", "did you mean <meant>?"],
  "type.unlisted": [
    "<given> is no type that zone files have",
    "write one such as <known>, and a type of the service's own in a YAML file",
  ],

  "parenthesis.unopened": ['a ")" closes nothing', "open it before, or take it out"],
  "parenthesis.unclosed": ['this "(" is never closed', 'write ")" after the last word of the record'],
  "quote.unclosed": [
    "this quote is never closed",
    'a quoted text ends on its own line, and a quote inside it is written \\"',
  ],
  "escape.octet": [
    "a backslash before a digit begins an octet of three digits, \\000 to \\255 (RFC 1035 §5.1)",
  ],
  "escape.end": ["a backslash ends the line", "take it out: parentheses carry a record over lines"],

  "yaml.zone": ["<kind> is no zone", 'write "records:" and below it a list of records'],
  "yaml.no-records": ["records is missing", 'write "records:" and below it a list of records'],
  "yaml.empty": [
    "the file holds no record at all",
    "write it anew, or declare `records: []` where the zone is to be empty",
  ],
  "yaml.second-document": [
    "a second document begins here",
    "a zone is one document, without lines of three dashes",
  ],
  "yaml.domain": ["<kind> is no domain", "write the zone's name, such as <domain>, or leave the field out"],
  "yaml.other-domain": ["the file is for <given>, but the zone is <domain>", "correct one of them"],
  "yaml.list": ["<kind> is no list of records", "write each record after a dash"],
  "text.line-feed": warning(
    "the text ends with a line feed, which the block adds",
    "write |- or >- without it",
  ),
  "yaml.half-character": [
    "text holds half a character (a lone surrogate), which UTF-8 does not have",
    "write the whole character",
  ],
  "yaml.alias": ["<word> is an alias in YAML", "write what it stands for, and a wildcard in quotes: <given>"],

  "yaml.deep": ["lists and maps are nested too deeply", "write a plain list of records"],
  "yaml.keys": ["a map has more than <most> keys", "a record has six"],
  "yaml.tag": ["<given> is a tag in YAML, and tags mean nothing in a zone", "take it away"],

  "include.yaml": ["<name> is a YAML file, and $INCLUDE reads master files", "declare it on its own"],
  "file.no-records": [
    "<path> holds no record at all",
    "write it anew, or declare `records: []` where the zone is to be empty",
  ],
  "path.octet": ["a path holds no octet 0", "correct it"],
  "path.outside": [
    "<path> lies outside of the repository's root (<root>), where no zone file is read",
    "move the file into it",
  ],
  "path.link": [
    "<path> is a symbolic link that leads out of the repository's root (<root>), where no zone file is read",
    "put the file itself there",
  ],
  "path.no-file": ["<path> is no file", "name the zone file itself"],
  "file.large": [
    "<path> has <size> octets, and zone files are read up to <most> octets together",
    "divide the zone",
  ],
  "file.unreadable": ["<path> could not be read (<code>)", "check its permissions"],
  "file.utf16": ["is UTF-16", "save it as UTF-8"],
  "file.utf8": ["is no UTF-8 text (line <line>)", "save it as UTF-8"],

  "apex-ns.unfit": [
    "<given> is neither true nor false",
    "write true to declare the NS records of the domain itself, or leave it out",
  ],
  "source.none": ['name a zone file, such as "zones/example.com.zone", or declare `records`'],
  "source.domain": ["write the domain as plain text: it decides how the file is read"],
  "include.in-text": [
    "a text includes no file",
    "declare the zone by `file`, or put the text of the file in its place",
  ],
  "source.no-records": [
    "it holds no record at all",
    "write it anew, or declare `records: []` where the zone is to be empty",
  ],
  "name.other-zone": [
    "<given> does not lie in <domain>",
    "declare it in the file of its own zone, or take it out",
  ],
  "data.form": [
    "a record of type <type> has <count> words here",
    "write <form>; look for a missing word or parenthesis",
  ],
  "directive.unknown": ["<given> is no directive", "<hint>"],
  "origin.form": ['$ORIGIN needs a name, such as "$ORIGIN example.com."'],
  "ttl.form": ['$TTL needs a time, such as "$TTL 600" or "$TTL 1h"'],
  "include.form": ['$INCLUDE needs a file and perhaps an origin, such as "$INCLUDE hosts.zone"'],
  "generate.records": [
    "<records> records are too many: $GENERATE lines and lists of a zone make at most <most> together",
    "write shorter ones",
  ],
  "generate.characters": [
    "<records> records have <characters> characters, and $GENERATE lines and lists of a zone make at most <most> together",
    "write shorter ones",
  ],
  "yaml.field": ["unknown field <given>", "<hint>"],
  "yaml.syntax": [
    "this is no YAML: <detail>",
    'put texts with special characters into quotes, such as "@" for the apex',
  ],
  "path.missing": ["there is no file <path>", "correct the path; a relative one begins at <from>"],
  "source.several": ["<ways>: one of them declares the zone", "take the others out"],
  "source.kind": ["<way> is no plain text", "write the path of a zone file, or its text, as plain text"],
} as const;
