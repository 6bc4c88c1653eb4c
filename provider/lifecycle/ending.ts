/**
 * The end of a provider process: on SIGINT, which is also the normal end, on SIGTERM, or without an
 * engine. No call begins then, because the next run may have started.
 */
import { connect } from "node:net";
import { operations, type Transport, TransportError } from "../api";
import { reason } from "../problems";
import { warnOf, type Reporter } from "../support/reporter";

/** Milliseconds for an answer to reach the engine. */
const answerTime = 500;
/** Milliseconds for running calls. With `lookEvery`, five seconds. */
const lastCalls = 4_000;
const lookEvery = 1_000;

export class Ending {
  private working = 0;
  private begun = false;
  private cancelled = false;
  private watching: NodeJS.Timeout | undefined;

  constructor(private readonly address: string | undefined) {}

  entered(): void {
    this.working += 1;
  }

  left(): void {
    this.working -= 1;
    if (this.begun && this.working === 0) setTimeout(() => process.exit(0), answerTime);
  }

  guard(transport: Transport, isPlan: boolean): Transport {
    return {
      send: async (request) => {
        const { operation, target } = request;
        const isWriting = isWrite(operation);
        const notSent = (why: string, ...help: readonly string[]): TransportError =>
          new TransportError({
            ...{ operation, target, outcome: "not-sent", passing: false, help },
            meaning: `not sent, because ${why}`,
          });
        if (isPlan && isWriting) throw notSent("this run is a plan only");
        if (isWriting) await this.look();
        // After a cancellation, reads continue, so that running operations end and are saved.
        if (this.begun || (this.cancelled && isWriting))
          throw notSent("the deployment was stopped", ...(isWriting ? ["run `pulumi up` again"] : []));
        return transport.send(request);
      },
      close: () => transport.close(),
    };
  }

  cancel(): void {
    this.cancelled = true;
  }

  watch(journal: { close(): void }, reporter: Reporter): void {
    const { address } = this;
    if (address === undefined) return;
    // If the process is idle, the engine has every answer. Else the journal stays for the next run.
    process.on("exit", () => {
      if (this.working === 0 && !this.begun) journal.close();
    });
    const stop = (): void => {
      if (this.working > 0 && !this.begun) warnOf(reporter, [reason("run.stopped")]);
      this.end();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    this.watchEngine();
  }

  /** A killed engine sends no signal. */
  watchEngine(): void {
    if (this.address === undefined) return;
    this.watching ??= setInterval(() => void this.look(), lookEvery).unref();
  }

  private async look(): Promise<void> {
    if (this.address !== undefined && !this.begun && !(await listens(this.address))) this.end();
  }

  private end(): void {
    if (this.working === 0) process.exit(0);
    this.begun = true;
    setTimeout(() => process.exit(0), lastCalls).unref();
  }
}

function isWrite(operation: string): boolean {
  return Object.entries(operations).some(([name, { kind }]) => name === operation && kind === "write");
}

/** True if that is uncertain. */
function listens(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const colon = address.lastIndexOf(":");
    const socket = connect({
      host: address.slice(0, colon).replace(/^\[|\]$/g, ""),
      port: Number(address.slice(colon + 1)),
    });
    const finish = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(1_000, () => finish(true));
    socket.once("connect", () => finish(true));
    socket.once("error", (error) => finish(!("code" in error && error.code === "ECONNREFUSED")));
  });
}
