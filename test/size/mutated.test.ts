/**
 * Spoilt answers of every operation, below every use of them. A seed repeats exactly. More of them:
 * `MUTATIONS=20000 MUTATION_SEED=7 npx mocha test/size/mutated.test.ts`
 */
import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { Box } from "../../emulator";
import {
  createClient,
  LegacyDnsError,
  type Client,
  type OperationName,
  type Transport,
} from "../../provider/api";
import { limitsOf } from "../../provider/dns";
import { ArgumentReader, failedCall, lookUps } from "../../provider/functions/table";
import { renderAll } from "../../provider/problems";
import { Refusal } from "../../provider/problems/refusal";
import { emptyLedger, type Ledger } from "../../provider/reconcile/memory/ledger";
import { Reconciler } from "../../provider/reconcile/reconciler";
import { Shares } from "../../provider/reconcile/shares";
import { Secret, type Settings } from "../../provider/settings";
import { callSample, operationNames, samples } from "../api/samples";
import { answer as sent, cleanUp, enveloped, freshFolder, settingsFor, skippingClock } from "../api/support";
import { Dice } from "../simulation/dice";
import { declare, full } from "../support/lab";
import { mutated } from "../support/mutations";
import { collectingReporter, type CollectingReporter } from "../support/reporter";

const runs = Number(process.env["MUTATIONS"] ?? 600);
const first = Number(process.env["MUTATION_WORLD"] ?? 0);
const given = process.env["MUTATION_SEED"];
const seeds = given === undefined ? [1, 2] : [Number(given)];

/** Operations with a spoilt answer that was whole before, and thus had all its counters and lists. */
const spoiltWhole = new Set<string>();

/** Of one use. A listing that changes is read five times; each time it has 1,000 pages at most. */
const mostCalls = 6_000;
const longestMs = 10_000;
const longestLine = 1_500;

interface World {
  readonly dice: Dice;
  readonly client: Client;
  readonly settings: Settings;
  readonly reconciler: Reconciler;
  readonly reporter: CollectingReporter;
  readonly token: string;
  readonly count: { calls: number; mutations: number };
}

function worldOf(dice: Dice, stateDir: string) {
  const clock = skippingClock();
  const hex = Array.from({ length: 32 }, () => dice.between(0, 15).toString(16)).join("");
  const token = `${dice.between(10_000, 99_999)},${hex}`;
  const box = new Box({
    domains: ["example.com", "example.net"],
    token,
    seed: dice.between(1, 1_000_000),
    now: () => clock.now(),
    settings: { undocumented: true, indexDelay: 5, jobStartMs: 10 },
  });
  const count = { calls: 0, mutations: 0 };
  const rate = dice.pick([0.1, 0.3, 1]);
  const transport: Transport = {
    send: ({ operation, body }) => {
      count.calls += 1;
      const answer = box.begin(operation, Object.fromEntries(new URLSearchParams(body))).run();
      const own = "body" in answer ? answer.body : "";
      // The emulator knows no monitor, and few shares. A refusal has neither counters nor lists.
      const text = isWhole(own) || dice.chance(0.5) ? own : sampleOf(operation);
      if (!dice.chance(rate)) return Promise.resolve(sent(text));
      count.mutations += 1;
      if (isWhole(text)) spoiltWhole.add(operation);
      return Promise.resolve(sent(mutated(text, dice, token)));
    },
    close: () => Promise.resolve(),
  };
  const loginToken = new Secret(token);
  const settings = settingsFor({ stateDir, loginToken, undocumentedOperations: true, indexDelay: 5 });
  const reporter = collectingReporter();
  const client = createClient({ settings, transport, clock, random: () => dice.next(), reporter });
  const reconciler = new Reconciler({ client, settings, clock, reporter });
  return { dice, client, settings, reconciler, reporter, token, count };
}

const isWhole = (body: string) => /^\{"status":\{"code":"1"/.test(body);

const isOperation = (name: string): name is OperationName => Object.hasOwn(samples, name);

const sampleOf = (name: string) => enveloped("1", isOperation(name) ? samples[name].reply : {});

/** Returns the texts that a user sees. */
type Use = (world: World) => Promise<readonly string[]>;

const hosts = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `h${i + from} A 192.0.2.${i + 1}`);

const uses: readonly Use[] = [
  async ({ client }) => {
    const texts: string[] = [];
    for (const operation of operationNames)
      await callSample(client, operation).catch((error: unknown) => {
        if (!(error instanceof LegacyDnsError)) throw error;
        texts.push(error.message, ...renderAll([error.reason()]));
      });
    return texts;
  },
  async ({ dice, client, settings }) => {
    const lookUp = dice.pick(lookUps.filter(({ name }) => name !== "getEntries"));
    const { name, arguments: names } = lookUp;
    const given = { domain: "example.com", recordId: "1", jobId: "1", monitorId: "1", hours: 3 };
    const args = Object.fromEntries(Object.entries(given).filter(([key]) => names.includes(key)));
    const reader = new ArgumentReader(name, args, names);
    const asked = lookUp.question(reader);
    deepEqual(reader.problems, []);
    try {
      doesNotMatch(JSON.stringify(await asked.ask(client, settings)), /polluted/);
      return [];
    } catch (error) {
      return renderAll([failedCall(name, error, [])]);
    }
  },
  async ({ client }) => {
    const entries = await client.call("Domain.Purview", { domain: "example.com" });
    limitsOf(entries);
    return entries.map(({ name, value }) => `${name} ${String(value)}`);
  },
  async ({ dice, client, settings }) => {
    const shares = new Shares(client, settings);
    const share = { domain: "example.com", email: "a@example.org", mode: "r", scope: undefined } as const;
    if (dice.chance(0.5)) await shares.create(share, [undefined]);
    await shares.find(share);
    await shares.end(share);
    return [];
  },
  async ({ dice, reconciler }) => {
    const domains = dice.pick([["example.com"], ["example.com", "example.net"]]);
    let ledger: Ledger = emptyLedger;
    let declaration = full([]);
    const texts: string[] = [];
    for (let step = dice.between(1, 3); step > 0; step -= 1) {
      const before = declaration;
      const lines = [
        ...hosts(dice.between(1, 4), dice.between(0, 3)),
        "@ MX 10 mx1.example.net.",
        "t TXT one two",
      ];
      declaration = dice.chance(0.6) ? full(lines, {}, domains) : declare(domains, lines);
      const preview = await reconciler.preview(declaration, before.records, ledger);
      texts.push(...renderAll([...preview.refusals, ...preview.warnings, ...preview.failures]));
      const applied = await reconciler.apply(declaration, before.records, ledger);
      texts.push(...renderAll(applied.failures));
      ({ ledger } = applied);
      if (dice.chance(0.3)) ({ ledger } = await reconciler.observe(declaration, ledger));
    }
    if (dice.chance(0.3)) await reconciler.release(declaration, ledger);
    return texts;
  },
];

async function textsOf(world: World) {
  try {
    return await world.dice.pick(uses)(world);
  } catch (error) {
    if (error instanceof LegacyDnsError) return [error.message, ...renderAll([error.reason()])];
    if (error instanceof Refusal) return [error.message];
    throw error;
  }
}

function assertPresentable(text: string, { token }: World) {
  doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\[object /);
  const [number = "", hex = ""] = token.split(",");
  ok(!text.includes(hex.slice(0, 12)), `${number} shows in: ${text.slice(0, 500)}`);
  for (const line of text.split("\n"))
    ok(line.length <= longestLine, `${line.length} characters: ${line.slice(0, 300)}`);
}

describe("A spoilt answer", () => {
  after(cleanUp);

  for (const seed of seeds)
    it(`makes no use of it crash, spin or show anything unfit (${runs} answers of seed ${seed})`, async () => {
      const file = join(freshFolder(), "file");
      writeFileSync(file, "");
      const dice = new Dice(seed);
      for (let mutations = 0, world = 0; mutations < runs; world += 1) {
        const own = dice.fork();
        if (world < first) continue;
        const here = worldOf(own, join(file, "state"));
        const begun = process.cpuUsage();
        const texts = await textsOf(here).catch((error: unknown) => {
          throw new Error(`world ${world} of seed ${seed}: ${inspect(error)}`, { cause: error });
        });
        const { user, system } = process.cpuUsage(begun);
        const took = (user + system) / 1000;
        ok(took < longestMs, `world ${world} of seed ${seed} took ${Math.round(took)} ms`);
        ok(here.count.calls <= mostCalls, `world ${world} of seed ${seed} made ${here.count.calls} calls`);
        for (const text of [...texts, ...here.reporter.lines.map(({ text }) => text)])
          assertPresentable(text, here);
        equal(Reflect.get({}, "polluted"), undefined);
        mutations += here.count.mutations;
      }
    });

  it("was whole before it was spoilt, at least once for every operation", () =>
    deepEqual([...spoiltWhole].sort(), [...operationNames].sort()));
});
