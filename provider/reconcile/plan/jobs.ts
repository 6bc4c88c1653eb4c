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
  /** The apex always stands alone. `makes`: domain → record. */
  readonly labels: readonly {
    readonly subDomain: string;
    readonly makes: ReadonlyMap<string, DeclaredRecord>;
  }[];
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

function jobOf(domains: readonly string[], objects: readonly JobObject[]): Job {
  const records = objects.flatMap(({ labels }) =>
    labels.flatMap(({ makes }) => domains.flatMap((domain) => makes.get(domain) ?? [])),
  );
  return { domains, objects, records };
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
        const makes = new Map(equal.flatMap((zone) => [...(zone.objects[i]?.labels[j]?.makes ?? [])]));
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
      labels: [{ subDomain, makes: new Map([[domain, record]]) }],
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
  const fitting = Math.floor(limit / labels.length);
  if (fitting > 0) return chunks(domains, fitting).map((part) => jobOf(part, objects));
  const parts = chunks(labels, limit).map((part) =>
    [...groupBy(part, ({ object }) => object)].map(([object, own]) => ({
      ...object,
      labels: own.map(({ label }) => label),
    })),
  );
  return domains.flatMap((domain) => parts.map((part) => jobOf([domain], part)));
}
