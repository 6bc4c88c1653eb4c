/** The life of a batch job (api.md, Batch job item status). `settle` executes due records; no timer runs. */
import { edit, editOf, recordIn } from "./edits";
import { Refusal, repeating } from "./envelope";
import type { Account, Domain, ItemStatus, Job, JobItem, JobRecord, JobType, Rec, World } from "./model";
import { judge } from "./rules";
import { enter } from "./zone";

export function settle(world: World): void {
  while (settleNext(world));
}

/** Executes the first due record. @returns whether there was one */
export function settleNext(world: World): boolean {
  const now = world.now();
  let first: Job | undefined;
  for (const job of world.openJobs) {
    if (!job.stuck && job.nextAt <= now && (first === undefined || job.nextAt < first.nextAt)) first = job;
  }
  if (first !== undefined) executeNext(world, first, first.nextAt);
  return first !== undefined;
}

export function queueJob(world: World, account: Account, type: JobType, items: JobItem[]): Job {
  const { jobStartMs, jobMs, stickAfter } = world.settings;
  const now = world.now();
  world.nextId.job += world.random.between(1, 9);
  const job: Job = {
    id: world.nextId.job,
    account,
    type,
    createdAt: now,
    items,
    item: 0,
    record: 0,
    executed: 0,
    nextAt: now + jobStartMs + jobMs,
    recordMs: jobMs,
    stuck: stickAfter === 0,
    stickAfter,
    done: false,
  };
  world.jobs.set(job.id, job);
  world.openJobs.add(job);
  return job;
}

function executeNext(world: World, job: Job, at: number): void {
  const item = job.items[job.item];
  const record = item?.records[job.record];
  if (item === undefined || record === undefined) return close(world, job);
  try {
    const entered = execute(world, item, record, at);
    record.status = "ok";
    record.recordId = entered.id;
    record.value = entered.value;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    record.status = "error";
    record.error = refusal.message;
  }
  job.executed += 1;
  job.record += 1;
  job.nextAt = at + job.recordMs;
  if (job.record >= item.records.length) {
    finishItem(item);
    job.item += 1;
    job.record = 0;
  }
  if (job.item >= job.items.length) return close(world, job);
  if (job.stickAfter !== null && job.executed >= job.stickAfter) job.stuck = true;
}

/** An item fails only if all its records fail. */
function finishItem(item: JobItem): void {
  const anyOk = item.records.some((record) => record.status === "ok");
  item.status = anyOk ? "ok" : "error";
  item.error = anyOk ? null : (item.records[0]?.error ?? null);
}

function close(world: World, job: Job): void {
  job.done = true;
  job.stuck = false;
  world.openJobs.delete(job);
}

function execute(world: World, item: JobItem, record: JobRecord, at: number): Rec {
  const domain = world.domains.get(item.domainId);
  if (domain === undefined) throw new Refusal("8", "Domain invalid");
  if (domain.status === "lock") throw new Refusal("21", "Domain locked");
  if (domain.status === "spam") throw new Refusal("-15", "Domain banned");
  const forbidden = world.settings.refuse.find((rule) => matches(rule, domain, record));
  if (forbidden !== undefined)
    throw new Refusal(
      "3",
      repeating(
        forbidden.message,
        item.records.map(({ value }) => value),
      ),
    );
  if (record.change !== undefined) {
    const target = recordIn(domain, record.recordId);
    edit(world, domain, target, editOf(target, record.change), at);
    return target;
  }
  const { name, type, value, sent } = record;
  const line = sent.record_line === "" ? undefined : sent.record_line;
  const shaped = judge(world, domain, { name, type, value, line, ttl: sent.ttl, mx: sent.MX });
  domain.operatedAt = at;
  return enter(world, domain, shaped, at);
}

type RefuseRule = World["settings"]["refuse"][number];

function matches(rule: RefuseRule, domain: Domain, record: JobRecord): boolean {
  return (
    (rule.domain === undefined || rule.domain === domain.name) &&
    (rule.name === undefined || rule.name === record.name) &&
    (rule.type === undefined || rule.type === record.type) &&
    (rule.value === undefined || rule.value === record.value)
  );
}

function begun(job: Job, now: number): boolean {
  if (job.done) return false;
  if (job.stuck && job.executed === 0) return false;
  return now >= job.nextAt - job.recordMs;
}

/** `running` follows from the clock. */
export function itemStatus(job: Job, item: JobItem, now: number): ItemStatus {
  const current = job.items[job.item] === item && !job.done;
  return current && (job.record > 0 || begun(job, now)) ? "running" : item.status;
}

export function recordStatus(job: Job, item: JobItem, record: JobRecord, now: number): ItemStatus {
  const current = job.items[job.item] === item && item.records[job.record] === record;
  return current && begun(job, now) ? "running" : record.status;
}

/** api.md, Batch.Detail: domains and records count one each. */
export function progress(job: Job): { total: number; success: number; fail: number } {
  const entries = job.items.flatMap((item) => [item.status, ...item.records.map((record) => record.status)]);
  const success = entries.filter((status) => status === "ok").length;
  const fail = entries.filter((status) => status === "error").length;
  return { total: success + fail, success, fail };
}

export function stick(job: Job): void {
  if (!job.done) job.stuck = true;
}

export function release(world: World, job: Job): void {
  if (!job.stuck) return;
  job.stuck = false;
  job.stickAfter = null;
  job.nextAt = world.now() + job.recordMs;
}

export function finish(world: World, job: Job): void {
  job.stickAfter = null;
  while (!job.done) executeNext(world, job, world.now());
}
