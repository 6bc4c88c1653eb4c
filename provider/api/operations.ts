/**
 * The interface as one table: each operation's kind, its request from English to form parameters, its answer from
 * JSON to typed English, and the meanings of its codes. A new operation is a new row. Wire words end here.
 */
import type { z } from "zod";
import * as answers from "./answers";
import { documented, type Meanings, undocumented } from "./meanings";
import * as requests from "./requests";

/** One row of the table. */
export interface Operation<Request, Response> {
  /** `write` when the service may change something: never sent twice on a guess. */
  readonly kind: "read" | "write";
  /** False for what api.md does not contain: refused unless the setting undocumentedOperations is on. */
  readonly documented: boolean;
  /** English in, form parameters out. */
  readonly request: z.ZodType<requests.Form, Request>;
  /** The JSON body, and beside it under `request` the form that asked for it; the typed result out. */
  readonly response: z.ZodType<Response>;
  /** The operation's own codes. */
  readonly meanings: Meanings;
  /** The result with the texts in it that are the service's own words made safe to show. */
  readonly cleaned?: (response: Response, clean: (text: string) => string) => Response;
}

type Row<Request, Response> = Operation<Request, Response>;

function reads<Q, R>(
  request: z.ZodType<requests.Form, Q>,
  response: z.ZodType<R>,
  meanings: Meanings,
): Row<Q, R> {
  return { kind: "read", documented: true, request, response, meanings };
}

function writes<Q, R>(
  request: z.ZodType<requests.Form, Q>,
  response: z.ZodType<R>,
  meanings: Meanings,
): Row<Q, R> {
  return { kind: "write", documented: true, request, response, meanings };
}

/** What public clients use beside api.md (service-notes.md, Operations outside api.md). */
function beyond<Q, R>(row: Row<Q, R>): Row<Q, R> {
  return { ...row, documented: false };
}

/** api.md, Endpoints, and what lies beyond them: all that an operation is, a row each. */
const rows = {
  "Domain.Info": reads(requests.oneDomain, answers.domainInfo, documented["Domain.Info"]),
  "Domain.List": reads(requests.domainList, answers.domainList, documented["Domain.List"]),
  "Domain.Purview": reads(requests.oneDomain, answers.purview, documented["Domain.Purview"]),
  "Domainshare.Modify": writes(requests.shareModify, answers.statusOnly, documented["Domainshare.Modify"]),
  "Record.List": reads(requests.recordList, answers.recordList, documented["Record.List"]),
  "Record.Info": reads(requests.recordInfo, answers.recordInfo, documented["Record.Info"]),
  "Batch.Record.Create": writes(requests.batchCreate, answers.jobQueued, documented["Batch.Record.Create"]),
  "Batch.Detail": {
    ...reads(requests.jobDetail, answers.jobDetail, documented["Batch.Detail"]),
    cleaned: answers.cleanedJob,
  },
  "Monitor.Gethistory": reads(
    requests.monitorHistory,
    answers.monitorHistory,
    documented["Monitor.Gethistory"],
  ),
  "Custom.Line.List": reads(requests.oneDomain, answers.customLines, documented["Custom.Line.List"]),
  "Record.Modify": beyond(
    writes(requests.recordModify, answers.recordModified, undocumented["Record.Modify"]),
  ),
  "Record.Remove": beyond(writes(requests.recordRemove, answers.statusOnly, undocumented["Record.Remove"])),
  "Batch.Record.Modify": beyond(
    writes(requests.batchModify, answers.jobQueued, undocumented["Batch.Record.Modify"]),
  ),
  "Domainshare.Create": beyond(
    writes(requests.shareCreate, answers.statusOnly, undocumented["Domainshare.Create"]),
  ),
  "Domainshare.List": beyond(reads(requests.oneDomain, answers.shareList, undocumented["Domainshare.List"])),
  "Domainshare.Remove": beyond(
    writes(requests.shareRemove, answers.statusOnly, undocumented["Domainshare.Remove"]),
  ),
};

/** The name of an operation as in api.md, or in service-notes.md where api.md does not contain it. */
export type OperationName = keyof typeof rows;

/** What each operation is asked. */
export type Requests = { readonly [N in OperationName]: z.input<(typeof rows)[N]["request"]> };

/** What each operation answers. */
export type Responses = { readonly [N in OperationName]: z.output<(typeof rows)[N]["response"]> };

/** A row with its types tied to its name. */
export type OperationOf<N extends OperationName> = Operation<Requests[N], Responses[N]>;

export const operations: { readonly [N in OperationName]: OperationOf<N> } = rows;
