/** Zone files and their paths. */
import { warning } from "./kinds";

export const files = {
  "include.unfit": [
    "$INCLUDE works only in a file",
    "write the records here, or declare the other file on its own",
  ],
  "include.deep": [
    "<file> includes itself, or is over 10 levels deep, or comes after 1,000 files",
    "remove an $INCLUDE",
  ],
  "include.comments": warning("<file> contains only comments"),

  "name.no-dot": warning("<given> has no final dot, so it means <host>.", 'if not, write "<written>."'),
  "data.generic": [
    "<given> is RFC 3597 data, which the service does not accept",
    "write the type's name and its data",
  ],
  "text.alone": ["a quoted text alone is not a record", "put the texts of one record into parentheses"],
  "text.octets": ["the escapes are not UTF-8 text", "write the text itself"],
  "text.unquoted": warning(
    "unquoted text loses its spaces, and everything after a semicolon",
    "write the text in quotes",
  ),
  "text.string": warning(
    "a string has <octets> octets, and other servers accept 255 (RFC 1035 §3.3)",
    "split it: several strings are joined",
  ),

  "file.no-zone": [
    "<file> does not read as a zone file",
    "name another file; an octoDNS file is converted by pulumi-legacydns convert",
  ],
  "file.empty": ["<file> has no records", "write its records, or declare `records: []` for an empty zone"],
  "file.more-problems": ["<count> more problems in this file", "correct those above first"],
  "file.more-warnings": warning("<count> more warnings in this file"),
  "file.carriage-return": [
    "the line ends with a carriage return alone",
    "save the file with Unix or Windows line ends",
  ],
  "file.utf8": ["is not UTF-8 text (line <line>)", "save it as UTF-8"],
  "file.many": ["the zone has over <most> entries, with its included files", "split the zone"],
  "file.large": ["<path> has <size> octets; zone files have at most <most> together", "split the zone"],
  "file.unreadable": ["<path> cannot be read (<code>)", "name a file, and check its permissions"],
  "path.missing": ["there is no file <path>", "correct the path; a relative one begins at <from>"],
  "path.refused": [
    "<path> is hidden, or outside <root>",
    "move the file into that folder, without a dot or a link in its path",
    "for a higher folder, put Pulumi.yaml into it with `main`, or run git init in it",
  ],

  "line.indented": [
    "the line begins with white space, so it continues the name above",
    "write a name or a directive at its beginning",
  ],
  "line.stray": warning("this comment sets a line, but not of a record", "write it after the record's data"),
  "soa.place": ["an SOA record belongs at the apex", "remove it"],
  "parenthesis.alone": ["a parenthesis has no partner", "write both, around the words of one record"],
  "quote.unclosed": ["this quote is never closed", 'close it on its line, and write inner quotes as \\"'],
  "escape.unfit": [
    "a backslash needs a character or an octet after it, \\000 to \\255 (RFC 1035 §5.1)",
    "write \\\\ for a backslash",
  ],
} as const;
