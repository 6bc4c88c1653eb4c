/** Asks every server of a domain for every declared record set, and collects the differences. */
import { ownerOf, type DeclaredEntry, type DnsRecord } from "../../provider/dns";
import { append, gather, groupBy, largest } from "../../provider/support/collections";
import { Turns } from "../../provider/support/semaphore";
import type { Terminal } from "../terminal";
import { ask, NoAnswer, type Server } from "./ask";
import { dataText, judge, questionOf, type Judgement, type RecordSet } from "./compare";

/** A declared record that is not served as declared; `ttl` is a warning only. `more`: further records are served. */
export interface Difference {
  readonly kind: "missing" | "ttl" | "more";
  readonly name: string;
  readonly type: string;
  readonly declared: string;
  readonly served: string;
  /** Records that are served and not declared. Their ids come from the service's listing. */
  readonly further?: readonly DnsRecord[];
  readonly ids?: readonly string[];
}

export interface Examined {
  readonly served: number;
  readonly differences: readonly Difference[];
  readonly onOtherLine: readonly { readonly record: DeclaredEntry; readonly line: string }[];
  readonly unanswered: number;
  readonly silent: readonly Contact[];
  /** Milliseconds since the epoch: until then, caches can hold an answer from before the wait. */
  readonly cachedUntil?: number | undefined;
}

/** Milliseconds between two rounds: a short wait at first, for a service that publishes within seconds. */
const pauses = { first: 2000, longest: 15_000 };

const patience = 3;
const concurrency = 20;

interface Contact {
  readonly server: Server;
  answered: number;
  failed: number;
  reason: string;
}

interface Answer extends Judgement {
  readonly server: string;
}

interface Asked {
  readonly set: RecordSet;
  /** Each round replaces them. */
  answers: readonly Answer[];
}

/**
 * @param timeout milliseconds of one attempt
 * @param wait seconds, for asking again until the servers answer as declared
 */
export async function examine(
  { clock, err }: Terminal,
  sets: readonly RecordSet[],
  timeout: number,
  wait = 0,
): Promise<Examined> {
  const all = sets.map((set): Asked => ({ set, answers: [] }));
  const reporter = err.reporter();
  let cachedUntil: number | undefined;
  const total = sets.reduce((sum, { declared }) => sum + declared.length, 0);
  const begin = clock.now();
  const cachedIn = (these: readonly Asked[]): number => {
    const ttls = these.flatMap(({ answers }) => answers.map(({ ttl }) => ttl));
    return clock.wall() + largest(ttls, 0) * 1000;
  };
  let isReported = false;
  let pending = all;
  for (let pause = pauses.first; ; pause = Math.min(pause * 1.5, pauses.longest)) {
    const contacts = await round(pending, timeout);
    const found = resultOf(all, contacts);
    pending = pending.filter((each) => !isServed(each));
    const [first] = pending;
    const waited = clock.now() - begin;
    if (first === undefined || waited >= wait * 1000) {
      reporter.clear();
      // These answers are the first ones.
      const until = cachedUntil ?? (wait > 0 && total > 0 ? cachedIn(all) : undefined);
      return first === undefined ? { ...found, cachedUntil: until } : found;
    }
    cachedUntil = largest([cachedIn(pending)], cachedUntil);
    const name = `${ownerOf(first.set.name, first.set.domain)} ${first.set.type}`;
    const more = pending.length > 1 ? ` and ${pending.length - 1} more` : "";
    const progress = `${found.served} of ${total} records are served; waiting for ${name}${more} (${Math.round(waited / 1000)} of ${wait} s)`;
    if (err.isTTY) reporter.progress(progress);
    else if (!isReported) reporter.info(progress);
    isReported = true;
    await clock.sleep(Math.min(pause, wait * 1000 - waited));
  }
}

function isServed({ answers }: Asked): boolean {
  return (
    answers.length > 0 &&
    answers.every(
      ({ further, verdicts }) => further.length === 0 && verdicts.every(({ kind }) => kind !== "missing"),
    )
  );
}

/** Asks once more, and keeps the answers. */
async function round(sets: readonly Asked[], timeout: number): Promise<Contact[]> {
  const contacts = new Map<string, Contact>();
  const turns = new Turns(concurrency);
  const answerOf = async (set: RecordSet, server: Server): Promise<Answer[]> => {
    const fresh = { server, answered: 0, failed: 0, reason: "" };
    const contact = gather<string, Contact>(contacts, `${server.address} ${server.port}`, fresh);
    try {
      if (contact.answered === 0 && contact.failed >= patience) throw new NoAnswer(contact.reason);
      const question = questionOf(set);
      const reply = await ask(server, question, timeout);
      contact.answered += 1;
      return [{ server: server.name, ...judge(set, question, reply) }];
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      contact.failed += 1;
      contact.reason = error.message;
      return [];
    }
  };
  await Promise.all(
    sets.map(async (asked) => {
      const { set } = asked;
      const found = await Promise.all(set.servers.map((server) => turns.take(() => answerOf(set, server))));
      asked.answers = found.flat();
    }),
  );
  return [...contacts.values()];
}

function resultOf(sets: readonly Asked[], contacts: readonly Contact[]): Examined {
  let [served, unanswered] = [0, 0];
  const differences: Difference[] = [];
  const onOtherLine: { record: DeclaredEntry; line: string }[] = [];
  for (const { set, answers: all } of sets) {
    append(differences, furtherIn(set, all));
    const further = all.flatMap((each) => each.further);
    for (const [i, record] of set.declared.entries()) {
      const own = all.flatMap(({ server, verdicts }) =>
        verdicts[i] === undefined ? [] : [{ server, ...verdicts[i] }],
      );
      const [missing, ttl] = [textsOf(own, "missing"), textsOf(own, "ttl")];
      const line = own.find(({ kind }) => kind === "line");
      if (own.length === 0) unanswered += 1;
      else if (missing !== undefined)
        differences.push({
          ...difference(record, "missing", missing),
          ...(further.length > 0 && { further }),
        });
      else if (line !== undefined) onOtherLine.push({ record, line: line.text });
      else served += 1;
      if (missing === undefined && ttl !== undefined) differences.push(difference(record, "ttl", ttl));
    }
  }
  const silent = contacts.filter(({ failed }) => failed > 0);
  return { served, differences, onOtherLine, unanswered, silent };
}

/** The row of a missing record shows the records in its place. */
function furtherIn({ declared }: RecordSet, all: readonly Answer[]): Difference[] {
  const answers = all.filter(({ verdicts }) => verdicts.every(({ kind }) => kind !== "missing"));
  const textOf = (records: readonly DnsRecord[]): string => records.map(dataText).sort().join(", ");
  const texts = answers.map(({ server, further }) => ({
    server,
    kind: further.length > 0 ? ("more" as const) : ("served" as const),
    text: textOf(further),
  }));
  const [first] = declared;
  const served = textsOf(texts, "more");
  if (first === undefined || served === undefined) return [];
  const further = answers.flatMap((each) => each.further);
  return [{ ...difference(first, "more", served), declared: textOf(declared), further }];
}

/** The servers' common text of a kind. If they differ, each text has its servers' names. */
function textsOf(
  own: readonly { readonly server: string; readonly kind: string; readonly text: string }[],
  kind: Difference["kind"],
): string | undefined {
  const of = own.filter((verdict) => verdict.kind === kind);
  const byText = groupBy(of, ({ text }) => text);
  const [first] = of;
  if (byText.size === 1 && of.length === own.length) return first?.text;
  const texts = [...byText].map(([text, all]) => `${text} (${all.map(({ server }) => server).join(", ")})`);
  return first === undefined ? undefined : texts.join("; ");
}

function difference(record: DeclaredEntry, kind: Difference["kind"], served: string): Difference {
  const { name, domain, type, ttl } = record;
  const data = dataText(record);
  const declared = kind === "ttl" ? `${data} TTL ${ttl}` : data;
  return { kind, name: ownerOf(name, domain), type, declared, served };
}
