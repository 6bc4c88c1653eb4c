/** The figures of a plan equal the effect of the next up. Each edit has a domain of its own; one stack holds them all. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { figuresIn, type DomainPlan, type StackPlan } from "../../cli/plan/report";
import type { Admin } from "../../emulator";
import { hiddenText } from "../../provider/support/secret";
import { batch, record, share } from "../support/programs";
import { byBothFrontEnds, fullMode, ours, story, type OwnStack as StackOf } from "../support/story";
import { balancer, edits } from "./plan-edits";

type Outcome = readonly (readonly number[])[];
type Figures = Omit<DomainPlan, "unchanged" | "domain">;

async function jsonOf(told: StackOf): Promise<StackPlan> {
  const { out } = await ours(told, "plan", "--json");
  doesNotMatch(out, /hush/);
  return JSON.parse(out) as StackPlan;
}

function withEnv({ stack }: StackOf, env: Readonly<Record<string, string>>): StackOf {
  return { stack: { folder: stack.folder, env: { ...stack.env, ...env } } };
}

const signsOf = ({ domains }: StackPlan) =>
  domains.flatMap(({ lines }) => lines.map(({ sign, text }) => `${sign} ${text}`));

const noFigures: Figures = { ...figuresIn([], 0), lines: [], answers: [] };

type Zone = ReadonlyMap<number, { readonly text: string; readonly ttl: number }>;

function zoneOf(admin: Admin, domain: string): Zone {
  return new Map(
    admin
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
  const has = (zone: Zone, text: string) => [...zone.values()].some((each) => each.text === text);
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
const shareWith = (email: string, more: object = {}) => share(email.toLowerCase(), email, "r", more);
/** One is removed, one is made again, one has another mode, and the last one stays. */
const otherShares = [
  shareWith(none, { mode: "rw" }),
  shareWith(other, { mode: "rw" }),
  shareWith(moved.toUpperCase(), { subDomain: "shop" }),
];
const accounts = [{ email: "owner@example.com" }, ...people.map((email) => ({ email }))];
const changed = (email: string, was: string, ttl: string) => `~ share with ${email} ${was} => ${ttl}`;

const plannedShares = async (told: Parameters<typeof jsonOf>[0]): Promise<readonly string[]> =>
  (await jsonOf(told)).domains.flatMap(({ lines }) =>
    lines.map(({ sign, text, was, ttl }) => `${sign} ${text} ${was ? `${was.ttl} => ` : ""}${ttl}`).sort(),
  );

describe("a plan with the real engine", () => {
  for (const mode of ["full", "documented"] as const) {
    const cases = edits.flatMap(([title, before, after, each, console]) => {
      const outcome = typeof each === "string" ? each : each[mode];
      const numbers = outcome?.split(", ").map((part) => part.split(" ").map(Number));
      return numbers === undefined ? [] : [{ title, before, after, outcome: numbers, console }];
    });
    it(`has the figures of the up that follows for ${cases.length} edits in ${mode} mode`, () => {
      const domains = cases.map((_, i) => `e${i}.example`);
      const program = (side: "before" | "after") =>
        [balancer, ...cases.map((edit, i) => edit[side].replaceAll("%", domains[i] ?? ""))].join("\n");
      const service = { domains, settings: { undocumented: mode === "full" } };
      const env = mode === "full" ? fullMode.env : {};
      return story({ program: program("before"), env, service }, async (told) => {
        const { admin, stack, up } = told;
        await up();
        for (const [i, { console }] of cases.entries()) console?.(admin, domains[i] ?? "");
        stack.program(program("after"));
        const plan = await jsonOf(told);
        deepEqual(plan.errors, []);
        const zones = (): Zone[] => domains.map((domain) => zoneOf(admin, domain));
        const before = zones();
        const run = await stack.up("--continue-on-error");
        equal(run.code === 0, mode === "full", run.output);
        doesNotMatch(run.output, /hush/);
        const now = zones();
        const wrong = cases.flatMap(({ title, outcome }, i) => {
          const zone = plan.domains.find(({ domain }) => domain === domains[i]) ?? noFigures;
          const sides = [before[i] ?? new Map(), now[i] ?? new Map()] as const;
          const lines = (outcome[1]?.[1] ?? 0) === 0 ? linesWrong(zone, ...sides) : [];
          return [...figuresWrong(outcome, zone, ...sides), ...lines].map((each) => `${title}: ${each}`);
        });
        deepEqual(wrong, [], run.output);
      });
    });
  }

  for (const mode of ["full", "documented"]) {
    it(`plans shares in ${mode} mode`, () => {
      const isFull = mode === "full";
      const program = [
        ...(isFull ? [shareWith(none)] : []),
        shareWith(same),
        shareWith(other),
        shareWith(moved, { subDomain: "shop", from: "@" }),
      ].join("\n");
      const service = { accounts, settings: { undocumented: isFull } };
      return story({ program, env: isFull ? fullMode.env : {}, service }, async (told) => {
        const { admin } = told;
        for (const email of [same, moved]) admin.addShare("example.com", { email, mode: "r" });
        admin.addShare("example.com", { email: other, mode: "rw" });
        const was = (mode: string) => (isFull ? mode : "(mode not known)");
        deepEqual(await plannedShares(told), [
          ...(isFull ? [`+ share with ${none} r`, `= share with ${same} r`] : [changed(same, was("r"), "r")]),
          changed(other, was("rw"), "r"),
          changed(moved, was("r"), "r on shop"),
        ]);
        await told.up();
        told.stack.program(program.replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'));
        deepEqual(await plannedShares(told), []);
        await told.up();
        equal(admin.shares("example.com").length, isFull ? 4 : 3);
        if (!isFull) return;
        admin.removeShare("example.com", other);
        told.stack.program(otherShares.join("\n").replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'));
        deepEqual(await plannedShares(told), [
          `+ share with ${other} rw`,
          `- share with ${same} r`,
          changed(none, "r", "rw"),
        ]);
        await told.up();
        const emails = admin.shares("example.com").map(({ email }) => email);
        deepEqual(emails.sort(), [none, other, moved]);
      });
    });
  }

  it("lists the errors of all resources, and plans the others", () => {
    const declared = (name: string, more: object = {}, options?: string) =>
      record(name, "192.0.2.1", more, options);
    const many = (name: string, more: object = {}) => batch(name, [`${name} 600 A 192.0.2.1`], more);
    const wrongTtl = '{ transforms: [({ props, opts }) => ({ props: { ...props, ttl: "1x" }, opts })] }';
    return story({ program: declared("old") + many("batch") }, async (told) => {
      await told.up();
      told.stack.program(
        [
          declared("old", {}, wrongTtl),
          declared("free", { removal: "delete" }),
          many("batch", { removal: "delete" }),
          many("other", { undeclared: "remove" }),
          many("two", { domains: ["e.example", "f.example"] }),
          share("share", "mate@example.com", "r", { domain: "h.example" }),
          declared("fine"),
        ].join(""),
      );
      const plan = await jsonOf(told);
      deepEqual(
        plan.errors.map(({ code, text }) => `${code} ${/^\w+ "\w+"/.exec(text)?.[0]}`),
        [
          'option.not-allowed Record "free"',
          'ttl.unfit Record "old"',
          'option.not-allowed RecordBatch "batch"',
          'option.not-allowed RecordBatch "other"',
          "zone.refused undefined",
        ],
      );
      const refused = plan.errors.at(-1)?.text ?? "";
      match(refused, /^the account owner@example\.com does not have these domains/);
      for (const domain of ["e", "f", "h"]) match(refused, new RegExp(`^  ${domain}\\.example `, "m"));
      deepEqual(signsOf(plan), ["+ fine.example.com. A 192.0.2.1"]);
    });
  });

  for (const isFull of [true, false])
    it(`leaves out records that the service refused and records that are gone in ${isFull ? "full" : "documented"} mode`, () => {
      const batches = ["com", "net"].map((end) =>
        batch(end, ["f1 600 A 192.0.2.1", "f2 1 A 192.0.2.2", "f3 600 A 192.0.2.3"], {
          domains: `example.${end}`,
        }),
      );
      const env = { LEGACYDNS_LIMITS: "off", ...(isFull ? fullMode.env : {}) };
      const service = { settings: { undocumented: isFull } };
      return story({ program: batches.join(""), env, service }, async (told) => {
        const failed = await told.failing("--continue-on-error");
        match(failed.output, /\[write\.refused\]\s+f2\.example\.com\. A 192\.0\.2\.2/);
        told.admin.removeRecord("example.net", { name: "f3", type: "A" });
        told.stack.program("");
        const lines = (sign: string) =>
          ["f1.example.com. A 192.0.2.1", "f3.example.com. A 192.0.2.3", "f1.example.net. A 192.0.2.1"].map(
            (text) => `${sign} ${text}`,
          );
        deepEqual(signsOf(await jsonOf(told)), lines(isFull ? "-" : "!"));
        const retained = await jsonOf(withEnv(told, { LEGACYDNS_REMOVAL: "retain" }));
        deepEqual(signsOf(retained), lines("."));
      });
    });

  byBothFrontEnds(
    "shows a pending deletion until its record is gone",
    { program: record("one", "192.0.2.1") },
    async (told) => {
      await told.up();
      told.stack.program(record("one", "192.0.2.2"));
      await told.failing();
      const pending = await jsonOf(told);
      deepEqual(signsOf(pending), ["! one.example.com. A 192.0.2.1"]);
      equal(pending.unfinished.length, 1);
      told.erase("one", { value: "192.0.2.1" });
      deepEqual(signsOf(await jsonOf(told)), []);
      await told.up();
      match((await ours(told, "plan")).out, /No change to any zone\./);
    },
  );

  it("shows the state of a zone that cannot be read", () =>
    story({ program: record("one", "192.0.2.1") }, async (told) => {
      await told.up();
      told.stack.program("");
      const plan = await jsonOf(withEnv(told, { LEGACYDNS_LOGIN_TOKEN: "1,wrong" }));
      equal(plan.domains[0]?.blocked, 1);
      match(plan.warnings.join(), /example\.com: the zone was not read/);
    }));
});
