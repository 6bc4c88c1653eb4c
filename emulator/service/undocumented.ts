/**
 * The operations that public clients of this generation use and api.md does
 * not have (service-notes.md, Operations outside api.md), in the form of
 * operations.ts. They are answered only where the setting `undocumented` is
 * on; otherwise they are as unknown as any other word.
 */
import { batchModify } from "./batchModify";
import { recordLine, recordType } from "./catalogue";
import { domainErrors, stateErrors, type Operation } from "./operations";
import { recordCreate, recordModify, recordRemark, recordRemove, recordStatus } from "./recordWrites";
import { shareCreate, shareList, shareRemove } from "./shares";

const recordErrors = { ...domainErrors, ...stateErrors };
const shareErrors = { ...domainErrors, ...stateErrors };
const gradeErrors = { ...domainErrors, "6": "Domain grade wrong" };

export const undocumented: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["Record.Create", { kind: "write", run: recordCreate, errors: recordErrors }],
  ["Record.Modify", { kind: "write", run: recordModify, errors: recordErrors }],
  ["Record.Remove", { kind: "write", run: recordRemove, errors: recordErrors }],
  ["Record.Remark", { kind: "write", run: recordRemark, errors: recordErrors }],
  ["Record.Status", { kind: "write", run: recordStatus, errors: recordErrors }],
  ["Batch.Record.Modify", { kind: "write", run: batchModify, errors: recordErrors }],
  ["Domainshare.Create", { kind: "write", run: shareCreate, errors: shareErrors }],
  ["Domainshare.List", { kind: "read", run: shareList, errors: domainErrors }],
  ["Domainshare.Remove", { kind: "write", run: shareRemove, errors: shareErrors }],
  ["Record.Line", { kind: "read", run: recordLine, errors: gradeErrors }],
  ["Record.Type", { kind: "read", run: recordType, errors: gradeErrors }],
]);
