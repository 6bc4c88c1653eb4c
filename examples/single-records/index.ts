/** Single records: a web server, its name, and a value that is known only after something else is made. */
import * as pulumi from "@pulumi/pulumi";
import { Record } from "pulumi-legacydns";

const domain = "example.com";
const server = pulumi.output("192.0.2.10"); // for example the address of a server that this program makes

const web = new Record("web", { domain, name: "@", type: "A", value: server, ttl: 600 });
new Record("www", { domain, name: "www", type: "CNAME", value: "example.com", ttl: 600 });
new Record("mail", { domain, type: "MX", value: "mx1.example.org", priority: 10 });
// A verification text that nobody else should read: it is a secret in the state and in no message.
new Record("verification", {
  domain,
  name: "_verify",
  type: "TXT",
  value: pulumi.secret("s3cr3t-verification"),
});

export const webRecord = web.recordId;
