/** Operations of service-notes.md (Operations outside api.md), for the setting `undocumented`. */
import { batchModify } from "./batchModify";
import { domainErrors, stateErrors, type Operation } from "./operations";
import { recordModify, recordRemove } from "./recordWrites";
import { shareCreate, shareList, shareRemove } from "./shares";

const writeErrors = { ...domainErrors, ...stateErrors };

export const undocumented: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["Record.Modify", { kind: "write", run: recordModify, errors: writeErrors }],
  ["Record.Remove", { kind: "write", run: recordRemove, errors: writeErrors }],
  ["Batch.Record.Modify", { kind: "write", run: batchModify, errors: writeErrors }],
  ["Domainshare.Create", { kind: "write", run: shareCreate, errors: writeErrors }],
  ["Domainshare.List", { kind: "read", run: shareList, errors: domainErrors }],
  ["Domainshare.Remove", { kind: "write", run: shareRemove, errors: writeErrors }],
]);
