/** Shares: an agency may change the shop's records, an auditor may read everything. Both shares exist already. */
import { DomainShare, Zone } from "pulumi-legacydns";

new DomainShare("auditor", { domain: "example.com", email: "auditor@example.org", mode: "r" });

// A zone may contain its shares. The agency's share covers the whole domain today, so it has `from`.
new Zone("example.net", {
  domain: "example.net",
  records: ["@ 600 A 192.0.2.1", "shop 600 A 192.0.2.2"],
  shares: [{ email: "agency@example.org", mode: "rw", subDomain: "shop", from: "@" }],
});
