/** The service's own NS records of the apex: marked with `hold`, or known by their targets (service-notes, Records). */
import type { LiveRecord } from "./entities";

export function withOwnRecords(
  records: readonly LiveRecord[],
  nameServers: readonly string[] | undefined,
): readonly LiveRecord[] {
  if (records.every(({ hold }) => hold !== undefined)) return records;
  const own = new Set((nameServers ?? []).map(hostName));
  const isKnown = own.size > 0 || records.some(({ hold }) => hold === true);
  return records.map((record) =>
    record.hold !== undefined || !isKnown ? record : { ...record, hold: own.has(hostName(record.value)) },
  );
}

function hostName(text: string): string {
  return text.trim().replace(/\.$/, "").toLowerCase();
}
