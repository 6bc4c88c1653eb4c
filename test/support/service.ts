import { deepEqual } from "node:assert/strict";
import {
  startEmulator,
  type Admin,
  type Emulator,
  type RecordInput,
  type StartOptions,
} from "../../emulator";

const documentedReads = [
  ...["Domain.Info", "Domain.List", "Domain.Purview", "Record.List", "Record.Info", "Batch.Detail"],
  ...["Monitor.Gethistory", "Custom.Line.List"],
];
export const documented: ReadonlySet<string> = new Set([
  ...documentedReads,
  "Domainshare.Modify",
  "Batch.Record.Create",
]);
const reads: ReadonlySet<string> = new Set([...documentedReads, "Domainshare.List"]);

/** Without index delay. Unless the undocumented operations are switched on, a call of one fails the test. */
export async function startService(options: StartOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({
    domains: ["example.com", "example.net"],
    ...options,
    settings: { indexDelay: 0, ...options.settings },
  });
  if (options.settings?.undocumented === true) return emulator;
  const { admin } = emulator;
  const refuse = () => {
    const strange = Object.keys(admin.counts()).filter((operation) => !documented.has(operation));
    deepEqual(strange, [], "only documented operations are called");
  };
  const clear = admin.clearCalls.bind(admin);
  admin.clearCalls = () => {
    refuse();
    clear();
  };
  const close = emulator.close.bind(emulator);
  return Object.assign(emulator, {
    close: async () => {
      await close();
      refuse();
    },
  });
}

export function settingsOf(emulator: Emulator): Record<string, string> {
  return {
    LEGACYDNS_BASE_URL: emulator.url,
    LEGACYDNS_LOGIN_TOKEN: emulator.token,
    LEGACYDNS_CONTACT: "tests@example.com",
    LEGACYDNS_INDEX_DELAY: "0",
    LEGACYDNS_REQUESTS_PER_SECOND: "1000",
  };
}

/** `www 600 A 192.0.2.1` as the console takes it. */
export function recordOf(line: string): RecordInput {
  const [, name = "", ttl, type = "", value = ""] = /^(\S+) (?:(\d+) )?(\S+) (.*)$/.exec(line) ?? [];
  return { name, type, value, ...(ttl === undefined ? {} : { ttl: Number(ttl) }) };
}

/** Calls the service directly, without a request in the log. @returns the number of the job, which has ended */
export function endedJob(
  { admin, service, token }: Emulator,
  operation: string,
  params: Readonly<Record<string, string>>,
): number {
  const { job_id } = service.answer(operation, { login_token: token, ...params });
  admin.finishJob(Number(job_id));
  return Number(job_id);
}

/** No record can be read any more, after one more listing. */
export function hideZones(admin: Admin): void {
  admin.addFault({ kind: "http", status: 404, operation: "Record.List", skip: 1 });
  admin.addFault({ kind: "http", status: 404, operation: "Record.Info" });
}

const zoneOf = (emulator: Emulator, domain: string) => emulator.admin.zone(domain, { hold: false });

/** Sorted, without system records: `www A 192.0.2.1 600`, with line and state unless default. */
export function zoneLines(emulator: Emulator, domain: string): string[] {
  const lines = zoneOf(emulator, domain).map((r) => {
    const line = r.line === "默认" ? "" : ` [${r.line}]`;
    return `${r.name} ${r.type} ${r.type === "MX" ? `${r.mx} ` : ""}${r.value} ${r.ttl}${line}${r.enabled ? "" : " disabled"}`;
  });
  return lines.sort();
}

export function idsOf(emulator: Emulator, domain: string): number[] {
  return zoneOf(emulator, domain)
    .map((r) => r.id)
    .sort((a, b) => a - b);
}

export function writesOf(emulator: Emulator): number {
  return Object.entries(emulator.admin.counts()).reduce(
    (sum, [operation, calls]) => sum + (reads.has(operation) ? 0 : calls),
    0,
  );
}
