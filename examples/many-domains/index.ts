/** The same records in many domains: one resource, one call, one line per record in the diff. */
import { RecordBatch } from "pulumi-legacydns";

const domains = ["example.com", "example.net", "example.org"];

new RecordBatch("no-mail", {
  domains,
  records: [
    { type: "TXT", value: "v=spf1 -all", ttl: 3600 },
    { name: "_dmarc", type: "TXT", value: "v=DMARC1; p=reject", ttl: 3600 },
    { name: "*._domainkey", type: "TXT", value: "v=DKIM1; p=", ttl: 3600 },
  ],
});

new RecordBatch("parking", { domains, records: ["@ 600 A 192.0.2.80", "www 600 A 192.0.2.80"] });
