/**
 * The interface as one table: each operation's kind, its request from English to form parameters, its answer from
 * JSON to typed English, and the meanings of its codes. A new operation is a new row. Wire words end here.
 */
import type { z } from "zod";
import * as answers from "./answers";
import { documented, type Meanings, undocumented } from "./meanings";
import * as requests from "./requests";
import type * as t from "./types";

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

/** What each operation is asked. */
export interface Requests {
  "Domain.Info": z.input<typeof requests.oneDomain>;
  "Domain.List": z.input<typeof requests.domainList>;
  "Domain.Purview": z.input<typeof requests.oneDomain>;
  "Domainshare.Modify": z.input<typeof requests.shareModify>;
  "Record.List": z.input<typeof requests.recordList>;
  "Record.Info": z.input<typeof requests.recordInfo>;
  "Batch.Record.Create": z.input<typeof requests.batchCreate>;
  "Batch.Detail": z.input<typeof requests.jobDetail>;
  "Monitor.Gethistory": z.input<typeof requests.monitorHistory>;
  "Custom.Line.List": z.input<typeof requests.oneDomain>;
  "Record.Modify": z.input<typeof requests.recordModify>;
  "Record.Remove": z.input<typeof requests.recordRemove>;
  "Batch.Record.Modify": z.input<typeof requests.batchModify>;
  "Domainshare.Create": z.input<typeof requests.shareCreate>;
  "Domainshare.List": z.input<typeof requests.oneDomain>;
  "Domainshare.Remove": z.input<typeof requests.shareRemove>;
}

/** What each operation answers. */
export interface Responses {
  "Domain.Info": t.DomainDetail;
  "Domain.List": { counters: t.DomainCounters; domains: readonly t.DomainSummary[] };
  "Domain.Purview": t.PurviewEntry[];
  "Domainshare.Modify": Record<string, never>;
  "Record.List": { zone: t.ZoneHeader; counts: t.ZoneCounts; records: readonly t.LiveRecord[] };
  "Record.Info": t.RecordDetail;
  "Batch.Record.Create": { jobId: string };
  "Batch.Detail": t.JobDetail;
  "Monitor.Gethistory": t.MonitorHistory;
  "Custom.Line.List": t.CustomLines;
  "Record.Modify": { recordId?: string };
  "Record.Remove": Record<string, never>;
  "Batch.Record.Modify": { jobId: string };
  "Domainshare.Create": Record<string, never>;
  "Domainshare.List": { shares: readonly t.DomainShareEntry[] };
  "Domainshare.Remove": Record<string, never>;
}

/** The name of an operation as in api.md, or in service-notes.md where api.md does not contain it. */
export type OperationName = keyof Responses & keyof Requests;

/** A row with its types tied to its name. */
export type OperationOf<N extends OperationName> = Operation<Requests[N], Responses[N]>;

/** api.md, Endpoints; below them what public clients use beside (service-notes.md, Operations outside api.md). */
export const operations: { readonly [N in OperationName]: OperationOf<N> } = {
  "Domain.Info": {
    kind: "read",
    documented: true,
    request: requests.oneDomain,
    response: answers.domainInfo,
    meanings: documented["Domain.Info"],
  },
  "Domain.List": {
    kind: "read",
    documented: true,
    request: requests.domainList,
    response: answers.domainList,
    meanings: documented["Domain.List"],
  },
  "Domain.Purview": {
    kind: "read",
    documented: true,
    request: requests.oneDomain,
    response: answers.purview,
    meanings: documented["Domain.Purview"],
  },
  "Domainshare.Modify": {
    kind: "write",
    documented: true,
    request: requests.shareModify,
    response: answers.statusOnly,
    meanings: documented["Domainshare.Modify"],
  },
  "Record.List": {
    kind: "read",
    documented: true,
    request: requests.recordList,
    response: answers.recordList,
    meanings: documented["Record.List"],
  },
  "Record.Info": {
    kind: "read",
    documented: true,
    request: requests.recordInfo,
    response: answers.recordInfo,
    meanings: documented["Record.Info"],
  },
  "Batch.Record.Create": {
    kind: "write",
    documented: true,
    request: requests.batchCreate,
    response: answers.jobQueued,
    meanings: documented["Batch.Record.Create"],
  },
  "Batch.Detail": {
    kind: "read",
    documented: true,
    request: requests.jobDetail,
    response: answers.jobDetail,
    meanings: documented["Batch.Detail"],
    cleaned: answers.cleanedJob,
  },
  "Monitor.Gethistory": {
    kind: "read",
    documented: true,
    request: requests.monitorHistory,
    response: answers.monitorHistory,
    meanings: documented["Monitor.Gethistory"],
  },
  "Custom.Line.List": {
    kind: "read",
    documented: true,
    request: requests.oneDomain,
    response: answers.customLines,
    meanings: documented["Custom.Line.List"],
  },
  "Record.Modify": {
    kind: "write",
    documented: false,
    request: requests.recordModify,
    response: answers.recordModified,
    meanings: undocumented["Record.Modify"],
  },
  "Record.Remove": {
    kind: "write",
    documented: false,
    request: requests.recordRemove,
    response: answers.statusOnly,
    meanings: undocumented["Record.Remove"],
  },
  "Batch.Record.Modify": {
    kind: "write",
    documented: false,
    request: requests.batchModify,
    response: answers.jobQueued,
    meanings: undocumented["Batch.Record.Modify"],
  },
  "Domainshare.Create": {
    kind: "write",
    documented: false,
    request: requests.shareCreate,
    response: answers.statusOnly,
    meanings: undocumented["Domainshare.Create"],
  },
  "Domainshare.List": {
    kind: "read",
    documented: false,
    request: requests.oneDomain,
    response: answers.shareList,
    meanings: undocumented["Domainshare.List"],
  },
  "Domainshare.Remove": {
    kind: "write",
    documented: false,
    request: requests.shareRemove,
    response: answers.statusOnly,
    meanings: undocumented["Domainshare.Remove"],
  },
};
