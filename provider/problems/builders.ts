/** What builders cannot make; the field stands before each. */
import { meant } from "./kinds";

export const builders = {
  "dkim.selector": (p: { given: string }) =>
    `${p.given} has _domainkey in it; write the selector alone, such as "mail2026"`,
  "dkim.text": () => "write the public key as plain text",
  "dkim.quotes": () =>
    "the text has quotes in it, as zone files and consoles show it; write the text without them",
  "dkim.private": () =>
    "this is a private key, which belongs to the mail server alone; write the public one (openssl pkey -in KEY -pubout)",
  "dkim.base64": () =>
    `this is no public key in base64; write what stands behind "p=", or the PEM file's text`,
  "dkim.no-key": () =>
    "its base64 can be read, but is no public key; it may be cut, or several strings joined in the wrong order",
  "dkim.kind": (p: { kind: string }) => `this is a key of ${p.kind}, and DKIM has rsa and ed25519`,
  "dkim.other-kind": (p: { kind: string; wanted: string }) =>
    `this is a key of ${p.kind}, and algorithm says ${p.wanted}`,
  "dkim.short": (p: { bits: number; shortest: number }) =>
    `this key has ${p.bits} bits, and receivers refuse one of less than ${p.shortest} (RFC 8301 §3.2); make a longer one`,

  "builder.text": (p: { kind: string }) => `${p.kind}, and plain text is needed`,
  "dmarc.no-policy": () => 'missing; write "none" (reports only), "quarantine" or "reject"',
  "dmarc.address": (p: { given: string }) =>
    `${p.given} is no address for reports; write one such as "dmarc@example.com"`,
  "caa.none": () => '"none" stands alone; take it or the others out',
  "caa.authority": (p: { given: string }) =>
    `${p.given} is no certificate authority; write its domain, such as "letsencrypt.org", or "none"`,
  "caa.iodef": (p: { given: string }) => `${p.given} is no address; write one such as "security@example.com"`,
  "caa.nothing": () => "nothing is said; write issue, issuewild or iodef",
  "mx.servers": () => 'write a server or a list of them, such as ["10 mx1.example.org"]',
  "mx.server": (p: { given: string }) => `${p.given} is not "priority host", such as "10 mx1.example.org"`,
  "mx.no-priority": () => "priority: missing, or no number",
  "mx.no-host": () => "host: missing, or no text",
  "srv.service": (p: { given: string }) =>
    `${p.given} is no service's name; write letters, digits and hyphens, such as "sip"`,
  "srv.no-port": () => "missing; write a whole number from 0 to 65535",
  "ns.apex": () =>
    'the domain itself is delegated by its registry, and the service keeps its NS records; write a name below it, such as "lab"',
  "ns.servers": () => 'write at least one, such as ["ns1.example.org"]',

  "builder.arguments": (p: { kind: string; names: string }) =>
    `${p.kind} stands where an object is needed: { ${p.names} }`,
  "builder.word": (p: { given: string; words: string }) => `${p.given} is not one of ${p.words}`,
  "builder.whole": (p: { given: string; low: number; high: number }) =>
    `${p.given} is not a whole number from ${p.low} to ${p.high}`,
  "builder.below": (p: { kind: string }) =>
    `${p.kind} is no name; write text such as "shop", or leave it out for the domain itself`,
  "builder.name": (p: { kind: string }) =>
    `${p.kind} is no name; write text such as "www", or "@" for the domain itself`,

  "spf.long": (p: { length: number; longest: number }) =>
    `the text has ${p.length} octets, and more than ${p.longest} belong into several records; name the zone, such as domain: "example.com", and it is divided`,
  "spf.network": (p: { given: string; family: number; example: string }) =>
    `${p.given} is no IPv${p.family} address or network; write one such as ${p.example}`,
  "spf.domain": (p: { given: string }) => `${p.given} is no domain; write one such as "_spf.example.org"`,
  "spf.no-end": () =>
    'missing; write "-all" (refuse mail from everybody else), "~all" (mark it) or "?all" (say nothing of it)',
  "spf.two-ends": () => "one of the two ends the record; take the other out",
  "builder.field": (p: { guess: string | undefined; fields: string }) =>
    `unknown field; ${meant(p.guess, `the fields are ${p.fields}`)}`,
  "builder.missing": () => "missing",
  "builder.empty": () => "an empty text",
  "spf.lookups": (p: { sum: number; own: number; within: number; parts: number; most: number }) => {
    const within = p.within === 0 ? "" : `, ${p.within} within the included domains`;
    const parts = p.parts === 0 ? "" : `, ${p.parts} of the parts that it is divided into`;
    return `${p.sum} look-ups (${p.own} of its own terms${within}${parts}), and a receiver makes ${p.most} at most and then takes the record for broken (RFC 7208 §4.6.4); write addresses in place of names, or send through fewer services`;
  },
};
