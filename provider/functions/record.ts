import type { DomainBrief, LiveRecord } from "../api/entities";
import { canonicalDomain, fromLive, recordText } from "../dns";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import { type DomainArgs, domainText } from "./arguments";
import { type Lookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";
import { monitorMeaning } from "./words";

/** A live record. A key is absent if the service does not return it. */
export interface RecordResult extends Omit<LiveRecord, "line" | "hold"> {
  /** The line's name as the service writes it. */
  readonly line?: string;
  /** The canonical text, as in the `records` of a RecordBatch: `www.example.com. A 192.0.2.1`. */
  readonly text: string;
  /** The monitor's status in plain English. */
  readonly monitorMeaning: string;
  /** True for the service's own NS records. Absent if the service does not mark them. */
  readonly serviceOwned?: boolean;
}

export interface GetRecordArgs extends DomainArgs {
  /** The service's record id. */
  readonly recordId: string | number;
}
export type GetRecordOutputArgs = LookupInputs<GetRecordArgs>;

export interface GetRecordResult extends RecordResult, DomainBrief {}

/** @internal */
export const record: Lookup<GetRecordResult> = {
  name: "getRecord",
  arguments: ["domain", "domainId", "recordId"],
  question: (args) => {
    const keys = args.domainKeys();
    const recordId = args.requiredId("recordId", "an id from getRecords, such as 1234567");
    const request = { ...keys, recordId };
    return {
      request,
      ask: async (client, { defaultLine }) => {
        const target = `record ${recordId} of ${domainText(keys)}`;
        const { domain, record: live } = await client.call("Record.Info", request, { target });
        return { ...recordResult(live, domain.domain ?? "", defaultLine), ...domain };
      },
    };
  },
};

/** @internal */
export function recordResult(
  { hold, line, ...live }: LiveRecord,
  zone: string,
  defaultLine: string,
): RecordResult {
  const { name, type, value, priority, lineId, monitorStatus } = live;
  const canonical = canonicalDomain(zone);
  const domain = "domain" in canonical ? canonical.domain : zone;
  return {
    ...live,
    text: recordText(fromLive({ domain, name, type, value, priority, line, lineId }, { defaultLine })),
    monitorMeaning: monitorMeaning(monitorStatus),
    ...defined({ line: line === "" ? undefined : line, serviceOwned: hold }),
  };
}

/**
 * One record by its id.
 * @throws LookupError (as a rejection)
 */
export function getRecord(args: GetRecordArgs, options?: LookupOptions): Promise<GetRecordResult> {
  return lookUp(record, args, options);
}

/** `getRecord` with arguments that may be outputs. */
export function getRecordOutput(
  args: GetRecordOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetRecordResult> {
  return lookUpOutput(record, args, options);
}
