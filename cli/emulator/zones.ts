/**
 * Zone files as the emulator's first domains. They are read like the file of a `Zone`. The emulator gets
 * plain data, because it shares no code with the provider.
 */
import { basename, dirname, resolve } from "node:path";
import type { DomainInput, SettingsInput } from "../../emulator";
import { canonicalDomain } from "../../provider/dns";
import type { ZoneFileRecord } from "../../provider/dns/zone-file";
import { isError, shown, textOf } from "../../provider/problems";
import { loadZoneFile, repositoryRoot } from "../../provider/lifecycle/zone-files";

export interface ZoneDomains {
  readonly domains: DomainInput[];
  readonly problems: string[];
  readonly warnings: string[];
}

/**
 * Reads the files of `--zone`.
 * @param settings the emulator's; they decide the default line's name
 */
export function readZones(args: readonly string[], settings: SettingsInput): ZoneDomains {
  const english = settings.answers === "english" || settings.lineNames === "english";
  const found: ZoneDomains = { domains: [], problems: [], warnings: [] };
  for (const arg of args) readZone(arg, english ? "Default" : "默认", found);
  return found;
}

function readZone(arg: string, defaultLine: string, { domains, problems, warnings }: ZoneDomains): void {
  const [, given, file = arg] = /^([^=/\\]+)=(.+)$/s.exec(arg) ?? [];
  const domain = canonicalDomain(given ?? basename(file).replace(/\.(zone|db|txt|ya?ml)$/i, ""));
  if ("problem" in domain) {
    const help = given === undefined ? ". Name the file for its domain, or give --zone DOMAIN=FILE" : "";
    problems.push(`--zone ${arg}: ${textOf(domain.problem)}${help}`);
    return;
  }
  const folder = dirname(resolve(file));
  const read = loadZoneFile(basename(file), {
    domain: domain.domain,
    defaultLine,
    folder,
    root: repositoryRoot(folder),
  });
  for (const problem of read.problems) (isError(problem) ? problems : warnings).push(shown(problem));
  domains.push({ name: domain.domain, records: read.records.map(seedOf) });
}

function seedOf({
  name,
  type,
  value,
  ttl,
  priority,
  line,
}: ZoneFileRecord): NonNullable<DomainInput["records"]>[0] {
  return { name, type, value, line, mx: priority, ...(ttl === "default" ? {} : { ttl }) };
}
