/**
 * From records to as few batch jobs as possible: host labels with equal data share an object, domains with equal work share
 * a job, and no job exceeds the limit. Pure.
 */
import { groupBy } from "../../gather";
import { toWire, type DeclaredRecord } from "../../dns";

/** A host label, and the record that it makes in each domain of the job. */
interface Label {
  readonly subDomain: string;
  readonly makes: readonly DeclaredRecord[];
}

/** One object of Batch.Record.Create's `records` (api.md, Batch.Record.Create). */
export interface JobObject {
  readonly type: string;
  readonly line: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | undefined;
  /** The apex always stands alone. */
  readonly labels: readonly Label[];
}

/** One call of Batch.Record.Create: every label is made in every domain. */
export interface Job {
  readonly domains: readonly string[];
  readonly objects: readonly JobObject[];
}

export interface JobOptions {
  readonly defaultLine: string;
  readonly defaultTtl: number;
  readonly maxRecordsPerJob: number;
}

export type DefaultLineOf = (domain: string) => string;

export function makesOf(job: Job): DeclaredRecord[] {
  return job.objects.flatMap((object) => object.labels.flatMap((label) => label.makes));
}

/**
 * Stages of jobs, one after the other. There are two only where records on other lines do not fit into one job with those of
 * the default line, which the service wants first (service-notes.md, code 31). @param defaultLine its name for a domain
 */
export function planJobs(records: readonly DeclaredRecord[], options: JobOptions, defaultLine: DefaultLineOf = () => options.defaultLine): Job[][] {
  const whole = jobsOf(records, options, defaultLine);
  if (whole.length === 0) return [];
  const ofDefault = records.filter((record) => record.line === undefined);
  const ofOthers = records.filter((record) => record.line !== undefined);
  if (whole.length === 1 || ofDefault.length === 0 || ofOthers.length === 0) return [whole];
  return [jobsOf(ofDefault, options, defaultLine), jobsOf(ofOthers, options, defaultLine)];
}

/** The halves of a job that was refused as a whole, by domain first; undefined when it makes a single record. */
export function splitJob(job: Job): [Job, Job] | undefined {
  const { domains, objects } = job;
  const halfOf = (all: readonly unknown[]): number => Math.ceil(all.length / 2);
  if (domains.length > 1) return [sliceDomains(job, 0, halfOf(domains)), sliceDomains(job, halfOf(domains))];
  if (objects.length > 1) return [{ ...job, objects: objects.slice(0, halfOf(objects)) }, { ...job, objects: objects.slice(halfOf(objects)) }];
  const [object] = objects;
  if (object === undefined || object.labels.length < 2) return undefined;
  const withLabels = (labels: readonly Label[]): Job => ({ ...job, objects: [{ ...object, labels }] });
  return [withLabels(object.labels.slice(0, halfOf(object.labels))), withLabels(object.labels.slice(halfOf(object.labels)))];
}

function jobsOf(records: readonly DeclaredRecord[], options: JobOptions, defaultLine: DefaultLineOf): Job[] {
  const byWork = new Map<string, Job>();
  for (const [domain, own] of groupBy(records, (record) => record.domain)) {
    const objects = objectsOf(own, options, defaultLine(domain));
    const work = JSON.stringify(objects.map((o) => [...data(o), o.labels.map((label) => label.subDomain)]));
    const same = byWork.get(work);
    byWork.set(work, same ? joinDomain(same, domain, objects) : { domains: [domain], objects });
  }
  return [...byWork.values()].flatMap((job) => cutJob(job, options.maxRecordsPerJob));
}

function objectsOf(records: readonly DeclaredRecord[], options: JobOptions, defaultLine: string): JobObject[] {
  const objects = new Map<string, JobObject & { labels: Label[] }>();
  for (const record of records) {
    const wire = toWire(record);
    const object = {
      type: wire.type,
      line: record.line ?? defaultLine,
      value: wire.value,
      ttl: record.ttl === "default" ? options.defaultTtl : record.ttl,
      priority: wire.priority,
      labels: [{ subDomain: wire.subDomain, makes: [record] }],
    };
    // The apex is the empty label, which no comma list can hold.
    const key = JSON.stringify([wire.subDomain === "", ...data(object)]);
    const same = objects.get(key);
    if (same) same.labels.push(...object.labels);
    else objects.set(key, object);
  }
  const list = [...objects.values()];
  for (const object of list) object.labels.sort((a, b) => (a.subDomain < b.subDomain ? -1 : 1));
  const rank = (object: JobObject): number => (object.line === defaultLine ? 0 : 1);
  return list
    .map((object) => ({ object, key: JSON.stringify([rank(object), object.labels[0]?.subDomain, ...data(object)]) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ object }) => object);
}

function data(object: JobObject): readonly unknown[] {
  return [object.type, object.line, object.value, object.ttl, object.priority ?? null];
}

function joinDomain(job: Job, domain: string, objects: readonly JobObject[]): Job {
  return withMakes(job, [...job.domains, domain], ({ makes }, i, j) => [...makes, ...(objects[i]?.labels[j]?.makes ?? [])]);
}

function sliceDomains(job: Job, from: number, to?: number): Job {
  return withMakes(job, job.domains.slice(from, to), ({ makes }) => makes.slice(from, to));
}

function withMakes(job: Job, domains: readonly string[], makesOf: (label: Label, object: number, place: number) => readonly DeclaredRecord[]): Job {
  const objects = job.objects.map((object, i) => ({ ...object, labels: object.labels.map((label, j) => ({ ...label, makes: makesOf(label, i, j) })) }));
  return { domains, objects };
}

/** Cuts by domains while whole domains fit, else by labels. */
function cutJob(job: Job, limit: number): Job[] {
  const perDomain = job.objects.reduce((sum, object) => sum + object.labels.length, 0);
  if (perDomain * job.domains.length <= limit) return [job];
  if (perDomain <= limit) {
    const step = Math.floor(limit / perDomain);
    const parts: Job[] = [];
    for (let at = 0; at < job.domains.length; at += step) parts.push(sliceDomains(job, at, at + step));
    return parts;
  }
  return job.domains.flatMap((_, index) => cutObjects(sliceDomains(job, index, index + 1), limit));
}

function cutObjects(job: Job, limit: number): Job[] {
  const parts: JobObject[][] = [[]];
  let room = limit;
  for (const object of job.objects) {
    let labels = object.labels;
    while (labels.length > 0) {
      if (room === 0) {
        parts.push([]);
        room = limit;
      }
      const taken = labels.slice(0, room);
      parts.at(-1)?.push({ ...object, labels: taken });
      room -= taken.length;
      labels = labels.slice(taken.length);
    }
  }
  return parts.map((objects) => ({ domains: job.domains, objects }));
}
