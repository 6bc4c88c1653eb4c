/**
 * Asks every server of a domain for every declared record set, a bounded number at a time, and collects the
 * differences. With `waiting`, it repeats the questions for missing records.
 */
import type { Clock } from "../../provider/support/clock";
import { describeRecord, ownerOf } from "../../provider/dns";
import { NoAnswer, ask, type AskOptions, type Server } from "./ask";
import { dataText, judge, questionOf, type RecordSet, type Verdict } from "./compare";
import type { Declared } from "./declared";

/** A declared record that is not served as declared; `ttl` is a warning only. */
export interface Difference {
  readonly kind: "missing" | "ttl";
  /** Absolute, with the dot. */
  readonly name: string;
  readonly type: string;
  /** The data, or a digest if it is secret. */
  readonly declared: string;
  readonly served: string;
}

export interface Examined {
  readonly served: number;
  readonly differences: readonly Difference[];
  readonly onOtherLine: readonly { readonly record: Declared; readonly line: string }[];
  /** Records that no server answered for. */
  readonly unanswered: number;
  readonly silent: readonly {
    readonly server: Server;
    readonly reason: string;
    readonly questions: number;
    readonly answered: number;
  }[];
}

export interface ExamineOptions extends AskOptions {
  readonly concurrency: number;
  readonly random: () => string;
  readonly waiting?: Waiting;
}

/** How long to repeat the questions for missing records, and how to report progress. */
export interface Waiting {
  readonly clock: Clock;
  readonly until: number;
  /** @param state the number of served records, and the missing names and types */
  progress(state: {
    readonly served: number;
    readonly pending: readonly { readonly name: string; readonly type: string }[];
  }): void;
  done(): void;
}

/** Milliseconds between two rounds: a short wait at first, for a service that publishes within seconds. */
const pauses = { first: 2000, longest: 15_000 };

/** A server without an answer to this many questions is not asked again. */
const patience = 3;

interface Contact {
  readonly server: Server;
  answered: number;
  failed: number;
  reason: string;
}

type Verdicts = Map<RecordSet, { readonly server: Server; readonly verdicts: readonly Verdict[] }[]>;

/** @returns the result of the last round. Without `waiting` there is one round. */
export async function examine(
  sets: readonly RecordSet[],
  serversOf: (domain: string) => readonly Server[],
  options: ExamineOptions,
): Promise<Examined> {
  const { waiting } = options;
  const verdicts: Verdicts = new Map();
  let pending = sets;
  for (let pause = pauses.first; ; pause = Math.min(pause * 1.5, pauses.longest)) {
    for (const set of pending) verdicts.delete(set);
    const contacts = await round(pending, serversOf, verdicts, options);
    const found = gather(sets, verdicts, contacts);
    pending = pending.filter((set) => !isServed(verdicts.get(set)));
    const left = waiting === undefined ? 0 : waiting.until - waiting.clock.now();
    if (waiting === undefined || pending.length === 0 || left <= 0) {
      waiting?.done();
      return found;
    }
    waiting.progress({
      served: found.served,
      pending: pending.map(({ domain, name, type }) => ({ name: ownerOf(name, domain), type })),
    });
    await waiting.clock.sleep(Math.min(pause, left));
  }
}

function isServed(answers: readonly { readonly verdicts: readonly Verdict[] }[] | undefined): boolean {
  return (
    answers !== undefined && answers.every(({ verdicts }) => verdicts.every(({ kind }) => kind !== "missing"))
  );
}

async function round(
  sets: readonly RecordSet[],
  serversOf: (domain: string) => readonly Server[],
  verdicts: Verdicts,
  options: ExamineOptions,
): Promise<Contact[]> {
  const contacts = new Map<string, Contact>();
  const contactOf = (server: Server): Contact => {
    const key = `${server.address} ${server.port}`;
    const contact = contacts.get(key) ?? { server, answered: 0, failed: 0, reason: "" };
    contacts.set(key, contact);
    return contact;
  };
  const tasks = sets.flatMap((set) =>
    serversOf(set.domain).map((server) => ({ set, contact: contactOf(server) })),
  );
  await pooled(tasks, options.concurrency, async ({ set, contact }) => {
    if (contact.answered === 0 && contact.failed >= patience) {
      contact.failed += 1;
      return;
    }
    const question = questionOf(set, options.random);
    try {
      const reply = await ask(contact.server, question, options);
      contact.answered += 1;
      verdicts.set(set, [
        ...(verdicts.get(set) ?? []),
        { server: contact.server, verdicts: judge(set, question, reply) },
      ]);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      contact.failed += 1;
      contact.reason = error.message;
    }
  });
  return [...contacts.values()];
}

function gather(sets: readonly RecordSet[], verdicts: Verdicts, contacts: readonly Contact[]): Examined {
  let served = 0;
  let unanswered = 0;
  const differences: Difference[] = [];
  const onOtherLine: { record: Declared; line: string }[] = [];
  for (const set of sets) {
    const answers = verdicts.get(set) ?? [];
    for (const [i, each] of set.declared.entries()) {
      const own = answers.flatMap(({ server, verdicts: all }) =>
        all[i] === undefined ? [] : [{ server, verdict: all[i] }],
      );
      if (own.length === 0) {
        unanswered += 1;
        continue;
      }
      const missing = texts(own, (verdict) => (verdict.kind === "missing" ? verdict.served : undefined));
      const ttls = texts(own, (verdict) => (verdict.kind === "ttl" ? `TTL ${verdict.ttl}` : undefined));
      const line = own.map(({ verdict }) => verdict).find((verdict) => verdict.kind === "line");
      if (missing !== undefined) differences.push(difference(each, "missing", missing));
      else if (ttls !== undefined) differences.push(difference(each, "ttl", ttls));
      if (missing === undefined) {
        if (line?.kind === "line") onOtherLine.push({ record: each, line: line.line });
        else served += 1;
      }
    }
  }
  const silent = contacts
    .filter(({ failed }) => failed > 0)
    .map(({ server, reason, failed, answered }) => ({ server, reason, questions: failed, answered }));
  return { served, differences, onOtherLine, unanswered, silent };
}

/**
 * The servers' common text. If they differ, each text has its servers' names. Undefined if there is no text.
 */
function texts(
  own: readonly { readonly server: Server; readonly verdict: Verdict }[],
  textOf: (verdict: Verdict) => string | undefined,
): string | undefined {
  const by = new Map<string, string[]>();
  for (const { server, verdict } of own) {
    const text = textOf(verdict);
    if (text !== undefined) by.set(text, [...(by.get(text) ?? []), server.name]);
  }
  const [only, ...others] = by;
  if (only === undefined) return undefined;
  if (others.length === 0 && only[1].length === own.length) return only[0];
  return [...by].map(([text, names]) => `${text} (${names.join(", ")})`).join("; ");
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

async function pooled<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each item is taken once.
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
