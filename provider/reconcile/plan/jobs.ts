/**
 * Cuts records into few batch jobs. Host labels with equal data share an object, and domains with equal
 * records share a job. Pure.
 */
import { chunks, groupBy, split } from "../../support/collections";
import { toWire, type DeclaredRecord } from "../../dns";

/** api.md, Batch.Record.Create. */
interface JobObject {
  readonly type: string;
  readonly line: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | undefined;
  /** The apex always stands alone. */
  readonly labels: readonly JobLabel[];
}

interface JobLabel {
  readonly subDomain: string;
  /** In the order of the job's domains. */
  readonly makes: readonly DeclaredRecord[];
}

/** Every label is made in every domain. */
export interface Job {
  readonly domains: readonly string[];
  readonly objects: readonly JobObject[];
  readonly records: readonly DeclaredRecord[];
}

export interface JobOptions {
  readonly defaultTtl: number;
  readonly maxRecordsPerJob: number;
  readonly defaultLine: (domain: string) => string;
}

/**
 * Stages of jobs. There are two if records on other lines do not fit into one job with those of the default
 * line, which the service needs first (service-notes.md, code 31).
 */
export function planJobs(records: readonly DeclaredRecord[], options: JobOptions): Job[][] {
  const whole = jobsOf(records, options);
  if (whole.length === 0) return [];
  const [ofDefault, ofOthers] = split(records, ({ line }) => line === undefined);
  if (whole.length === 1 || ofDefault.length === 0 || ofOthers.length === 0) return [whole];
  return [jobsOf(ofDefault, options), jobsOf(ofOthers, options)];
}

/** Divided by domain first; empty for a single record. */
export function halvesOf(job: Job): Job[] {
  const { length } = job.records;
  return length < 2 ? [] : cutJob(job, Math.ceil(length / 2));
}

function jobsOf(records: readonly DeclaredRecord[], options: JobOptions): Job[] {
  const byDomain = groupBy(records, ({ domain }) => domain);
  const zones = [...byDomain].map(([domain, own]) => ({ domain, objects: objectsOf(domain, own, options) }));
  const workOf = (objects: readonly JobObject[]): string =>
    JSON.stringify(objects.map((each) => [...dataOf(each), each.labels.map(({ subDomain }) => subDomain)]));
  return [...groupBy(zones, ({ objects }) => workOf(objects)).values()].flatMap((equal) => {
    const domains = equal.map(({ domain }) => domain);
    const objects = equal[0].objects.map((object, i) => {
      const labels = object.labels.map(({ subDomain }, j) => {
        const makes = equal.flatMap((zone) => zone.objects[i]?.labels[j]?.makes ?? []);
        return { subDomain, makes };
      });
      return { ...object, labels };
    });
    return cutJob({ domains, objects }, options.maxRecordsPerJob);
  });
}

function objectsOf(
  domain: string,
  records: readonly DeclaredRecord[],
  { defaultTtl, defaultLine }: JobOptions,
): JobObject[] {
  const own = defaultLine(domain);
  const single = records.map((record): JobObject => {
    const { line = own, ttl } = record;
    const { subDomain, ...data } = toWire(record);
    return {
      priority: undefined,
      ...data,
      line,
      ttl: ttl === "default" ? defaultTtl : ttl,
      labels: [{ subDomain, makes: [record] }],
    };
  });
  // The apex is the empty label, which no comma list can hold.
  const equal = groupBy(single, (object) =>
    JSON.stringify([object.labels[0]?.subDomain === "", ...dataOf(object)]),
  );
  const keyed = [...equal.values()].map((objects) => {
    const [object] = objects;
    const labels = objects
      .flatMap((each) => each.labels)
      .sort((a, b) => (a.subDomain < b.subDomain ? -1 : 1));
    const key = JSON.stringify([object.line === own ? 0 : 1, labels[0]?.subDomain, ...dataOf(object)]);
    return { key, object: { ...object, labels } };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ object }) => object);
}

function dataOf({ type, line, value, ttl, priority }: JobObject): readonly unknown[] {
  return [type, line, value, ttl, priority];
}

/** Cuts between domains while whole domains fit, else between labels. */
function cutJob({ domains, objects }: Omit<Job, "records">, limit: number): Job[] {
  const labels = objects.flatMap((object) => object.labels.map((label) => ({ object, label })));
  const fitting = Math.max(1, Math.floor(limit / labels.length));
  const parts = chunks(labels, limit);
  return chunks(domains, fitting).flatMap((some, i) => parts.map((part) => jobOf(some, i * fitting, part)));
}

/** @param from the place of the first domain in each label's records */
function jobOf(
  domains: readonly string[],
  from: number,
  labels: readonly { readonly object: JobObject; readonly label: JobLabel }[],
): Job {
  const objects = [...groupBy(labels, ({ object }) => object)].map(([object, own]) => ({
    ...object,
    labels: own.map(({ label: { subDomain, makes } }) => ({
      subDomain,
      makes: makes.slice(from, from + domains.length),
    })),
  }));
  return { domains, objects, records: objects.flatMap((each) => each.labels.flatMap(({ makes }) => makes)) };
}
