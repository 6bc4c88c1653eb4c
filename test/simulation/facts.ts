/** What happened in the world. Times: ms since the epoch. */
import type { RecordView, Service } from "../../emulator";
import type { Resource } from "./engine";
import type { Process } from "./process";
import type { Question } from "./edits";
import type { Timeline } from "./time";
import { identitiesIn, identity, type Program } from "./program";

export interface Watched {
  readonly service: Service;
  readonly timeline: Timeline;
  readonly domains: readonly string[];
  readonly tracing: boolean;
  readonly full: boolean;
  readonly late: boolean;
}

/** A listing showed an equal record that the open job of the call had not made. */
export interface OtherRecord {
  readonly call: Call;
  readonly what: string;
  readonly by: Process;
  readonly at: number;
}

export interface Call {
  readonly process: Process;
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly sentAt: number;
  /** The sender's last listing of each zone when it sent the call. */
  seen: ReadonlyMap<string, Listing>;
  /** The identities that it asks to be created. */
  creates: readonly string[];
  executedAt: number;
  /** For Record.List. */
  listing?: Listing;
  /** When an answer or its failure reached the process. */
  settledAt?: number;
  /** A whole answer reached the process. */
  wasAnswered: boolean;
  job?: number;
  /** The job's number reached the process. */
  wasNumbered: boolean;
  /** For Batch.Detail: the call whose job had ended. */
  showsEndOf?: Call;
  /** When a report that the job had ended reached a process for the first time. */
  readonly endSeen: Map<Process, number>;
  /** The answer's code seemed to prove that the call did nothing. */
  wasMisread: boolean;
}

export function endSeenAt(
  { endSeen }: Pick<Call, "endSeen">,
  by: (process: Process) => boolean = () => true,
): number {
  return Math.min(...[...endSeen].flatMap(([process, at]) => (by(process) ? [at] : [])));
}

/** The records that one Record.List showed. `shown`: id → the record as listed. */
export interface Listing {
  readonly domain: string;
  readonly at: number;
  readonly shown: ReadonlyMap<number, Shown>;
}

export interface Shown {
  readonly identity: string;
  readonly text: string;
}

/** A record as it was from one moment to the next; without a view after its removal. */
export interface Version {
  readonly record: ZoneRecord;
  readonly view: RecordView | undefined;
  readonly identity: string | undefined;
  readonly at: number;
  /** When a listing shows it. */
  readonly visibleAt: number;
  /** Undefined for a person. */
  readonly by: Call | undefined;
}

export class ZoneRecord {
  readonly versions: Version[] = [];
  /** Updates without an effect, which the service counts. */
  idle = 0;

  constructor(
    readonly id: number,
    readonly domain: string,
  ) {}

  get now(): Version {
    const [last] = this.versions.slice(-1);
    if (last === undefined) throw new Error(`record ${this.id} has no version`);
    return last;
  }

  /** The record's identity, or its last one if the record was removed. */
  get identity(): string {
    return this.versions.findLast(({ identity: what }) => what !== undefined)?.identity ?? "";
  }

  get isLive(): boolean {
    return this.now.view?.hold === false;
  }

  /** The version that gave it its present identity. */
  get origin(): Version {
    const other = this.versions.findLastIndex((each) => each.identity !== this.now.identity);
    return this.versions[other + 1] ?? this.now;
  }

  get creator(): string | undefined {
    return this.versions[0]?.by?.process.stack;
  }

  lastWriteOf(stack: string): Version | undefined {
    return this.versions.findLast(({ by }) => by?.process.stack === stack);
  }
}

export interface Change {
  readonly record: ZoneRecord;
  readonly before: Version;
  readonly after: Version;
  readonly call: Call;
}

export interface Message {
  readonly process: Process;
  readonly at: number;
  readonly level: string;
  readonly text: string;
}

export interface End {
  readonly process: Process;
  readonly ok: boolean;
  readonly state: readonly Resource[];
  /** Whether the run has read or changed a declared resource. */
  readonly covers: (resource: string) => boolean;
  /** The number of resources in the state and the program, for a run without faults. */
  readonly resources: number | undefined;
}

export interface Rest {
  readonly stack: string;
  readonly state: readonly Resource[];
  readonly program: Program;
}

export interface Rounds {
  readonly stack: string;
  readonly rounds: number;
  readonly last: readonly string[];
}

export interface Stuck {
  readonly program: Program;
  /** Name and domain of the records of jobs that have not ended. */
  readonly open: ReadonlySet<string>;
}

export interface Again {
  readonly process: Process;
  readonly ok: boolean;
  readonly changed: readonly string[];
  readonly errors: readonly string[];
  /** After a refresh. */
  readonly mayCall: boolean;
}

export function shownOf(domain: string, view: RecordView): Shown {
  const what = identity(domain, view);
  return { identity: what, text: `${what} ${view.ttl} ${view.enabled}` };
}

export function isShown({ record, view }: Version, listing: Listing | undefined): boolean {
  if (listing === undefined) return false;
  const shown = listing.shown.get(record.id);
  return view === undefined ? shown === undefined : shown?.text === shownOf(record.domain, view).text;
}

export const listed = (text = "") => text.split(",");

/** The facts of one process, and what reached it. */
export class Run {
  readonly declared: ReadonlySet<string>;
  readonly calls = new Map<string, number>();
  readonly listings: Listing[] = [];
  readonly last = new Map<string, Listing>();
  /** Record.Info with an answer: id → when the service carried it out. */
  readonly askedFor = new Map<number, number>();
  /** Resources that the engine has checked in this run → when. */
  readonly checked = new Map<string, number>();
  /** Records that a listing showed while the program, or in a refresh the state, declared them with `adopt`. */
  readonly adopted = new Set<number>();
  /** Operation and undocumented code → when it was first answered so. */
  readonly codes = new Map<string, number>();
  loginFailed = false;
  hasSucceeded = false;

  /** The first listing of each zone. */
  get first(): ReadonlyMap<string, Listing> {
    return new Map(this.listings.toReversed().map((each) => [each.domain, each]));
  }

  constructor(
    readonly program: Program,
    /** What the programs since the last successful up declare of the resources in the state. */
    readonly saved: Program,
    readonly kind: string,
    readonly begun: number,
    readonly disk: string,
    /** The resources in the state. */
    readonly resources: ReadonlySet<string>,
    /** Those with `removal: "retain"`. */
    readonly retaining: ReadonlySet<string>,
    /** Id → the resources in whose ledgers it is. */
    readonly owned: ReadonlyMap<number, readonly string[]>,
    /** Those that a destroy deletes, if the stack created them. */
    readonly deletable: ReadonlySet<number>,
    readonly adoptable: ReadonlySet<string>,
    readonly questions: readonly Question[],
    /** In the state (`openWritesOf`). */
    readonly openWrites: ReadonlySet<string>,
  ) {
    this.declared = identitiesIn(program);
  }
}

export function sameView(one: RecordView, other: RecordView | undefined) {
  const keys = Object.keys(one) as (keyof RecordView)[];
  return other !== undefined && keys.every((key) => one[key] === other[key]);
}

export const shownVersion = ({ identity, view }: Version) => `${identity ?? "nothing"} ${view?.ttl ?? ""}`;
