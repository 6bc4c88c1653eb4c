/** Help after a refusal. It is asked for only then, and throws nothing. */
import type { Client } from "../../api";
import type { DnsRecord } from "../../dns";
import { clause } from "../../words";
import type { Result } from "../write/result";
import type { Zone, Zones } from "../zones/zone";

/** The outcomes, where a refusal may be about the line: with the known lines. @param reread the zones as read after the refusals */
export async function withKnownLines(
  client: Client,
  records: readonly DnsRecord[],
  outcomes: readonly Result[],
  reread: Zones,
  defaultLine: string,
): Promise<Result[]> {
  const told = new Map<string, Promise<string>>();
  return Promise.all(
    outcomes.map(async (outcome, i) => {
      const record = records[i];
      const zone = record && reread.get(record.domain);
      if (outcome.kind !== "refused" || record === undefined || zone === undefined) return outcome;
      if (record.line === undefined) {
        // The listing shows the default line, so its name was right.
        if (zone.defaultLine !== undefined) return outcome;
        return { ...outcome, text: `${clause(outcome.text)}; it was sent on the line "${defaultLine}", and no record of ${zone.domain} shows what the account calls its default line: if it is another name, set defaultLine (pulumi config set legacydns:defaultLine NAME)` };
      }
      if (zone.entries.some((entry) => entry.record.line === record.line)) return outcome;
      const lines = told.get(zone.domain) ?? linesOf(client, zone, defaultLine);
      told.set(zone.domain, lines);
      return { ...outcome, text: `${clause(outcome.text)}; no record of ${zone.domain} stands on the line "${record.line}"; ${await lines}` };
    }),
  );
}

async function linesOf(client: Client, zone: Zone, defaultLine: string): Promise<string> {
  const inUse = new Set([zone.defaultLine ?? defaultLine, ...zone.entries.flatMap(({ record }) => record.line ?? [])]);
  const own = await client.call("Custom.Line.List", { domainId: zone.id }, { target: zone.domain }).then(
    ({ lines = [] }) => lines.flatMap(({ name }) => name ?? []),
    () => [],
  );
  const custom = [...new Set(own)].filter((name) => !inUse.has(name)).sort();
  const shown = (names: readonly string[]): string => names.slice(0, 20).join(", ") + (names.length > 20 ? ", …" : "");
  return `lines in use there: ${shown([...inUse])}${custom.length === 0 ? "" : `; custom lines: ${shown(custom)}`}`;
}
