/** Shares: an agency may change the shop's records, an auditor may read everything. Both are shared with already. */
import { DomainShare, Zone } from "pulumi-legacydns";

new DomainShare("auditor", { domain: "example.com", email: "auditor@example.org", mode: "r" });

// A zone may carry its shares. The agency's covers the whole domain today: `from` says so once.
new Zone("example.net", {
  domain: "example.net",
  records: ["@ 600 A 192.0.2.1", "shop 600 A 192.0.2.2"],
  shares: [{ email: "agency@example.org", mode: "rw", subDomain: "shop", from: "@" }],
});
