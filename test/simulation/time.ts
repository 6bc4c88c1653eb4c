/**
 * Simulated time: a queue of due tasks. Time moves from one due moment to the next, and only if every task
 * waits. Nothing sleeps for real.
 */

/** Something that is due and can be called off. */
export interface Due {
  readonly at: number;
  readonly order: number;
  cancelled: boolean;
  readonly fire: () => void;
}

/** Nothing is due, and a task still waits: it hangs. */
export class Stuck extends Error {
  override readonly name = "Stuck";
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Timeline {
  private queue: Due[] = [];
  private order = 0;

  /** @param current milliseconds since the epoch. */
  constructor(private current: number) {}

  readonly now = (): number => this.current;

  /** Calls `fire` in `ms` milliseconds. */
  in(ms: number, fire: () => void): Due {
    const due: Due = { at: this.current + Math.max(0, ms), order: (this.order += 1), cancelled: false, fire };
    this.push(due);
    return due;
  }

  /** Runs everything that is due, in order, until the work has ended. @throws Stuck when it never will. */
  async drive<T>(work: Promise<T>): Promise<T> {
    const state = { ended: false };
    const ended = (): void => void (state.ended = true);
    work.then(ended, ended);
    for (;;) {
      await turn();
      if (state.ended) return work;
      const due = this.pop();
      if (due === undefined) throw new Stuck("nothing is due any more, and an operation still waits");
      this.current = Math.max(this.current, due.at);
      due.fire();
    }
  }

  private push(due: Due): void {
    const heap = this.queue;
    heap.push(due);
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (before(heap[parent], heap[i])) break;
      swap(heap, i, parent);
      i = parent;
    }
  }

  private pop(): Due | undefined {
    for (;;) {
      const heap = this.queue;
      const [first] = heap;
      const last = heap.pop();
      if (first === undefined || last === undefined) return undefined;
      if (heap.length > 0) {
        heap[0] = last;
        for (let i = 0; ;) {
          const [left, right] = [2 * i + 1, 2 * i + 2];
          const least = before(heap[right], heap[left]) ? right : left;
          if (least >= heap.length || before(heap[i], heap[least])) break;
          swap(heap, i, least);
          i = least;
        }
      }
      // A cancelled entry moves no clock.
      if (!first.cancelled) return first;
    }
  }
}

function before(one: Due | undefined, other: Due | undefined): boolean {
  if (one === undefined) return false;
  return other === undefined || one.at < other.at || (one.at === other.at && one.order < other.order);
}

function swap(heap: Due[], i: number, j: number): void {
  const [one, other] = [heap[i], heap[j]];
  if (one === undefined || other === undefined) return;
  heap[i] = other;
  heap[j] = one;
}
