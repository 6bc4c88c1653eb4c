/** A shard of many zones: the stack `brands` deploys every file of zones/brands/, and nothing else. */
import { readdirSync } from "node:fs";
import { getStack } from "@pulumi/pulumi";
import { Zone } from "pulumi-legacydns";

const folder = `zones/${getStack()}`;
for (const file of readdirSync(folder)) {
  const domain = file.replace(/\.zone$/, "");
  new Zone(domain, { domain, file: `${folder}/${file}` });
}
