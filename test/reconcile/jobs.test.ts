import { deepEqual, equal, ok } from "node:assert/strict";
import { halvesOf, makesOf, planJobs, type Job } from "../../provider/reconcile/plan/jobs";
import type { DeclaredRecord } from "../../provider/dns";

const options = { defaultLine: () => "默认", defaultTtl: 600, maxRecordsPerJob: 1000 };
const a = (
  domain: string,
  name: string,
  value = "192.0.2.1",
  more: Partial<DeclaredRecord> = {},
): DeclaredRecord => ({ domain, name, type: "A", value, ttl: 600, ...more });
const shape = (job: Job): unknown => ({
  domains: job.domains,
  objects: job.objects.map(
    (o) => `${o.labels.map((l) => l.subDomain).join(",")} ${o.type} ${o.value} ${o.ttl} ${o.line}`,
  ),
});

describe("records become jobs", () => {
  it("no record needs no job", () => {
    deepEqual(planJobs([], options), []);
  });

  it("host labels with equal data share an object, and the apex stands alone", () => {
    const stages = planJobs(
      [a("example.com", "www"), a("example.com", "@"), a("example.com", "api")],
      options,
    );
    deepEqual(stages.flat().map(shape), [
      { domains: ["example.com"], objects: [" A 192.0.2.1 600 默认", "api,www A 192.0.2.1 600 默认"] },
    ]);
  });

  it("25 records in each of 40 domains are one job of 1,000", () => {
    const domains = Array.from({ length: 40 }, (_, i) => `d${i}.example`);
    const records = domains.flatMap((d) =>
      Array.from({ length: 25 }, (_, i) => a(d, `h${i}`, `192.0.2.${i}`)),
    );
    const jobs = planJobs(records, options).flat();
    equal(jobs.length, 1);
    equal(jobs[0]?.domains.length, 40);
    deepEqual(new Set(jobs.flatMap(makesOf)), new Set(records));
  });

  it("a record without a TTL is sent with the default TTL", () => {
    const jobs = planJobs(
      [
        a("example.com", "x", "192.0.2.1", { ttl: "default" }),
        a("example.com", "y", "192.0.2.1", { ttl: 60 }),
      ],
      options,
    );
    deepEqual(jobs.flat().map(shape), [
      { domains: ["example.com"], objects: ["x A 192.0.2.1 600 默认", "y A 192.0.2.1 60 默认"] },
    ]);
  });

  it("records of the default line are created before those of other lines", () => {
    const records = [
      a("example.com", "www", "198.51.100.1", { line: "电信" }),
      a("example.com", "www"),
      a("example.com", "api", "198.51.100.1", { line: "电信" }),
      a("example.com", "api"),
    ];
    deepEqual(
      planJobs(records, options).map((stage) => stage.map(shape)),
      [
        [
          {
            domains: ["example.com"],
            objects: ["api,www A 192.0.2.1 600 默认", "api,www A 198.51.100.1 600 电信"],
          },
        ],
      ],
    );
    const small = planJobs(records, { ...options, maxRecordsPerJob: 2 });
    deepEqual(
      small.map((stage) => stage.flatMap((job) => job.objects.map((o) => o.line))),
      [["默认"], ["电信"]],
    );
  });

  it("no job is larger than the limit, and nothing is lost or made twice", () => {
    const records = [
      ...Array.from({ length: 2500 }, (_, i) => a("example.com", `h${i}`)),
      ...Array.from({ length: 10 }, (_, i) => a("example.net", `h${i}`)),
    ];
    const jobs = planJobs(records, options).flat();
    for (const job of jobs) ok(makesOf(job).length <= 1000);
    equal(jobs.length, 4);
    const made = jobs.flatMap(makesOf);
    equal(made.length, records.length);
    deepEqual(new Set(made), new Set(records));
  });

  it("many domains with equal work are cut between domains", () => {
    const domains = Array.from({ length: 7 }, (_, i) => `d${i}.example`);
    const records = domains.flatMap((d) => [a(d, "a"), a(d, "b"), a(d, "c")]);
    const jobs = planJobs(records, { ...options, maxRecordsPerJob: 10 }).flat();
    deepEqual(
      jobs.map((job) => job.domains.length),
      [3, 3, 1],
    );
    deepEqual(new Set(jobs.flatMap(makesOf)), new Set(records));
  });

  it("a refused job is halved down to single records", () => {
    const records = ["d1.example", "d2.example"].flatMap((d) => [
      a(d, "a"),
      a(d, "b"),
      a(d, "c", "192.0.2.9"),
    ]);
    const leaves: DeclaredRecord[][] = [];
    const walk = (job: Job) => {
      const halves = halvesOf(job);
      if (halves.length === 0) leaves.push(makesOf(job));
      else halves.forEach(walk);
    };
    planJobs(records, options).flat().forEach(walk);
    ok(leaves.every((leaf) => leaf.length === 1));
    deepEqual(new Set(leaves.flat()), new Set(records));
  });
});
