/**
 * The demo's program: the zone of a company on two domains. A whole zone is one `RecordBatch`; what both domains share
 * is another; and single records stand beside them.
 */
import { Record, RecordBatch } from "pulumi-legacydns";
import { zone } from "./zone";

const domain = "example.com";

/** Everything of the main domain: more than 150 records, made in one call. */
const main = new RecordBatch("zone", { domains: domain, records: zone });

/** The same records in both domains: still one call. */
new RecordBatch("both", {
  domains: [domain, "example.net"],
  records: [
    { type: "MX", value: "mx1.mail.example.org", priority: 10, ttl: 3600 },
    { type: "MX", value: "mx2.mail.example.org", priority: 20, ttl: 3600 },
    { name: "_dmarc", type: "TXT", value: "v=DMARC1; p=reject; rua=mailto:dmarc@example.org", ttl: 3600 },
    { type: "CAA", value: '0 issue "letsencrypt.org"', ttl: 3600 },
    { type: "CAA", value: '0 iodef "mailto:security@example.org"', ttl: 3600 },
  ],
});

/** Single records: an IDN, and a name with an answer of its own on one line. */
const cafe = new Record("cafe", { domain, name: "café", type: "A", value: "192.0.2.80", ttl: 600 });
new Record("edge", { domain, name: "edge", type: "A", value: "192.0.2.90", ttl: 600 });
new Record("edge-telecom", {
  domain,
  name: "edge",
  type: "A",
  value: "198.51.100.90",
  ttl: 600,
  line: "电信",
});
new Record("net-www", {
  domain: "example.net",
  name: "www",
  type: "CNAME",
  value: "www.example.com",
  ttl: 600,
});

export const records = main.entries.apply((all) => all.length);
export const cafeRecord = cafe.recordId;
