/**
 * Which records are the service's own: the NS records of the apex that every domain is given (service-notes, Records).
 * Some editions mark them with `hold`; else they are those whose targets are the name servers that the answer names.
 */
import type { LiveRecord } from "./entities";

/**
 * The records with `hold` filled in where the answer tells it. An NS record of the apex keeps it open where nothing
 * does: no record is marked and no name server is named.
 */
export function withOwnRecords(
  records: readonly LiveRecord[],
  nameServers: readonly string[] | undefined,
): readonly LiveRecord[] {
  if (records.every(({ hold }) => hold !== undefined)) return records;
  const own = new Set((nameServers ?? []).map(hostName));
  const isTold = own.size > 0 || records.some(({ hold }) => hold === true);
  return records.map((record) =>
    record.hold !== undefined || !isTold ? record : { ...record, hold: own.has(hostName(record.value)) },
  );
}

function hostName(text: string): string {
  return text.trim().replace(/\.$/, "").toLowerCase();
}
