/** The options that several commands have, each with one meaning. */
import { Option } from "commander";

const shared = {
  "base-url": [
    " <url>",
    "address of the service (default: LEGACYDNS_BASE_URL, then the stack's configuration)",
  ],
  cwd: [" <folder>", "the project's folder (default: this one)"],
  domain: [" <name...>", "a domain to use; may be repeated"],
  file: [" <[domain=]path...>", "a zone file; may be repeated"],
  force: ["", "overwrite files that exist"],
  format: [" <format>", "the printed form"],
  json: ["", "print JSON on standard output"],
  out: [" <path>", "the file or folder to write"],
  stack: [" <name>", "the stack (default: the selected one)"],
  zone: [" <domain>", "the zone of a file whose name leaves it open"],
} as const;

/** Of the commands that use a stack or the service. */
export const stackOptions = ["stack", "cwd"] as const;
export const serviceOptions = [...stackOptions, "base-url"] as const;

/** @param more what only one command adds to the meaning, after `; ` or in parentheses */
export function sharedOption(name: keyof typeof shared, more = ""): Option {
  const [parameter, meaning] = shared[name];
  return new Option(`--${name}${parameter}`, meaning + more);
}
