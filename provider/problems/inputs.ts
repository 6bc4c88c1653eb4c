/** Options and inputs of resources. */
import { page } from "../words";
import { meant } from "./kinds";

/** @param explicit whether an explicit `Provider` sets it */
function needsMore({ explicit }: { explicit: boolean }): string {
  const where = explicit ? "on the Provider" : "(pulumi config set legacydns:undocumentedOperations true)";
  return `needs the service's undocumented operations, since the documented interface cannot remove a record: set undocumentedOperations to true ${where}`;
}

export const inputs = {
  "lookup.outside": (p: { zones: string }) =>
    `is absolute and does not lie in ${p.zones}; look it up in its own domain, or write a relative name`,
  "shares.unfit": () => "write a list of { email, mode, subDomain?, from? }",
  "share.of-zone": () =>
    "a share of a zone is one of the zone's domain; take it out, or declare a DomainShare",
  "pattern.type": (p: { given: string; type: string; meant: string }) =>
    `${p.given}: ${p.type} is no record type; did you mean ${p.meant}?`,
  "pattern.unfit": (p: { given: string }) =>
    `${p.given} is no pattern; write a name such as "_acme-challenge*", or a name and a type such as "* TXT"`,

  "checks.kind": (p: { kind: string }) =>
    `${p.kind} says no level; write note, warn, refuse or off, or levels by code such as "warn, mx-cname=refuse, ttl-long=off"`,
  "checks.json": () =>
    'its text is no JSON object; write note, warn, refuse or off, or levels by code such as "warn, mx-cname=refuse, ttl-long=off"',
  "checks.level": (p: { given: string; of: string | undefined }) =>
    `${p.given} is no level${p.of === undefined ? "" : ` of ${p.of}`}; write note, warn, refuse or off, or levels by code such as "warn, mx-cname=refuse, ttl-long=off"`,

  "removal.unfit": (p: { given: string }) =>
    `${p.given} is no way of removal; write "verify" (an error while the record is live), "retain" (the record stays) or "delete" (with undocumentedOperations: it is removed)`,
  "adopt.unfit": (p: { given: string }) => `${p.given} is neither true nor false`,
  "undeclared.unfit": (p: { given: string }) =>
    `${p.given} is not one of "ignore" (the default), "report" and "remove"`,
  "ignore.unfit": () => 'write a list of patterns, such as ["_acme-challenge*", "* TXT"]',

  "share.domain": () => 'name the shared domain, for example "example.com"',

  "records.rewritten": () =>
    "a transform has edited the text of records that are secret; set `records` to specs or lines, or change the program",

  "record.twice-by-line": (p: { what: string }) =>
    `${p.what} is declared twice, once with the name of the default line and once without it; declare it once`,

  "record.elsewhere": (p: { what: string; resource: string }) =>
    `${p.what} is declared by ${p.resource} as well; declare it once`,
  "cname.elsewhere": (p: { what: string; other: string; resource: string }) =>
    `${p.what} cannot stand beside ${p.other} of ${p.resource}, since a CNAME stands alone; take one of them out`,
  "share.none": (p: { domain: string; email: string }) =>
    `${p.domain} is shared with nobody, and the documented interface can only change a share that exists. Share it with ${p.email} in the service's console first, then run \`pulumi up\` again`,
  "share.elsewhere": (p: { domain: string; email: string; resource: string }) =>
    `the share of ${p.domain} with ${p.email} is declared by ${p.resource} as well; declare it once`,

  "inputs.kind": (p: { kind: string; names: string }) =>
    `${p.kind} stands where an object of inputs is needed (${p.names}), each of which may be an output`,
  "import.option": (p: { what: string }) =>
    `take this option out; declaring ${p.what} that is live adopts it, without a write (an import by its id needs the native plugin: ${page("native")})`,
  "checks.unknown": (p: { given: string; guess: string | undefined; known: string }) =>
    `${p.given} is no check; ${meant(p.guess, `the checks are ${p.known}`)}`,
  "input.unknown": (p: { guess: string | undefined; inputs: string }) =>
    `unknown input; ${meant(p.guess, `the inputs are ${p.inputs}`)}`,
  "share.email": (p: { given: string | undefined }) =>
    `${p.given === undefined ? "missing" : `${p.given} is no e-mail address`}; write the one that the domain is shared with, exactly as the service's console shows it`,
  "share.mode": (p: { given: string | undefined }) =>
    `${p.given === undefined ? "missing" : `${p.given} is no mode`}; write "r" (read only) or "rw" (read and modify)`,
  "removal.not-allowed": (p: { explicit: boolean }) =>
    `"delete" ${needsMore(p)}; or write "verify" or "retain"`,
  "undeclared.not-allowed": (p: { explicit: boolean }) =>
    `"remove" ${needsMore(p)}; or write "report" to have such records named`,
};
