/** Zone files as the emulator's first domains, read like the file of a `Zone`. */
import { basename, dirname, resolve } from "node:path";
import { defaultLine, type DomainInput, type SettingsInput } from "../../emulator";
import { canonicalDomain } from "../../provider/dns";
import { loadZoneFile, repositoryRoot } from "../../provider/lifecycle/zone-files";
import { diagnosticOf, isError, messageOf, type Reason } from "../../provider/problems";
import { split } from "../../provider/support/collections";
import { CommandError, usage } from "../errors";

/**
 * @param settings the emulator's; they decide the default line's name
 * @param warn takes each warning
 * @throws CommandError with the problems of all files
 */
export function readZones(
  args: readonly string[],
  settings: SettingsInput,
  warn: (warning: string) => void,
): DomainInput[] {
  const found = args.map((arg) => readZone(arg, defaultLine(settings)));
  const problems = found.flatMap((each) => each.problems);
  if (problems.length > 0) throw new CommandError(...problems);
  for (const { warnings } of found) warnings.forEach(warn);
  return found.flatMap(({ domain }) => domain ?? []);
}

interface Found {
  readonly domain?: DomainInput;
  readonly problems: readonly (Reason & { readonly path?: string })[];
  readonly warnings: readonly string[];
}

function readZone(arg: string, defaultLine: string): Found {
  const [, given, file = arg] = /^([^=/\\]+)=(.+)$/s.exec(arg) ?? [];
  const found = canonicalDomain(given ?? basename(file).replace(/\.(zone|db|txt|ya?ml)$/i, ""));
  if ("problem" in found) {
    const hint = given === undefined ? "name the file for its domain, or write --zone DOMAIN=FILE" : "";
    const detail = `--zone ${arg}: ${diagnosticOf(found.problem).title}`;
    return { problems: [usage("emulator", detail, hint)], warnings: [] };
  }
  const { domain: name } = found;
  const folder = dirname(resolve(file));
  const options = { domain: name, defaultLine, folder, root: repositoryRoot(folder) };
  const read = loadZoneFile(basename(file), options);
  const [problems, warnings] = split(read.problems, isError);
  const records = read.records.map(({ type, value, ttl, priority, line, name: owner }) => ({
    ...{ name: owner, type, value, line, mx: priority },
    ...(ttl === "default" ? {} : { ttl }),
  }));
  return {
    domain: { name, records },
    problems,
    warnings: warnings.map((each) => messageOf(each)),
  };
}
