/** The operations with their error codes (api.md, Errors; service-notes.md). */
import { batchCreate, batchDetail } from "./batch";
import { batchModify } from "./batchModify";
import type { Handler } from "./context";
import { customLineList, domainInfo, domainList, domainPurview, monitorHistory } from "./domains";
import { recordModify, recordRemove } from "./edits";
import { texts } from "./envelope";
import { recordInfo, recordList } from "./records";
import { shareCreate, shareList, shareModify, shareRemove } from "./shares";

export interface Operation {
  readonly kind: "read" | "write";
  readonly run: Handler;
  readonly errors: Readonly<Record<string, string>>;
  /** service-notes.md, Operations outside api.md: unknown without the setting `undocumented`. */
  readonly isOutside?: true;
}

const domainErrors = {
  "6": "Domain ID wrong",
  "7": "Not the domain owner",
  "8": "Domain invalid",
  "13": texts.domain,
};
const stateErrors = { "-15": "Domain banned", "21": "Domain locked" };

const read = (run: Handler, errors: Operation["errors"]): Operation => ({ kind: "read", run, errors });
const write = (run: Handler, errors: Operation["errors"] = {}): Operation => ({
  kind: "write",
  run,
  errors: { ...domainErrors, ...stateErrors, ...errors },
});
const outside = (operation: Operation): Operation => ({ ...operation, isOutside: true });

export const operations: ReadonlyMap<string, Operation> = new Map([
  ["Domain.Info", read(domainInfo, { ...domainErrors, "8": "Not the domain owner" })],
  [
    "Domain.List",
    read(domainList, {
      "6": "Start offset invalid",
      "7": "Requested number of domains invalid",
      "9": "No domains at all",
    }),
  ],
  ["Domain.Purview", read(domainPurview, { ...domainErrors, ...stateErrors, "9": "Remark too long" })],
  [
    "Domainshare.Modify",
    write(shareModify, {
      "8": "Domain ID invalid",
      "23": "Subdomain levels exceed the limit",
      "24": "Wildcard levels exceed the limit",
      "25": "The sharing users include users without real-name verification",
    }),
  ],
  [
    "Record.List",
    read(recordList, {
      ...domainErrors,
      "7": "Start offset invalid, or not the domain owner",
      "8": "Requested number of records invalid, or domain invalid",
      "10": "No records",
      "27": "Line invalid",
    }),
  ],
  ["Record.Info", read(recordInfo, domainErrors)],
  ["Batch.Record.Create", write(batchCreate)],
  ["Batch.Detail", read(batchDetail, { "8": "No data, the job was not found" })],
  ["Monitor.Gethistory", read(monitorHistory, { "7": "Monitor ID wrong" })],
  [
    "Custom.Line.List",
    read(customLineList, { "7": "No permission on the domain", "40601": "Parameter error" }),
  ],
  ["Record.Modify", outside(write(recordModify))],
  ["Record.Remove", outside(write(recordRemove))],
  ["Batch.Record.Modify", outside(write(batchModify))],
  ["Domainshare.Create", outside(write(shareCreate))],
  ["Domainshare.List", outside(read(shareList, domainErrors))],
  ["Domainshare.Remove", outside(write(shareRemove))],
]);
