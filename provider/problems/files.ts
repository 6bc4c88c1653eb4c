/** Zone files: master files (RFC 1035 §5), YAML, and where they are. */
import { meant, warning } from "./kinds";

export interface Lists {
  names: number;
  values: number;
  records: number;
  before: number;
  most: number;
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`);
const after = (count: number): string => (count === 0 ? "" : ` after ${count} of others`);
const lists = (p: Lists): string =>
  `${counted(p.names, "name")} and ${counted(p.values, "value")} make ${p.records} records`;

export const files = {
  "directive.indented": (p: { name: string }) =>
    `${p.name} begins with white space; write it at the start of its line`,
  "time.unfit": (p: { given: string }) =>
    `${p.given} is no time; write seconds, or units such as 1h30m (w, d, h, m, s)`,
  "include.no-files": () =>
    `$INCLUDE needs files, and there is only this text; put the records of the other file here`,
  "include.itself": (p: { file: string; chain: string }) =>
    `${p.file} includes itself: ${p.chain}; take one $INCLUDE out`,
  "include.deep": (p: { most: number }) =>
    `files include files more than ${p.most} levels deep; include fewer from one another`,
  "include.many": (p: { most: number }) => `more than ${p.most} files are included; put some together`,
  "include.empty": (p: { file: string }) =>
    `${p.file} is empty; write its records anew, or a comment where it is to have none`,
  "include.comments": warning((p: { file: string }) => `${p.file} holds comments only, and no record`),
  "generate.form": () =>
    `$GENERATE needs a range, a name, a type and data, such as "$GENERATE 1-9 host$ A 192.0.2.$"`,
  "generate.ambiguous": warning(
    () =>
      `the text in quotes is one text here, and BIND reads its words and joins them; write "\\"…\\"" where others read the file as well`,
  ),

  "name.quoted": (p: { given: string }) => `${p.given} is in quotes, but a name is needed; take them away`,
  "name.no-dot": warning(
    (p: { given: string; host: string; written: string }) =>
      `${p.given} has no dot at the end, so it is ${p.host}.; write "${p.written}." where that is meant`,
  ),
  "name.escape": (p: { given: string }) =>
    `${p.given} has an escaped character that no name of the service holds`,
  "line.escape": () => "the line's name has a broken escape",
  "line.missing": () => `the line's name is missing; write it after "line=", or take the comment out`,
  "line.quotes": (p: { given: string }) =>
    `${p.given} is no line's name; put the whole name into quotes, and write quotes inside it as \\"`,

  "generate.range": (p: { given: string }) =>
    `${p.given} is no range; write two numbers, the smaller first, and perhaps a step: "1-9" or "0-100/2"`,
  "generate.long": (p: { most: number }) => `makes more than ${p.most} characters; write a shorter template`,
  "generate.modifier": (p: { given: string }) =>
    `${p.given} is not \${offset,width,base} with a base of d, o, x or X; write such as \${0,3,d}`,
  "generate.negative": (p: { given: string; value: number; number: number }) =>
    `${p.given} makes ${p.value} of ${p.number}; a name holds no number below zero`,

  "data.missing": (p: { type: string; form: string }) =>
    `the data is missing; a record of type ${p.type} needs ${p.form}`,
  "data.generic": (p: { type: string }) =>
    `\\# begins data in hexadecimal digits (RFC 3597), which the service does not take; write it as ${p.type} data`,
  "data.quoted": (p: { given: string }) => `${p.given} is in quotes, but quotes are for text; take them away`,
  "text.alone": () =>
    `text in quotes alone is no record; write one such as "www 600 IN A 192.0.2.1", or, where it goes on with the record above, put all texts of that one into parentheses: ( "one" "two" )`,
  "text.octets": () => "the octets of the escapes are no UTF-8 text, and the service keeps text only",
  "text.cut": warning(
    () =>
      'the text ends before the ";", which begins a comment here; write the text in quotes where it is meant',
  ),
  "text.joined": warning(
    () =>
      "words without quotes are joined without spaces (RFC 1035 §3.3.14); write the text in quotes where they are meant",
  ),
  "text.string": warning(
    (p: { octets: number; most: number }) =>
      `the string has ${p.octets} octets, and other name servers refuse one of more than ${p.most} (RFC 1035 §3.3); divide it: several strings are joined without a space`,
  ),

  "file.no-zone": (p: { file: string }) =>
    `${p.file} is no zone file: no line of it is a directive, or has a record type; name another file`,
  "file.more-problems": (p: { count: number }) =>
    `${p.count.toLocaleString("en-US")} more problems of this file are not listed; correct those above first`,
  "file.more-warnings": warning(
    (p: { count: number }) => `${p.count.toLocaleString("en-US")} more warnings of this file are not listed`,
  ),
  "path.hidden": (p: { path: string }) =>
    `${p.path} is a hidden file, or in a hidden folder, where no zone file is read; give it a name without the dot at its beginning`,
  "file.carriage-return": () =>
    "the line ends with a carriage return alone, so that a name server reads on; save the file with the line ends of Unix or Windows",
  "record.no-owner": () =>
    "the record begins with white space, so its name is that of the record above, but there is none; write the name",
  "class.unfit": (p: { given: string }) =>
    `${p.given} is a class that the service does not have; write IN, or leave the class out`,
  "record.parts": () => 'a name, a type and data are needed; write a record such as "www 600 IN A 192.0.2.1"',
  "soa.place": () => "an SOA record stands at the apex of a zone only; take it out",
  "line.already": (p: { given: string }) =>
    `the record is on line ${p.given} already; write a record for each line`,
  "line.stray": warning(
    () => "this comment declares a line, but stands on no record; write it behind the record's data",
  ),
  "type.quoted": (p: { given: string }) => `${p.given} is in quotes, but a type is needed; take them away`,
  "type.number": (p: { given: string }) =>
    `${p.given} is a type by its number (RFC 3597), which the service does not take; write the type's name, such as A`,
  "type.indented": (p: { given: string }) =>
    `${p.given} is no record type; take the white space before it away where it is the record's name`,
  "type.unlisted-meant": (p: { given: string; meant: string }) =>
    `${p.given} is no type that zone files have; did you mean ${p.meant}?`,
  "type.unlisted": (p: { given: string; known: string }) =>
    `${p.given} is no type that zone files have; write one such as ${p.known}, and a type of the service's own in a YAML file`,

  "parenthesis.unopened": () => 'a ")" closes nothing; open it before, or take it out',
  "parenthesis.unclosed": () => 'this "(" is never closed; write ")" after the last word of the record',
  "quote.unclosed": () =>
    `this quote is never closed; a quoted text ends on its own line, and a quote inside it is written \\"`,
  "escape.octet": () =>
    `a backslash before a digit begins an octet of three digits, \\000 to \\255 (RFC 1035 §5.1)`,
  "escape.end": () => "a backslash ends the line; take it out: parentheses carry a record over lines",

  "yaml.zone": (p: { kind: string }) =>
    `${p.kind} is no zone; write "records:" and below it a list of records`,
  "yaml.no-records": () => 'records is missing; write "records:" and below it a list of records',
  "yaml.empty": () =>
    `the file holds no record at all; write it anew, or declare \`records: []\` where the zone is to be empty`,
  "yaml.second-document": () =>
    "a second document begins here; a zone is one document, without lines of three dashes",
  "yaml.domain": (p: { kind: string; domain: string }) =>
    `${p.kind} is no domain; write the zone's name, such as ${p.domain}, or leave the field out`,
  "yaml.other-domain": (p: { given: string; domain: string }) =>
    `the file is for ${p.given}, but the zone is ${p.domain}; correct one of them`,
  "yaml.list": (p: { kind: string }) => `${p.kind} is no list of records; write each record after a dash`,
  "yaml.record": (p: { kind: string }) =>
    `${p.kind} is no record; write { name: www, type: A, value: 192.0.2.1 } or a line such as "www A 192.0.2.1"`,
  "text.line-feed": warning(
    () => `the text ends with a line feed, which the block adds; write |- or >- without it`,
  ),
  "yaml.half-character": (p: { kind: string }) =>
    `${p.kind} holds half a character (a lone surrogate), which UTF-8 does not have; write the whole character`,
  "yaml.alias": (p: { word: string; given: string }) =>
    `${p.word} is an alias in YAML; write what it stands for, and a wildcard in quotes: ${p.given}`,

  "yaml.deep": () => "lists and maps are nested too deeply; write a plain list of records",
  "yaml.keys": (p: { most: number }) => `a map has more than ${p.most} keys; a record has six`,
  "yaml.tag": (p: { given: string }) =>
    `${p.given} is a tag in YAML, and tags mean nothing in a zone; take it away`,

  "include.yaml": (p: { name: string }) =>
    `${p.name} is a YAML file, and $INCLUDE reads master files; declare it on its own`,
  "file.no-records": (p: { path: string }) =>
    `${p.path} holds no record at all; write it anew, or declare \`records: []\` where the zone is to be empty`,
  "path.octet": () => "a path holds no octet 0; correct it",
  "path.outside": (p: { path: string; root: string }) =>
    `${p.path} lies outside of the repository's root (${p.root}), where no zone file is read; move the file into it`,
  "path.link": (p: { path: string; root: string }) =>
    `${p.path} is a symbolic link that leads out of the repository's root (${p.root}), where no zone file is read; put the file itself there`,
  "path.no-file": (p: { path: string }) => `${p.path} is no file; name the zone file itself`,
  "file.large": (p: { path: string; size: number; most: number }) =>
    `${p.path} has ${p.size} octets, and zone files are read up to ${p.most} octets together; divide the zone`,
  "file.unreadable": (p: { path: string; code: string }) =>
    `${p.path} could not be read (${p.code}); check its permissions`,
  "file.utf16": () => "is UTF-16; save it as UTF-8",
  "file.utf8": (p: { line: number }) => `is no UTF-8 text (line ${p.line}); save it as UTF-8`,

  "apex-ns.unfit": (p: { given: string }) =>
    `${p.given} is neither true nor false; write true to declare the NS records of the domain itself, or leave it out`,
  "source.none": () => `name a zone file, such as "zones/example.com.zone", or declare \`records\``,
  "source.domain": () => "write the domain as plain text: it decides how the file is read",
  "include.in-text": () =>
    `a text includes no file; declare the zone by \`file\`, or put the text of the file in its place`,
  "source.no-records": () =>
    `it holds no record at all; write it anew, or declare \`records: []\` where the zone is to be empty`,
  "name.other-zone": (p: { given: string; host: string | undefined; domain: string }) =>
    `${p.given}${p.host === undefined ? "" : ` is ${p.host}, which`} does not lie in ${p.domain}; declare it in the file of its own zone, or take it out`,
  "data.form": (p: { type: string; form: string; count: number; parenthesis: boolean }) =>
    `a record of type ${p.type} needs ${p.form}, and here ${p.count === 1 ? "is" : "are"} ${counted(p.count, "word")}${p.parenthesis ? "; look for a parenthesis that is missing" : ""}`,
  "soa.serial": (p: { given: string }) => `${p.given} is no serial number, from 0 to 4294967295`,
  "soa.time": (p: { given: string }) =>
    `${p.given} is no time; an SOA record ends with refresh, retry, expire and minimum`,
  "directive.unknown": (p: { given: string; guess: string | undefined; known: string }) =>
    `${p.given} is no directive; ${meant(p.guess, `zone files have ${p.known}`)}`,
  "origin.form": () => '$ORIGIN needs a name, such as "$ORIGIN example.com."',
  "ttl.form": () => '$TTL needs a time, such as "$TTL 600" or "$TTL 1h"',
  "include.form": () => '$INCLUDE needs a file and perhaps an origin, such as "$INCLUDE hosts.zone"',
  "generate.records": (p: { given: string; records: number; before: number; most: number }) =>
    `${p.given} makes ${p.records} records${after(p.before)}, and the $GENERATE lines of a zone make at most ${p.most} together; write shorter ranges`,
  "generate.characters": (p: { records: number; characters: number; before: number; most: number }) =>
    `the ${p.records} records have ${p.characters} characters${after(p.before)}, and the $GENERATE lines of a zone make at most ${p.most} together; write shorter templates`,
  "lists.records": (p: Lists) =>
    `${lists(p)}${after(p.before)}, and the lists of a file make at most ${p.most} together; write shorter lists`,
  "lists.characters": (p: Lists & { characters: number }) =>
    `${lists(p)} of ${p.characters} characters${after(p.before)}, and the lists of a file make at most ${p.most} together; write shorter lists`,
  "yaml.field": (p: { given: string; guess: string | undefined; known: string }) =>
    `unknown field ${p.given}; ${meant(p.guess, `a zone has ${p.known}`)}`,
  "yaml.syntax": (p: { said: string; quotes: boolean }) =>
    `this is no YAML: ${p.said}${p.quotes ? '; put it into quotes, such as "@" for the apex' : ""}`,
  "path.missing": (p: { path: string; from: string | undefined }) =>
    `there is no file ${p.path}; correct the path${p.from === undefined ? "" : `, which begins at ${p.from}`}`,
  "source.several": (p: { ways: readonly string[] }) => {
    const two = p.ways.length === 2;
    return `${p.ways.join(", ")}: one of ${two ? "the two" : "them"} declares the zone; take the other${two ? "" : "s"} out`;
  },
  "source.kind": (p: { way: string }) =>
    `write ${p.way === "file" ? "the path of a zone file" : "the text of a zone file"} as plain text`,
};
