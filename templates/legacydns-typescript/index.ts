import * as pulumi from "@pulumi/pulumi";
import { Zone } from "pulumi-legacydns";

new Zone("zone", {
  domain: new pulumi.Config().require("domain"),
  records: ["@ 600 A 192.0.2.1", "www 600 A 192.0.2.1", { type: "TXT", value: "v=spf1 -all", ttl: 3600 }],
});
