import { deepEqual, equal, ok } from "node:assert/strict";
import { halvesOf, planJobs, type Job } from "../../provider/reconcile/plan/jobs";
import type { DeclaredRecord } from "../../provider/dns";

const address = (domain: string, name: string, value = "192.0.2.1", more: Partial<DeclaredRecord> = {}) => ({
  domain,
  name,
  type: "A",
  value,
  ttl: 600,
  ...more,
});
const exampleAddress = (name: string, value?: string, more?: Partial<DeclaredRecord>) =>
  address("example.com", name, value, more);
const domains = (n: number) => Array.from({ length: n }, (_, i) => `d${i}.example`);
const numbered = (n: number, domain: string) => Array.from({ length: n }, (_, i) => address(domain, `h${i}`));

const stagesOf = (records: readonly DeclaredRecord[], maxRecordsPerJob = 1000) =>
  planJobs(records, { defaultLine: () => "默认", defaultTtl: 600, maxRecordsPerJob });

/** The domains and the objects of each job. */
const shapesOf = (jobs: readonly Job[]) =>
  jobs.map((job) => [
    job.domains.join(),
    ...job.objects.map(
      (o) => `${o.labels.map((l) => l.subDomain).join()} ${o.type} ${o.value} ${o.ttl} ${o.line}`,
    ),
  ]);

/** The jobs, which make each record once. */
function jobsOf(records: readonly DeclaredRecord[], most?: number) {
  const jobs = stagesOf(records, most).flat();
  const made = jobs.flatMap(({ records }) => records);
  deepEqual([made.length, new Set(made)], [records.length, new Set(records)]);
  return jobs;
}

describe("records become jobs", () => {
  it("no record needs no job", () => {
    deepEqual(stagesOf([]), []);
  });

  it("host labels with equal data share an object, and the apex stands alone", () => {
    deepEqual(shapesOf(jobsOf([exampleAddress("www"), exampleAddress("@"), exampleAddress("api")])), [
      ["example.com", " A 192.0.2.1 600 默认", "api,www A 192.0.2.1 600 默认"],
    ]);
  });

  it("25 records in each of 40 domains are one job of 1,000", () => {
    const names = Array.from({ length: 25 }, (_, i) => i);
    const [job, ...others] = jobsOf(
      domains(40).flatMap((domain) => names.map((i) => address(domain, `h${i}`, `192.0.2.${i}`))),
    );
    deepEqual([job?.domains.length, others], [40, []]);
  });

  it("a record without a TTL is sent with the default TTL", () => {
    deepEqual(
      shapesOf(
        jobsOf([
          exampleAddress("x", "192.0.2.1", { ttl: "default" }),
          exampleAddress("y", "192.0.2.1", { ttl: 60 }),
        ]),
      ),
      [["example.com", "x A 192.0.2.1 600 默认", "y A 192.0.2.1 60 默认"]],
    );
  });

  it("records of the default line are created before those of other lines", () => {
    const records = ["www", "api"].flatMap((name) => [
      exampleAddress(name, "198.51.100.1", { line: "电信" }),
      exampleAddress(name),
    ]);
    deepEqual(stagesOf(records).map(shapesOf), [
      [["example.com", "api,www A 192.0.2.1 600 默认", "api,www A 198.51.100.1 600 电信"]],
    ]);
    deepEqual(
      stagesOf(records, 2).map((stage) => stage.flatMap((job) => job.objects.map((o) => o.line))),
      [["默认"], ["电信"]],
    );
  });

  it("no job is larger than the limit, and nothing is lost or made twice", () => {
    const jobs = jobsOf([...numbered(2500, "example.com"), ...numbered(10, "example.net")]);
    for (const job of jobs) ok(job.records.length <= 1000);
    equal(jobs.length, 4);
  });

  it("many domains with equal work are cut between domains", () => {
    const jobs = jobsOf(
      domains(7).flatMap((domain) => numbered(3, domain)),
      10,
    );
    deepEqual(
      jobs.map((job) => job.domains.length),
      [3, 3, 1],
    );
  });

  it("a refused job is halved down to single records", () => {
    const records = domains(2).flatMap((domain) => [
      ...numbered(2, domain),
      address(domain, "c", "192.0.2.9"),
    ]);
    const leavesOf = (job: Job): (readonly DeclaredRecord[])[] => {
      const halves = halvesOf(job);
      return halves.length === 0 ? [job.records] : halves.flatMap(leavesOf);
    };
    const leaves = jobsOf(records).flatMap(leavesOf);
    ok(leaves.every((leaf) => leaf.length === 1));
    deepEqual(new Set(leaves.flat()), new Set(records));
  });
});
