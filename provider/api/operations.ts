/** The interface as one table. Codes are in meanings.ts. */
import type { z } from "zod";
import * as answers from "./answers";
import { documented } from "./meanings";
import * as requests from "./requests";

export interface Operation<Request, Response> {
  /** A write is never sent twice on a guess. */
  readonly kind: "read" | "write";
  readonly request: z.ZodType<requests.Form, Request>;
  readonly response: answers.Answer<Response>;
  /** Makes the service's own texts in a result safe to show. */
  readonly cleaned?: (response: Response, clean: (text: string) => string) => Response;
}

type Row<N extends "read" | "write"> = <Q, R>(
  request: z.ZodType<requests.Form, Q>,
  response: answers.Answer<R>,
) => Operation<Q, R> & { readonly kind: N };
const read: Row<"read"> = (request, response) => ({ kind: "read", request, response });
const write: Row<"write"> = (request, response) => ({ kind: "write", request, response });

const rows = {
  // api.md, Endpoints.
  "Domain.Info": read(requests.oneDomain, answers.domainInfo),
  "Domain.List": read(requests.domainList, answers.domainList),
  "Domain.Purview": read(requests.oneDomain, answers.purview),
  "Domainshare.Modify": write(requests.shareModify, answers.statusOnly),
  "Record.List": read(requests.recordList, answers.recordList),
  "Record.Info": read(requests.oneRecord, answers.recordInfo),
  "Batch.Record.Create": write(requests.batchCreate, answers.jobQueued),
  "Batch.Detail": { ...read(requests.jobDetail, answers.jobDetail), cleaned: answers.cleanedJob },
  "Monitor.Gethistory": read(requests.monitorHistory, answers.monitorHistory),
  "Custom.Line.List": read(requests.oneDomain, answers.customLines),
  // service-notes.md. They need the setting undocumentedOperations.
  "Record.Modify": write(requests.recordModify, answers.recordModified),
  "Record.Remove": write(requests.oneRecord, answers.statusOnly),
  "Batch.Record.Modify": write(requests.batchModify, answers.jobQueued),
  "Domainshare.Create": write(requests.shareCreate, answers.statusOnly),
  "Domainshare.List": read(requests.oneDomain, answers.shareList),
  "Domainshare.Remove": write(requests.shareRemove, answers.statusOnly),
};

export type OperationName = keyof typeof rows;
export type Requests = { readonly [N in OperationName]: z.input<(typeof rows)[N]["request"]> };
export type Responses = { readonly [N in OperationName]: ReturnType<(typeof rows)[N]["response"]> };
export type OperationOf<N extends OperationName> = Operation<Requests[N], Responses[N]>;

export const operations: { readonly [N in OperationName]: OperationOf<N> } = rows;

export function isDocumented(operation: string): boolean {
  return Object.hasOwn(documented, operation);
}
