/** The ten operations of api.md, with error codes (api.md, Errors). */
import { batchCreate, batchDetail } from "./batch";
import type { Handler } from "./context";
import { domainInfo, domainList, domainPurview } from "./domains";
import { customLineList, monitorHistory } from "./extras";
import { recordInfo, recordList } from "./records";
import { shareModify } from "./shares";
import { texts } from "./texts";

export interface Operation {
  readonly kind: "read" | "write";
  readonly run: Handler;
  /** Code → message. Other codes have messages of their own. */
  readonly errors: Readonly<Record<string, string>>;
}

export const domainErrors = {
  "6": "Domain ID wrong",
  "7": "Not the domain owner",
  "8": "Domain invalid",
  "13": texts.domain,
};
export const stateErrors = { "-15": "Domain banned", "21": "Domain locked" };

export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    "Domain.Info",
    { kind: "read", run: domainInfo, errors: { ...domainErrors, "8": "Not the domain owner" } },
  ],
  [
    "Domain.List",
    {
      kind: "read",
      run: domainList,
      errors: {
        "6": "Start offset invalid",
        "7": "Requested number of domains invalid",
        "9": "No domains at all",
      },
    },
  ],
  [
    "Domain.Purview",
    { kind: "read", run: domainPurview, errors: { ...domainErrors, ...stateErrors, "9": "Remark too long" } },
  ],
  [
    "Domainshare.Modify",
    {
      kind: "write",
      run: shareModify,
      errors: {
        ...domainErrors,
        ...stateErrors,
        "8": "Domain ID invalid",
        "23": "Subdomain levels exceed the limit",
        "24": "Wildcard levels exceed the limit",
        "25": "The sharing users include users without real-name verification",
      },
    },
  ],
  [
    "Record.List",
    {
      kind: "read",
      run: recordList,
      errors: {
        ...domainErrors,
        "7": "Start offset invalid, or not the domain owner",
        "8": "Requested number of records invalid, or domain invalid",
        "10": "No records",
        "27": "Line invalid",
      },
    },
  ],
  ["Record.Info", { kind: "read", run: recordInfo, errors: domainErrors }],
  ["Batch.Record.Create", { kind: "write", run: batchCreate, errors: { ...domainErrors, ...stateErrors } }],
  ["Batch.Detail", { kind: "read", run: batchDetail, errors: { "8": "No data, the job was not found" } }],
  ["Monitor.Gethistory", { kind: "read", run: monitorHistory, errors: { "7": "Monitor ID wrong" } }],
  [
    "Custom.Line.List",
    {
      kind: "read",
      run: customLineList,
      errors: { "7": "No permission on the domain", "40601": "Parameter error" },
    },
  ],
]);
