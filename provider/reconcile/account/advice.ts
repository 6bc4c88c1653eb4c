/** Help after a refusal. It is asked for only then, and throws nothing. */
import type { DnsRecord } from "../../dns";
import { knownLines, noLine } from "../../problems";
import { clause } from "../../words";
import type { Lines } from "../lines";
import type { Result } from "../write/result";
import type { Zone, Zones } from "../zones/zone";

/** The outcomes, where a refusal may be about the line: with the known lines. @param reread the zones as read after the refusals */
export async function withKnownLines(
  lines: Lines,
  records: readonly DnsRecord[],
  outcomes: readonly Result[],
  reread: Zones,
  defaultLine: string,
): Promise<Result[]> {
  const told = new Map<string, Promise<LineAdvice>>();
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
      const place = `${zone.domain} ${record.line}`;
      const advice = told.get(place) ?? adviceOn(lines, zone, record.line);
      told.set(place, advice);
      const { said, ...rest } = await advice;
      return { ...outcome, text: `${clause(outcome.text)}; ${said}`, ...rest };
    }),
  );
}

interface LineAdvice {
  readonly said: string;
  readonly hasNoLine?: true;
}

async function adviceOn(lines: Lines, zone: Zone, line: string): Promise<LineAdvice> {
  const { domain } = zone;
  const known = await lines.known(zone, line);
  if (await lines.isUnknown(zone, line)) return { said: noLine({ domain, line, ...known }), hasNoLine: true };
  return { said: `no record of ${domain} stands on the line "${line}"; ${knownLines(known)}` };
}
