export interface Due {
  readonly at: number;
  cancelled: boolean;
  readonly fire: () => void;
}

export class Stuck extends Error {
  override readonly name = "Stuck";
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

export class Timeline {
  private readonly queue: Due[] = [];

  constructor(private current: number) {}

  readonly now = () => this.current;

  in(ms: number, fire: () => void): Due {
    const due: Due = { at: this.current + Math.max(0, ms), cancelled: false, fire };
    const before = this.queue.findLastIndex(({ at }) => at > due.at);
    this.queue.splice(before + 1, 0, due);
    return due;
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.in(ms, resolve));
  }

  async drive<T>(work: Promise<T>): Promise<T> {
    const state = { ended: false };
    const ended = (): void => void (state.ended = true);
    work.then(ended, ended);
    for (;;) {
      await turn();
      if (state.ended) return work;
      const due = this.next();
      if (due === undefined) throw new Stuck("nothing is due any more, and an operation still waits");
      this.current = due.at;
      due.fire();
    }
  }

  private next(): Due | undefined {
    let due = this.queue.pop();
    while (due?.cancelled === true) due = this.queue.pop();
    return due;
  }
}
