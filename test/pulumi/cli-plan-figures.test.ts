/** The figures of a plan equal the effect of the next up. Each edit has a domain of its own; one stack holds them all. */
import assert from "node:assert/strict";
import { figuresIn, type DomainPlan, type StackPlan } from "../../cli/plan/report";
import type { Emulator } from "../../emulator";
import { hiddenText } from "../../provider/support/secret";
import { byBothFrontEnds, ours, story, type OwnStack as StackOf } from "../support/story";
import { balancer, batch, edits, record } from "./plan-edits";

type Outcome = readonly (readonly number[])[];
type Figures = Omit<DomainPlan, "unchanged" | "domain">;

const full = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };

async function jsonOf(told: StackOf): Promise<StackPlan> {
  const { out } = await ours(told, "plan", "--json");
  assert.doesNotMatch(out, /hush/);
  return JSON.parse(out) as StackPlan;
}

function withEnv({ stack }: StackOf, env: Readonly<Record<string, string>>): StackOf {
  return { stack: { folder: stack.folder, env: { ...stack.env, ...env } } };
}

const signsOf = ({ domains }: StackPlan): string[] =>
  domains.flatMap(({ lines }) => lines.map(({ sign, text }) => `${sign} ${text}`));

const noFigures: Figures = { ...figuresIn([], 0), lines: [], answers: [] };

type Zone = ReadonlyMap<number, { readonly text: string; readonly ttl: number }>;

function zoneOf(emulator: Emulator, domain: string): Zone {
  return new Map(
    emulator.admin
      .zone(domain, { hold: false })
      .map(({ id, name, type, value, ttl }) => [
        id,
        { text: `${name}.${domain}. ${type} ${type === "TXT" ? JSON.stringify(value) : value}`, ttl },
      ]),
  );
}

function effectOf(before: Zone, now: Zone): number[] {
  const kept = [...now].filter(([id]) => before.has(id));
  const changed = kept.filter(([id, { text, ttl }]) => {
    const old = before.get(id);
    return old?.text !== text || old.ttl !== ttl;
  });
  return [now.size - kept.length, changed.length, before.size - kept.length];
}

function figuresWrong(
  [figures = [], [later = 0, adds = 0, changes = 0, removes = 0] = [], [notBegun = 0] = []]: Outcome,
  plan: Figures,
  before: Zone,
  now: Zone,
): string[] {
  const [create = 0, , update = 0, deletes = 0] = figures;
  const { adopt, blocked, retained, undecided } = plan;
  const planned = [plan.create, adopt, plan.update, plan.delete, blocked, retained, undecided];
  const done = [create + adds - notBegun, update + changes, deletes + removes];
  return [
    ["plan", planned, [...figures, later]],
    ["up", effectOf(before, now), done],
  ].flatMap(([what, is, should]) => (`${is}` === `${should}` ? [] : [`${what} ${is}, not ${should}`]));
}

function linesWrong({ lines }: Figures, before: Zone, now: Zone): string[] {
  const has = (zone: Zone, text: string): boolean => [...zone.values()].some((each) => each.text === text);
  return lines
    .filter(
      ({ sign, text, duplicate }) =>
        /[-!.]/.test(sign) && !text.includes(hiddenText) && !text.includes("[changed") && duplicate !== true,
    )
    .flatMap(({ sign, text, was = { text } }) =>
      has(before, was.text) && has(now, was.text) === (sign !== "-") ? [] : [`${sign} ${was.text}`],
    );
}

const people = ["a", "b", "c", "d"].map((name) => `${name}@example.org`);
const [none = "", same = "", other = "", moved = ""] = people;
const share = (email: string, more: object = {}): string =>
  `new dns.DomainShare("${email.toLowerCase()}", ${JSON.stringify({ domain: "example.com", email, mode: "r", ...more })});`;
const changed = (email: string, was: string, ttl: string): string => `~ share with ${email} ${was} => ${ttl}`;

const plannedShares = async (told: Parameters<typeof jsonOf>[0]): Promise<readonly string[]> =>
  (await jsonOf(told)).domains.flatMap(({ lines }) =>
    lines.map(({ sign, text, was, ttl }) => `${sign} ${text} ${was ? `${was.ttl} => ` : ""}${ttl}`).sort(),
  );

describe("a plan with the real engine", function () {
  this.timeout(300_000);

  for (const mode of ["full", "documented"] as const) {
    const cases = edits.flatMap(([title, before, after, each, console]) => {
      const outcome = typeof each === "string" ? each : each[mode];
      const numbers = outcome?.split(", ").map((part) => part.split(" ").map(Number));
      return numbers === undefined ? [] : [{ title, before, after, outcome: numbers, console }];
    });
    it(`has the figures of the up that follows for ${cases.length} edits in ${mode} mode`, () => {
      const domains = cases.map((_, i) => `e${i}.example`);
      const program = (side: "before" | "after"): string =>
        [balancer, ...cases.map((edit, i) => edit[side].replaceAll("%", domains[i] ?? ""))].join("\n");
      const service = { domains, settings: { undocumented: mode === "full" } };
      const env = mode === "full" ? full : {};
      return story({ program: program("before"), env, service }, async (told) => {
        const { emulator, stack, up } = told;
        await up();
        for (const [i, { console }] of cases.entries()) console?.(emulator.admin, domains[i] ?? "");
        stack.program(program("after"));
        const plan = await jsonOf(told);
        assert.deepEqual(plan.errors, []);
        const zones = (): Zone[] => domains.map((domain) => zoneOf(emulator, domain));
        const before = zones();
        const run = await stack.up("--continue-on-error");
        assert.equal(run.code === 0, mode === "full", run.output);
        assert.doesNotMatch(run.output, /hush/);
        const now = zones();
        const wrong = cases.flatMap(({ title, outcome }, i) => {
          const zone = plan.domains.find(({ domain }) => domain === domains[i]) ?? noFigures;
          const sides = [before[i] ?? new Map(), now[i] ?? new Map()] as const;
          const lines = (outcome[1]?.[1] ?? 0) === 0 ? linesWrong(zone, ...sides) : [];
          return [...figuresWrong(outcome, zone, ...sides), ...lines].map((each) => `${title}: ${each}`);
        });
        assert.deepEqual(wrong, [], run.output);
      });
    });
  }

  for (const mode of ["full", "documented"]) {
    it(`plans shares in ${mode} mode`, () => {
      const isFull = mode === "full";
      const program = [
        ...(isFull ? [share(none)] : []),
        share(same),
        share(other),
        share(moved, { subDomain: "shop", from: "@" }),
      ].join("\n");
      const accounts = [{ email: "owner@example.com" }, ...people.map((email) => ({ email }))];
      const service = { accounts, settings: { undocumented: isFull } };
      return story({ program, env: isFull ? full : {}, service }, async (told) => {
        const { admin } = told.emulator;
        for (const email of [same, moved]) admin.addShare("example.com", { email, mode: "r" });
        admin.addShare("example.com", { email: other, mode: "rw" });
        const was = (mode: string): string => (isFull ? mode : "(mode not known)");
        assert.deepEqual(await plannedShares(told), [
          ...(isFull ? [`+ share with ${none} r`, `= share with ${same} r`] : [changed(same, was("r"), "r")]),
          changed(other, was("rw"), "r"),
          changed(moved, was("r"), "r on shop"),
        ]);
        await told.up();
        told.stack.program(program.replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'));
        assert.deepEqual(await plannedShares(told), []);
        await told.up();
        assert.equal(admin.shares("example.com").length, isFull ? 4 : 3);
        if (!isFull) return;
        admin.removeShare("example.com", other);
        const rest = [
          share(none, { mode: "rw" }),
          share(other, { mode: "rw" }),
          share(moved.toUpperCase(), { subDomain: "shop" }),
        ];
        told.stack.program(rest.join("\n").replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'));
        assert.deepEqual(await plannedShares(told), [
          `+ share with ${other} rw`,
          `- share with ${same} r`,
          changed(none, "r", "rw"),
        ]);
        await told.up();
        const emails = admin.shares("example.com").map(({ email }) => email);
        assert.deepEqual(emails.sort(), [none, other, moved]);
      });
    });
  }

  it("lists the errors of all resources, and plans the others", () => {
    const declared = (name: string, fields: object = {}): string =>
      `new dns.Record("${name}", ${JSON.stringify({ domain: "example.com", name, type: "A", value: "192.0.2.1", ttl: 600, ...fields })}`;
    const many = (name: string, more: object): string =>
      `new dns.RecordBatch("${name}", ${JSON.stringify({ domains: "example.com", records: [`${name} 600 A 192.0.2.1`], ...more })});`;
    return story({ program: `${declared("old")});${many("batch", {})}` }, async (told) => {
      await told.up();
      told.stack
        .program(`${declared("old")}, { transforms: [({ props, opts }) => ({ props: { ...props, ttl: "1x" }, opts })] });
        ${declared("free", { removal: "delete" })});${many("batch", { removal: "delete" })}${many("other", { undeclared: "remove" })}
        new dns.RecordBatch("two", { domains: ["e.example", "f.example"], records: ["www A 192.0.2.1"] });
        new dns.DomainShare("share", { domain: "h.example", email: "mate@example.com", mode: "r" });
        ${declared("fine")});`);
      const plan = await jsonOf(told);
      assert.deepEqual(
        plan.errors.map(({ code, text }) => `${code} ${/^\w+ "\w+"/.exec(text)?.[0]}`),
        [
          'option.not-allowed Record "free"',
          'ttl.unfit Record "old"',
          'option.not-allowed RecordBatch "batch"',
          'option.not-allowed RecordBatch "other"',
          "zone.refused undefined",
        ],
      );
      assert.deepEqual(signsOf(plan), ["+ fine.example.com. A 192.0.2.1"]);
    });
  });

  for (const isFull of [true, false])
    it(`leaves out records that the service refused and records that are gone in ${isFull ? "full" : "documented"} mode`, () => {
      const batches = ["com", "net"].map((end) =>
        batch(["f1 600 A 192.0.2.1", "f2 1 A 192.0.2.2", "f3 600 A 192.0.2.3"], "", end).replaceAll(
          "%",
          `example.${end}`,
        ),
      );
      const env = { LEGACYDNS_LIMITS: "off", ...(isFull ? full : {}) };
      const service = { settings: { undocumented: isFull } };
      return story({ program: batches.join("\n"), env, service }, async (told) => {
        const failed = await told.failing("--continue-on-error");
        assert.match(failed.output, /\[write\.refused\]\s+f2\.example\.com\. A 192\.0\.2\.2/);
        told.emulator.admin.removeRecord("example.net", { name: "f3", type: "A" });
        told.stack.program("");
        const lines = (sign: string): string[] =>
          ["f1.example.com. A 192.0.2.1", "f3.example.com. A 192.0.2.3", "f1.example.net. A 192.0.2.1"].map(
            (text) => `${sign} ${text}`,
          );
        assert.deepEqual(signsOf(await jsonOf(told)), lines(isFull ? "-" : "!"));
        const retained = await jsonOf(withEnv(told, { LEGACYDNS_REMOVAL: "retain" }));
        assert.deepEqual(signsOf(retained), lines("."));
      });
    });

  byBothFrontEnds("shows a pending deletion until its record is gone", (frontEnd) => {
    const program = (value: string): string => record(value).replaceAll("%", "example.com");
    return story({ frontEnd, program: program("192.0.2.1") }, async (told) => {
      await told.up();
      told.stack.program(program("192.0.2.2"));
      await told.failing();
      const pending = await jsonOf(told);
      assert.deepEqual(signsOf(pending), ["! one.example.com. A 192.0.2.1"]);
      assert.equal(pending.unfinished.length, 1);
      told.emulator.admin.removeRecord("example.com", { name: "one", type: "A", value: "192.0.2.1" });
      assert.deepEqual(signsOf(await jsonOf(told)), []);
      await told.up();
      assert.match((await ours(told, "plan")).out, /No change to any zone\./);
    });
  });

  it("shows the state of a zone that cannot be read", () =>
    story({ program: record("192.0.2.1").replaceAll("%", "example.com") }, async (told) => {
      await told.up();
      told.stack.program("");
      const plan = await jsonOf(withEnv(told, { LEGACYDNS_LOGIN_TOKEN: "1,wrong" }));
      assert.equal(plan.domains[0]?.blocked, 1);
      assert.match(plan.warnings.join(), /example\.com: the zone was not read/);
    }));
});
