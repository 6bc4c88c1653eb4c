/** A program with secret values, and the files of a stack in which they must not be. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const secrets = [
  "s3cret-of-the-record",
  "s3cret-of-the-batch",
  "198.51.100.77",
  "s3cret that/is+refused é",
];
export const program = (more = ""): string => `
  const one = new dns.Record("one", { domain: "example.com", name: "one", type: "TXT", value: pulumi.secret("${secrets[0]}"), ttl: 600 });
  const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [
    { name: "two", type: "TXT", value: pulumi.secret("${secrets[1]}"), ttl: 600 },
    { name: "three", type: "A", value: pulumi.secret("${secrets[2]}"), ttl: 600 },
    { name: "plain", type: "A", value: "192.0.2.1", ttl: 600 },
    ${more}
  ] });
  exports.value = one.value;
  exports.records = batch.zoneText;`;

export const plain = '{ name: "gone", type: "A", value: "192.0.2.9", ttl: 600 },';

/** All files below a folder except the program and the engine's home. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === "home" || name === "index.js") return [];
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
