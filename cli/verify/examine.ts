/** Asks every server of a domain for every declared record set, and collects the differences. */
import { describeRecord, ownerOf } from "../../provider/dns";
import type { Clock } from "../../provider/support/clock";
import { gather, groupBy } from "../../provider/support/collections";
import { Turns } from "../../provider/support/semaphore";
import { ask, NoAnswer, type Server } from "./ask";
import { dataText, judge, questionOf, type RecordSet, type Verdict } from "./compare";
import type { Declared } from "./declared";

/** A declared record that is not served as declared; `ttl` is a warning only. */
export interface Difference {
  readonly kind: "missing" | "ttl";
  readonly name: string;
  readonly type: string;
  /** The data, or a digest if it is secret. */
  readonly declared: string;
  readonly served: string;
}

export interface Examined {
  readonly served: number;
  readonly differences: readonly Difference[];
  /** Records whose servers take the asker to be on another line. */
  readonly onOtherLine: readonly { readonly record: Declared; readonly line: string }[];
  readonly unanswered: number;
  readonly silent: readonly Contact[];
}

type ServersOf = (domain: string) => readonly Server[];

export interface Waiting {
  readonly clock: Clock;
  readonly until: number;
  progress(served: number, pending: readonly RecordSet[]): void;
}

/** Milliseconds between two rounds: a short wait at first, for a service that publishes within seconds. */
const pauses = { first: 2000, longest: 15_000 };

/** A server without an answer to this many questions is not asked again. */
const patience = 3;
const concurrency = 20;

interface Contact {
  readonly server: Server;
  answered: number;
  failed: number;
  /** The reason of the last failure; empty without one. */
  reason: string;
}

interface Answer {
  readonly server: string;
  readonly verdicts: readonly Verdict[];
}

type Answers = Map<RecordSet, readonly Answer[]>;

export async function examine(
  sets: readonly RecordSet[],
  serversOf: ServersOf,
  timeout: number,
  waiting?: Waiting,
): Promise<Examined> {
  const answers: Answers = new Map();
  let pending = sets;
  for (let pause = pauses.first; ; pause = Math.min(pause * 1.5, pauses.longest)) {
    const contacts = await round(pending, serversOf, answers, timeout);
    const found = resultOf(sets, answers, contacts);
    pending = pending.filter((set) => !isServed(answers.get(set) ?? []));
    const left = waiting === undefined ? 0 : waiting.until - waiting.clock.now();
    if (waiting === undefined || pending.length === 0 || left <= 0) return found;
    waiting.progress(found.served, pending);
    await waiting.clock.sleep(Math.min(pause, left));
  }
}

function isServed(answers: readonly Answer[]): boolean {
  return (
    answers.length > 0 && answers.every(({ verdicts }) => verdicts.every(({ kind }) => kind !== "missing"))
  );
}

async function round(
  sets: readonly RecordSet[],
  serversOf: ServersOf,
  answers: Answers,
  timeout: number,
): Promise<Contact[]> {
  const contacts = new Map<string, Contact>();
  const turns = new Turns(concurrency);
  const asked = async (set: RecordSet, server: Server): Promise<Answer[]> => {
    const fresh = { server, answered: 0, failed: 0, reason: "" };
    const contact = gather<string, Contact>(contacts, `${server.address} ${server.port}`, fresh);
    try {
      if (contact.answered === 0 && contact.failed >= patience) throw new NoAnswer(contact.reason);
      const question = questionOf(set);
      const reply = await ask(server, question, timeout);
      contact.answered += 1;
      return [{ server: server.name, verdicts: judge(set, question, reply) }];
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      contact.failed += 1;
      contact.reason = error.message;
      return [];
    }
  };
  await Promise.all(
    sets.map(async (set) => {
      const servers = serversOf(set.domain);
      const found = await Promise.all(servers.map((server) => turns.take(() => asked(set, server))));
      answers.set(set, found.flat());
    }),
  );
  return [...contacts.values()];
}

function resultOf(sets: readonly RecordSet[], answers: Answers, contacts: readonly Contact[]): Examined {
  let [served, unanswered] = [0, 0];
  const differences: Difference[] = [];
  const onOtherLine: { record: Declared; line: string }[] = [];
  for (const set of sets)
    for (const [i, record] of set.declared.entries()) {
      const own = (answers.get(set) ?? []).flatMap(({ server, verdicts }) =>
        verdicts[i] === undefined ? [] : [{ server, ...verdicts[i] }],
      );
      const [missing, ttl] = [textsOf(own, "missing"), textsOf(own, "ttl")];
      const line = own.find(({ kind }) => kind === "line");
      if (own.length === 0) unanswered += 1;
      else if (missing !== undefined) differences.push(difference(record, "missing", missing));
      else if (line !== undefined) onOtherLine.push({ record, line: line.text });
      else served += 1;
      if (missing === undefined && ttl !== undefined) differences.push(difference(record, "ttl", ttl));
    }
  const silent = contacts.filter(({ failed }) => failed > 0);
  return { served, differences, onOtherLine, unanswered, silent };
}

/** The servers' common text of a kind. If they differ, each text has its servers' names. */
function textsOf(
  own: readonly (Verdict & { readonly server: string })[],
  kind: Verdict["kind"],
): string | undefined {
  const of = own.filter((verdict) => verdict.kind === kind);
  const byText = groupBy(of, ({ text }) => text);
  const [first] = of;
  if (byText.size === 1 && of.length === own.length) return first?.text;
  const texts = [...byText].map(([text, all]) => `${text} (${all.map(({ server }) => server).join(", ")})`);
  return first === undefined ? undefined : texts.join("; ");
}

function difference({ record, sensitive }: Declared, kind: Difference["kind"], served: string): Difference {
  const data = sensitive ? (describeRecord(record, true).split(" ").at(-1) ?? "") : dataText(record);
  return {
    kind,
    name: ownerOf(record.name, record.domain),
    type: record.type,
    declared: kind === "ttl" ? `${data} TTL ${record.ttl}` : data,
    served,
  };
}
