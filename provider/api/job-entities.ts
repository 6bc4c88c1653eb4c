/** The entities of batch jobs and monitors. */
import { briefFields, priorityOf } from "./entities";
import {
  entity,
  list,
  maybeCount,
  maybeExactEmpty,
  maybeExactText,
  maybeHostLabel,
  maybeId,
  maybeInteger,
  maybeList,
  maybeLowerCase,
  maybeMessage,
  maybeObject,
  maybeText,
  maybeTime,
  maybeWord,
  type Read,
} from "./wire";

const itemFields = {
  /** The place in the list, as the service counts. Some editions count from 0. */
  index: ["id", maybeCount],
  /** `waiting` to be executed, `running`, `ok`, or `error`. */
  status: maybeWord("waiting", "running", "ok", "error"),
  /** The operation, in the service's word: `plus` adds. */
  operation: maybeText,
  /** The service's own text. */
  error: ["err_msg", maybeMessage],
} as const;

const jobRecord = entity({
  ...itemFields,
  /** The host label, `@` for the domain itself. */
  name: ["sub_domain", maybeHostLabel],
  /** `A`, `MX` and so on; types of the service's own as they are. */
  type: ["record_type", maybeExactText],
  /** The line's name as the service writes it. */
  line: ["area", maybeExactText],
  /** As the service writes it: targets with the trailing dot. */
  value: maybeExactEmpty,
  /** The priority; of an MX record only. */
  priority: [
    "mx",
    (mx, whole, clean): number | undefined => priorityOf(mx, whole, whole["record_type"], clean),
  ],
  /** The TTL in seconds. */
  ttl: maybeCount,
  /** The record that was created or modified. */
  recordId: maybeId,
});
export interface JobRecord extends Read<typeof jobRecord> {}

export const jobItem = entity({
  ...itemFields,
  /** The domain's name. */
  domain: maybeText,
  /** The service's domain id. */
  domainId: maybeId,
  /** The domain's package. */
  grade: ["domain_grade", maybeText],
  /** The domain's records; empty in a job that adds domains. */
  records: list(jobRecord),
});
export interface JobItem extends Read<typeof jobItem> {}

export const job = entity({
  /** `domain`, `record_add` or `record_modify`. */
  type: maybeText,
  /** Executed entries; a domain and a record count as one each. */
  total: maybeCount,
  /** Entries that succeeded. */
  success: maybeCount,
  /** Entries that failed. */
  fail: maybeCount,
  /** The time of its creation: `2015-01-18T12:00:00+08:00`. */
  createdAt: maybeTime,
  /** The job's domains. */
  items: ["detail", maybeList(jobItem)],
});
export type JobDetail = Omit<Read<typeof job>, "items"> & {
  /** The job of the question. */
  readonly jobId: string;
  readonly items: readonly JobItem[];
};

const monitorSample = entity({
  /** In lower case: `ok`, `warn`, `down`, or another word of the service's. */
  status: maybeLowerCase,
  /** The HTTP status, or a negative number if there was none. */
  statusCode: maybeInteger,
  /** The time of the check: `2015-01-18T12:00:00+08:00`. */
  createdAt: ["createtime", maybeTime],
  /** The duration of the answer. The service documents no unit. */
  responseTime: ["responsetime", maybeInteger],
});
export interface MonitorSample extends Read<typeof monitorSample> {}

const monitorData = entity({
  /** The service's message about this place's data. */
  message: maybeMessage,
  /** The service's code about this place's data. */
  code: maybeInteger,
  /** The checks from this place. */
  samples: ["data", maybeList(monitorSample)],
});
export const monitorPoint = entity({
  /** The place's label. */
  point: maybeText,
  data: maybeObject(monitorData),
});
export type MonitorHistory = Read<typeof monitoredDomain> &
  Read<typeof monitoredRecord> & { readonly points?: readonly MonitorPoint[] };
export type MonitorPoint = Read<typeof monitorData> & Omit<Read<typeof monitorPoint>, "data">;

export const monitoredDomain = entity(briefFields);

export const monitoredRecord = entity({
  /** The service's id of the monitored record. */
  recordId: ["id", maybeId],
  /** The record's host label, `@` for the domain itself. */
  recordName: ["sub_domain", maybeHostLabel],
  /** The monitored address. */
  ip: maybeText,
});
