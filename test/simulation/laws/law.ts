/** A law is a sentence over facts. A check yields a text for each violation. */
import type { Question } from "../edits";
import type { Again, Call, Change, End, Message, Rest, Rounds, Stuck } from "../facts";
import type { Observer } from "../observer";

export interface Events {
  readonly sent: Call;
  /** The service has made a job of the call. */
  readonly queued: Call;
  readonly executed: { readonly call: Call; readonly open: readonly Question[] };
  readonly changed: Change;
  /** A call changed nothing of a record that it names. */
  readonly idle: Change;
  readonly said: Message;
  readonly ended: End;
  /** The user has followed all messages, but jobs do not end. */
  readonly stuck: Stuck;
  /** The user has reached the goal, or has given up. */
  readonly settled: Rounds;
  readonly rest: Rest;
  /** An up, and then an up with a refresh, of a stack at rest. */
  readonly again: Again;
  /** A record appeared, changed or went, and no call or person did it. */
  readonly unexplained: string;
  /** Something hangs, or a rejection is unhandled. */
  readonly broke: string;
}

type Checks = { readonly [E in keyof Events]?: (world: Observer, what: Events[E]) => Iterable<string> };

export interface Law extends Checks {
  readonly name: string;
  readonly sentence: string;
  /** Its row of docs/guarantees.md: the promise in the words of a user. */
  readonly row: string;
}
