/** The options that several commands have, each with one meaning. */
import { basename } from "node:path";
import { Option } from "commander";
import { canonicalDomain } from "../provider/dns";
import { diagnosticOf, type Fault } from "../provider/problems";
import { usage } from "./errors";

const shared = {
  "base-url": [
    " <url>",
    "address of the service (default: LEGACYDNS_BASE_URL, then the stack's configuration)",
  ],
  cwd: [" <folder>", "the project's folder (default: this one)"],
  domain: [" <name...>", "a domain to use; may be repeated"],
  file: [" <path...>", "a zone file, PATH or DOMAIN=PATH; may be repeated"],
  force: ["", "overwrite files that exist"],
  format: [" <format>", "the printed form"],
  json: ["", "print JSON on standard output"],
  out: [" <path>", "the file or folder to write"],
  stack: [" <name>", "the stack (default: the selected one)"],
  zone: [" <domain>", "the zone of a file whose name leaves it open"],
} as const;

/** The options of the commands that use a stack or the service. */
export const stackOptions = ["stack", "cwd"] as const;
export const serviceOptions = [...stackOptions, "base-url"] as const;

/** `[DOMAIN=]PATH` of `--file`: without the domain, the file's name is the domain. */
export function namedFile(
  command: string,
  arg: string,
): { readonly domain: string; readonly file: string } | Fault {
  const [, given, file = arg] = /^([^=/\\]+)=(.+)$/s.exec(arg) ?? [];
  const found = canonicalDomain(given ?? basename(file).replace(/\.(zone|db|txt)$/i, ""));
  if ("domain" in found) return { domain: found.domain, file };
  const hint = given === undefined ? "name the file for its domain, or write --file DOMAIN=PATH" : "";
  return { problem: usage(command, `--file ${arg}: ${diagnosticOf(found.problem).title}`, hint) };
}

/** @param more an addition to the meaning for one command, after `; ` or in parentheses */
export function sharedOption(name: keyof typeof shared, more = ""): Option {
  const [parameter, meaning] = shared[name];
  return new Option(`--${name}${parameter}`, meaning + more);
}
