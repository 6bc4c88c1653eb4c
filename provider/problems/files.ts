/** Zone files: master files (RFC 1035 §5), YAML, and their paths. */
import { warning } from "./kinds";

export const files = {
  "directive.form": ["this is no <name>", "write one such as <example>"],
  "include.unfit": [
    "$INCLUDE reads other master files only",
    "put the records here, or declare the file on its own",
  ],
  "include.deep": [
    "<file> is included in itself, over 10 levels deep, or after 1,000 others",
    "take an $INCLUDE out",
  ],
  "include.comments": warning("<file> holds comments only, and no record"),
  "generate.unfit": [
    "<given> is no range or modifier",
    'write "0-100/2" or ${0,3,d}; the result may not be negative',
  ],
  "file.generated": ["$GENERATE or lists make more than <most>", "write shorter ranges, lists or templates"],

  "name.no-dot": warning(
    "<given> has no dot at the end, so it is <host>.",
    'write "<written>." if that is meant',
  ),
  "data.generic": [
    "<given> is the form of RFC 3597, which the service does not take",
    "write the type's name and its data",
  ],
  "text.alone": ["text in quotes alone is no record", "put the texts of one record into parentheses"],
  "text.octets": ["the octets of the escapes are no UTF-8 text", "write the text itself"],
  "text.unquoted": warning(
    "words without quotes lose their spaces, and the text after a semicolon",
    "write the text in quotes",
  ),
  "text.string": warning(
    "a string of <octets> octets: other servers take 255 (RFC 1035 §3.3)",
    "divide it: several strings are joined",
  ),
  "text.line-feed": warning(
    "the text ends with a line feed, which the block adds",
    "write |- or >- without it",
  ),
  "time.unfit": ["<given> is no time", "write seconds, or units such as 1h30m (w, d, h, m, s)"],

  "file.no-zone": ["<file> is no zone file: it has no directive and no record type", "name another file"],
  "file.empty": ["<file> holds no record", "write its records, or declare `records: []` for an empty zone"],
  "file.more-problems": ["<count> more problems of this file are not listed", "correct those above first"],
  "file.more-warnings": warning("<count> more warnings of this file are not listed"),
  "file.carriage-return": [
    "the line ends with a carriage return alone",
    "save the file with the line ends of Unix or Windows",
  ],
  "file.utf8": ["is no UTF-8 text (line <line>)", "save it as UTF-8"],
  "file.large": ["<path> has <size> octets; zone files have at most <most> together", "divide the zone"],
  "file.unreadable": ["<path> cannot be read (<code>)", "name a file, and check its permissions"],
  "path.missing": ["there is no file <path>", "correct the path; a relative one begins at <from>"],
  "path.refused": [
    "<path> is hidden, or leads out of <root>",
    "move the file into that folder, without a dot or a link in its path",
  ],
  "source.several": ["<ways>: one of them declares the zone", "take the others out"],

  "line.indented": [
    "the line begins with white space, so it continues the name above",
    "write a name or a directive without white space before it",
  ],
  "line.stray": warning(
    "this comment declares a line, but stands on no record",
    "write it behind the record's data",
  ),
  "class.unfit": ["<given> is a class that the service does not have", "write IN, or leave the class out"],
  "soa.place": ["an SOA record stands at the apex of a zone only", "take it out"],
  "parenthesis.alone": ["a parenthesis has no partner", "write both around the words of one record, or none"],
  "quote.unclosed": [
    "this quote is never closed",
    'close it on its line, and write a quote inside it as \\"',
  ],
  "escape.unfit": [
    "a backslash stands before a character or an octet, \\000 to \\255 (RFC 1035 §5.1)",
    "write \\\\ for a backslash",
  ],

  "yaml.records": ["there is no list of records", 'write "records:" and below it a list of records'],
  "yaml.other-domain": ["the file is for <given>, but the zone is <domain>", "correct one of them"],
  "yaml.alias": ["<word> is an alias in YAML", "write what it stands for, and a wildcard in quotes: <given>"],
  "yaml.unfit": ["a zone is a plain list of records, without <what>", "take it away"],
  "yaml.syntax": [
    "this is no YAML: <detail>",
    'put special characters into quotes, such as "@" for the apex',
  ],
} as const;
