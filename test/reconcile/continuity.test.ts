import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { answerQuestion } from "../../emulator/dnsAnswer";
import { recordKey, type DeclaredRecord } from "../../provider/dns";
import { writesOf } from "../support/service";
import { fresh, full, fullService, fullSettings, startLab, type Lab } from "../support/lab";

const names = ["@", "a", "b", "c.d"];
const ttl = fc.constantFrom(60, 600);
const numbered = (max: number, text: (n: number) => string) =>
  fc.tuple(ttl, fc.integer({ min: 1, max })).map(([seconds, n]) => `${seconds} ${text(n)}`);
const data = fc.oneof(
  { weight: 2, arbitrary: numbered(4, (n) => `A 192.0.2.${n}`) },
  { weight: 2, arbitrary: numbered(4, (n) => `AAAA 2001:db8::${n}`) },
  { weight: 1, arbitrary: numbered(3, (n) => `MX ${n * 5} mx${n}.example.net.`) },
  { weight: 1, arbitrary: numbered(3, (n) => `TXT "text ${n}"`) },
);
const several = { minLength: 1, maxLength: 4, selector: (text: string) => text.replace(/^\d+ /, "") };
const place = fc.oneof(
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
  { weight: 2, arbitrary: numbered(2, (n) => `CNAME target${n}.example.net.`).map((text) => [text]) },
  { weight: 4, arbitrary: fc.uniqueArray(data, several) },
);
const zone = fc
  .tuple(
    ...names.map((name) =>
      name === "@" ? place.filter(([first]) => first?.includes("CNAME") !== true) : place,
    ),
  )
  .map((places) => places.flatMap((records, i) => records.map((text) => `${names[i] ?? ""} ${text}`)));

function questions(before: readonly DeclaredRecord[], after: readonly DeclaredRecord[]) {
  return names.flatMap((name) => {
    const types = (records: readonly DeclaredRecord[]) =>
      records.filter((record) => record.name === name).map(({ type }) => type);
    const [old, fresh] = [types(before), types(after)];
    const first = (of: string[]) =>
      ["A", "AAAA", "MX", ...of].filter((type) => of.includes(type)).slice(0, 1);
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
  const ask = () => {
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
    const service = { ...fullService, domains: ["example.com"], onCall: () => ask() };
    lab = await startLab(service, { ...fullSettings, limits: "off" });
  });
  after(() => lab.close());

  it("resolves at every moment of the run, which ends as declared and has nothing to do the second time", async () => {
    let state = fresh;
    await fc.assert(
      fc.asyncProperty(zone, async (lines) => {
        const declaration = full(lines);
        asked = questions(state.records, declaration.records);
        silent.clear();
        const what = `${state.records.map(recordKey).join("\n")}\n=>\n${lines.join("\n")}`;
        state = await lab.up(declaration, state);
        deepEqual([state.failures, [...silent]], [[], []], what);
        const live = lab.admin
          .zone("example.com")
          .map(
            ({ name, type, value, mx, ttl: seconds }) =>
              `${name} ${seconds} ${type} ${type === "MX" ? `${mx} ` : ""}${value}`,
          );
        deepEqual(live.sort(), lines.map((line) => line.replace(/"/g, "")).sort(), what);
        asked = [];
        lab.clearCalls();
        await lab.must(declaration, state);
        equal(writesOf(lab.service), 0);
      }),
      // The zone goes on from edit to edit, so a failure cannot be made smaller.
      { numRuns: 25, endOnFailure: true },
    );
  });
});
