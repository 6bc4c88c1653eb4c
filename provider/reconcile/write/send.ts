/** One write. The journal notes it before it leaves. If the answer is no refusal, its sender finds out by reading. */
import { HttpStatusError, LegacyDnsError, ServiceError, type Requests, type Responses } from "../../api";
import type { DnsRecord } from "../../dns";
import { domainsOf } from "../../support/collections";
import type { JournalEntry } from "../memory/journal";
import type { Deed } from "../memory/journal-file";
import type { Run } from "../run";
import { errorText, named } from "../../support/text";
import { secondsOf } from "../timeline";
import type { LiveEntry } from "../zones/zone";
import { pollJob, type JobEnd } from "./job";

type JobOperation = "Batch.Record.Create" | "Batch.Record.Modify";
type WriteOperation = JobOperation | "Record.Modify" | "Record.Remove";

export interface Write<N extends WriteOperation> {
  readonly operation: N;
  readonly request: Requests[N];
  readonly target: string;
  readonly deed: Deed;
  readonly records: readonly DnsRecord[];
  /** When the plan's listing of a domain began. */
  readonly readAt: (domain: string) => number;
  /** It may make a record, so it is not sent if another process began the same since `readAt`. */
  readonly givesWay: boolean;
  /** The records that a change may turn into others, as that listing showed them. */
  readonly live?: readonly LiveEntry[];
  /** Asked before each try: why it must not leave any more. */
  readonly whyNot?: () => Hindrance | undefined;
}

export interface UnansweredWrite {
  readonly kind: "uncertain";
  readonly error: unknown;
  readonly why: string;
  readonly entry: JournalEntry;
}

interface WriteNotDone {
  readonly kind: "not done";
  readonly error: LegacyDnsError;
  /** Why it was not sent. Undefined if it was sent and refused. */
  readonly hindrance: Hindrance | undefined;
}

type NotAccepted = UnansweredWrite | WriteNotDone;

type Sent<N extends WriteOperation> =
  { readonly kind: "answered"; readonly answer: Responses[N]; readonly entry: JournalEntry } | NotAccepted;

export async function send<N extends WriteOperation>(run: Run, write: Write<N>): Promise<Sent<N>> {
  const { client, journal } = run;
  const { operation, request, target, deed, records } = write;
  const entry = journal.begin(records, deed, leavesOf(write));
  let hindrance: Hindrance | undefined;
  const onSend = (): void => {
    entry.sending();
    hindrance = whyNot(run, write);
    if (hindrance !== undefined) throw unsent(hindrance, write);
  };
  try {
    const options = { target, onSend, carriesSecret: carriesSecret(run, write) };
    return { kind: "answered", answer: await client.call(operation, request, options), entry };
  } catch (thrown) {
    const error =
      isUndocumented(thrown) && run.refusals.has(answerOf(thrown))
        ? new ServiceError({ ...thrown.details, outcome: "refused" })
        : thrown;
    if (error instanceof LegacyDnsError && error.outcome !== "uncertain") {
      entry.notDone();
      return { kind: "not done", error, hindrance };
    }
    const isLost = error instanceof LegacyDnsError && !(error instanceof ServiceError);
    return { kind: "uncertain", error, why: isLost ? error.happened : errorText(error), entry };
  }
}

/** This process's own entry is in the journal by now, so that one of two processes sees the other. */
function whyNot({ journal }: Run, write: Write<WriteOperation>): Hindrance | undefined {
  const { givesWay, readAt, records } = write;
  if (givesWay && journal.othersOf(records, readAt).length > 0) return "another run";
  return write.whyNot?.();
}

function leavesOf({ live = [] }: Write<WriteOperation>): DnsRecord[] {
  return live.map(({ record }) => record);
}

function carriesSecret({ siblings }: Run, write: Write<WriteOperation>): boolean {
  const { records, request } = write;
  const id = "recordId" in request ? request.recordId : undefined;
  return [...records, ...leavesOf(write)].some((record) => siblings.secrets.mayHave(record, id));
}

export interface QueuedJob {
  readonly kind: "queued";
  readonly jobId: string;
  readonly since: number;
  readonly end: JobEnd;
  readonly entry: JournalEntry;
}

export async function sendJob<N extends JobOperation>(
  run: Run,
  write: Write<N>,
): Promise<QueuedJob | NotAccepted> {
  const sent = await send(run, write);
  if (sent.kind !== "answered") return sent;
  const since = secondsOf(run.clock.now());
  const { answer, entry } = sent;
  const { jobId } = answer;
  entry.accepted(jobId);
  const end = await pollJob(run, jobId, domainsOf(write.records), carriesSecret(run, write)).catch(
    (error: unknown): JobEnd => {
      const text = `job ${jobId} was accepted, but its result could not be read: ${errorText(error)}`;
      return { kind: "open", detail: { items: [] }, text };
    },
  );
  return { kind: "queued", jobId, since, entry, end };
}

const unsentTexts = {
  "another run": "another run began to create some of these records",
  listed: "the zone shows one of its records by now",
  /** While the write waited for another try. */
  taken: "another resource of this program now declares, owns or ignores the record",
} as const;

type Hindrance = keyof typeof unsentTexts;

function unsent(hindrance: Hindrance, { operation, records }: Write<WriteOperation>): LegacyDnsError {
  return new LegacyDnsError({
    operation,
    target: named(domainsOf(records)),
    meaning: `not sent, because ${unsentTexts[hindrance]}`,
    help: ["run `pulumi up` again, which looks at the zone as it is now"],
    outcome: "not-sent",
  });
}

function isUndocumented(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.isUndocumented;
}

/**
 * A reading has proved that the write did nothing: its undocumented code is a refusal for the rest of the run. An HTTP
 * status below 500 is one of this call.
 */
export function notedRefusal({ refusals }: Run, error: unknown): boolean {
  if (isUndocumented(error)) return refusals.add(answerOf(error)).size > 0;
  return error instanceof HttpStatusError && error.details.status < 500;
}

function answerOf({ operation, code }: ServiceError): string {
  return `${operation} ${code}`;
}

export function isRefusal(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.outcome === "refused" &&
    (error.about === "record" || error.about === "record or domain")
  );
}
