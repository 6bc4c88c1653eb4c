/** The records of the demo's main domain, grouped as a team would keep them. */
import type { RecordSpec } from "pulumi-legacydns";

/** `from` to `to`, both included. */
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const web: RecordSpec[] = [
  { name: ["@", "www"], type: "A", value: ["192.0.2.10", "192.0.2.11"], ttl: 600 },
  { name: ["@", "www"], type: "AAAA", value: "2001:db8::10", ttl: 600 },
  {
    name: ["shop", "blog", "docs", "status", "help", "jobs"],
    type: "CNAME",
    value: "www.example.com",
    ttl: 3600,
  },
  { name: "*.preview", type: "A", value: "192.0.2.50", ttl: 300 },
  { name: "api", type: "A", value: ["192.0.2.20", "192.0.2.21", "192.0.2.22"], ttl: 300 },
  { name: "cdn", type: "CNAME", value: "example.cdn.example.net", ttl: 600 },
];

/** Visitors of one carrier get an answer of their own. */
const lines: RecordSpec[] = [
  { name: "img", type: "A", value: "192.0.2.30", ttl: 600 },
  { name: "img", type: "A", value: "198.51.100.30", ttl: 600, line: "电信" },
  { name: "video", type: "A", value: "192.0.2.31", ttl: 600 },
  { name: "video", type: "A", value: "198.51.100.31", ttl: 600, line: "电信" },
];

const mail: RecordSpec[] = [
  { type: "TXT", value: "v=spf1 include:_spf.example.org ip4:192.0.2.0/28 -all", ttl: 3600 },
  {
    name: "mail2026._domainkey",
    type: "TXT",
    value:
      "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu5oIUrFDWZK7F4thFxpZa2or6jBEX3cSL6b2TJdPkO5iNn9vHNXhNX31" +
      "nOefN8FksX94YbLJ8NHcFPbaZTW8R2HthYxRaCyqodxlLHibg8aHdfa+bxKeiI/xABRuAM0WG0JEDSyakMFqIO40ghhq/rmFHgSvEZpIqMmPHbLIcQ2v" +
      "eQ3jZ1MFOiIZMMVKSL1dRhQn5Dwqb8rGQhBWTxBKKiXOPaKy2sYVqkqC6dKGmkd1yJ8cV1mJ8D5q8G8oXqzRr4Zx4SdcGFJ3kYhYJ6gqJ0Z6cVKvSuL0" +
      "XQpYkq7Jt1eM3uV0b2bK2wTfdk9uNwIDAQAB",
    ttl: 3600,
  },
  { name: "quote", type: "TXT", value: 'She said "hello"; a backslash \\ too', ttl: 3600 },
  { name: "_acme-challenge", type: "CNAME", value: "example.com.acme.example.net", ttl: 600 },
  { name: ["imap", "smtp", "pop"], type: "CNAME", value: "mail.example.com", ttl: 3600 },
  { name: "mail", type: "A", value: "192.0.2.25", ttl: 3600 },
  { name: "autodiscover", type: "CNAME", value: "autodiscover.mail.example.org", ttl: 3600 },
];

const services: RecordSpec[] = [
  { name: "_sip._tcp", type: "SRV", value: "10 60 5060 sip1.example.com", ttl: 3600 },
  { name: "_sip._tcp", type: "SRV", value: "20 60 5060 sip2.example.com", ttl: 3600 },
  { name: "_imaps._tcp", type: "SRV", value: "0 1 993 mail.example.com", ttl: 3600 },
  { name: ["sip1", "sip2"], type: "A", value: "192.0.2.60", ttl: 3600 },
  { name: "lab", type: "NS", value: ["ns1.lab.example.org", "ns2.lab.example.org"], ttl: 86400 },
];

/** The machines, a row each: their names and addresses follow from their numbers. */
const machines: RecordSpec[] = [
  ...range(1, 60).map((n) => ({ name: `web${n}.fra`, type: "A", value: `203.0.113.${n}`, ttl: 600 })),
  ...range(1, 40).map((n) => ({ name: `db${n}.fra`, type: "A", value: `203.0.113.${100 + n}`, ttl: 600 })),
  ...range(1, 20).map((n) => ({ name: `web${n}.fra`, type: "AAAA", value: `2001:db8:f::${n}`, ttl: 600 })),
];

export const zone: RecordSpec[] = [...web, ...lines, ...mail, ...services, ...machines];
