/** Zones from files of the repository: every file in zones/ is a domain. */
import { readdirSync } from "node:fs";
import { Zone } from "pulumi-legacydns";

for (const file of readdirSync("zones")) {
  const domain = file.replace(/\.zone$/, "");
  new Zone(domain, { domain, file: `zones/${file}`, undeclared: "report", ignore: ["_acme-challenge*"] });
}
