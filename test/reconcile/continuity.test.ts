/**
 * No moment without an answer: zones are edited at random, and after every call of the run the emulator's own DNS is asked
 * for each name that is declared before and after.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { answerQuestion } from "../../emulator/dnsAnswer";
import { recordKey, type DeclaredRecord } from "../../provider/dns";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { writesOf } from "../support/service";
import { declare, startLab, type Lab } from "../support/lab";

const full = { removal: "delete", may: { change: true, remove: true, single: false } } as const;
const names = ["@", "a", "b", "c.d"];
const ttl = fc.constantFrom(60, 600);
const address = fc.record({ type: fc.constantFrom("A", "AAAA"), last: fc.integer({ min: 1, max: 4 }), ttl });
const data = fc.oneof(
  {
    weight: 4,
    arbitrary: address.map(
      ({ type, last, ttl: seconds }) =>
        `${seconds} ${type} ${type === "A" ? `192.0.2.${last}` : `2001:db8::${last}`}`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ last: fc.integer({ min: 1, max: 3 }), ttl })
      .map((r) => `${r.ttl} MX ${r.last * 5} mx${r.last}.example.net.`),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ last: fc.integer({ min: 1, max: 3 }), ttl })
      .map((r) => `${r.ttl} TXT "text ${r.last}"`),
  },
);
const alias = fc
  .record({ last: fc.integer({ min: 1, max: 2 }), ttl })
  .map((r) => [`${r.ttl} CNAME target${r.last}.example.net.`]);
/** The records at a name: none, an alias, or other data, each once. */
const place = fc.oneof(
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
  { weight: 2, arbitrary: alias },
  {
    weight: 4,
    arbitrary: fc.uniqueArray(data, {
      minLength: 1,
      maxLength: 4,
      selector: (text) => text.replace(/^\d+ /, ""),
    }),
  },
);
const zone = fc
  .tuple(
    ...names.map((name) =>
      name === "@" ? place.filter(([first]) => first?.includes("CNAME") !== true) : place,
    ),
  )
  .map((places) => places.flatMap((records, i) => records.map((text) => `${names[i] ?? ""} ${text}`)));

/**
 * The questions that must have an answer throughout: the sets that stay. Where an alias comes or goes, no service can
 * change several records in one step: there it is the addresses, or else the name's first other data.
 */
function questions(
  before: readonly DeclaredRecord[],
  after: readonly DeclaredRecord[],
): { name: string; type: string }[] {
  return names.flatMap((name) => {
    const types = (records: readonly DeclaredRecord[]): string[] =>
      records.filter((record) => record.name === name).map(({ type }) => type);
    const [old, fresh] = [types(before), types(after)];
    const first = (of: string[]): string[] =>
      ["A", "AAAA", ...of].filter((type) => of.includes(type)).slice(0, 1);
    const stay = old.includes("CNAME")
      ? fresh.includes("CNAME")
        ? ["A"]
        : first(fresh)
      : fresh.includes("CNAME")
        ? first(old)
        : old.filter((type) => fresh.includes(type));
    return stay.map((type) => ({ name, type }));
  });
}

describe("a name that is declared before and after", () => {
  let lab: Lab;
  let asked: { name: string; type: string }[] = [];
  const silent = new Set<string>();
  const ask = (): void => {
    for (const { name, type } of asked) {
      const { answers } = answerQuestion(
        lab.service.service.world,
        name === "@" ? "example.com" : `${name}.example.com`,
        type,
      );
      if (answers.length === 0) silent.add(`${name} ${type}`);
    }
  };

  before(async () => {
    lab = await startLab(
      {
        domains: ["example.com"],
        settings: { undocumented: true, jobStartMs: 0, jobMs: 0 },
        onCall: () => ask(),
      },
      {
        LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true",
        LEGACYDNS_CONFIRMED_DOMAINS: "example.com",
        LEGACYDNS_LIMITS: "off",
      },
    );
  });
  after(() => lab.close());

  it("resolves at every moment of the run, which ends as declared and has nothing to do the second time", async function () {
    this.timeout(120_000);
    let stated: readonly DeclaredRecord[] = [];
    let ledger = emptyLedger;
    await fc.assert(
      fc.asyncProperty(zone, async (lines) => {
        const declaration = declare("example.com", lines, full);
        asked = questions(stated, declaration.records);
        silent.clear();
        const done = await lab.reconciler().apply(declaration, stated, ledger);
        const what = `${stated.map((record) => recordKey(record)).join("\n")}\n=>\n${lines.join("\n")}`;
        assert.deepEqual(done.failures, [], what);
        assert.deepEqual([...silent], [], what);
        stated = declaration.records;
        ledger = done.ledger;
        const live = lab.service.admin
          .zone("example.com")
          .map(
            ({ name, type, value, mx, ttl: seconds }) =>
              `${name} ${seconds} ${type} ${type === "MX" ? `${mx} ` : ""}${value}`,
          );
        assert.deepEqual(live.sort(), lines.map((line) => line.replace(/"/g, "")).sort(), what);
        asked = [];
        lab.service.admin.clearCalls();
        assert.deepEqual((await lab.reconciler().apply(declaration, stated, ledger)).failures, []);
        assert.equal(writesOf(lab.service), 0);
      }),
      // The zone goes on from edit to edit, so a failure cannot be made smaller.
      { numRuns: 25, endOnFailure: true },
    );
  });
});
