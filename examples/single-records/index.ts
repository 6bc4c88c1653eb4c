/** Single records: a web server, its name, and the address of another resource. */
import * as pulumi from "@pulumi/pulumi";
import { Record } from "pulumi-legacydns";

const domain = "example.com";
const server = pulumi.output("192.0.2.10"); // for example the address of a server that this program creates

const web = new Record("web", { domain, name: "@", type: "A", value: server, ttl: 600 });
new Record("www", { domain, name: "www", type: "CNAME", value: "example.com", ttl: 600 });
new Record("mail", { domain, type: "MX", value: "mx1.example.org", priority: 10 });
// A secret verification text. It is encrypted in the state and not in any message.
new Record("verification", {
  domain,
  name: "_verify",
  type: "TXT",
  value: pulumi.secret("s3cr3t-verification"),
});

export const webRecord = web.recordId;
