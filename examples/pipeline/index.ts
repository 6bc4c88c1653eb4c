/** The program of this folder's pipeline. */
import { Zone } from "pulumi-legacydns";

new Zone("example.com", {
  domain: "example.com",
  records: ["@ 600 A 192.0.2.1", "www 600 CNAME example.com", "@ 3600 MX 10 mx1.example.org"],
});
