/**
 * How a host process ends: because the engine says so (SIGINT, the normal end too), because somebody else does (SIGTERM),
 * or because the engine is gone. From then on no call begins: the next run may be under way and would not know of a write,
 * and jobs that are not waited for any more keep their numbers, in the state or in the journal. What is on its way is
 * given its time, so that its answer is not lost.
 */
import { connect } from "node:net";
import { operations, type Transport, TransportError } from "../api";
import type { Reporter } from "../report";
import { isPlan } from "./plan-file";

/** Milliseconds for an answer to reach the engine. */
const answerTime = 500;
/** Milliseconds that running calls are given once the process has to end. With `lookEvery` five seconds. */
const lastCalls = 4_000;
/** Milliseconds between two checks whether the engine still listens. */
const lookEvery = 1_000;

export class Ending {
  private working = 0;
  private begun = false;
  private cancelled = false;
  private watching: NodeJS.Timeout | undefined;

  /** @param address the engine's; undefined outside a host, where nothing of all this happens. */
  constructor(private readonly address: string | undefined) {}

  /** An operation of the engine's begins. */
  entered(): void {
    this.working += 1;
  }

  /** An operation has its answer. */
  left(): void {
    this.working -= 1;
    // Not at once: the host has yet to send the answer to the engine.
    if (this.begun && this.working === 0) setTimeout(() => process.exit(0), answerTime);
  }

  /** The transport, but nothing leaves once the process is ending, and no write without an engine that hears of it. */
  guard(transport: Transport): Transport {
    return {
      send: async (request) => {
        if (isPlan() && isWrite(request.operation)) {
          throw new TransportError({
            operation: request.operation,
            outcome: "not-sent",
            passing: false,
            meaning: "not sent, because this run is a plan only",
            hint: "",
          });
        }
        if (isWrite(request.operation)) await this.look();
        // After a cancellation what was sent is still asked about: its operation ends well and is saved.
        if (this.begun || (this.cancelled && isWrite(request.operation))) {
          throw new TransportError({
            operation: request.operation,
            outcome: "not-sent",
            passing: false,
            meaning: "not sent, because the deployment was stopped",
            hint: isWrite(request.operation) ? "Run `pulumi up` again." : "",
          });
        }
        return transport.send(request);
      },
      close: () => transport.close(),
    };
  }

  /** The engine wants nothing more: what is on its way is finished, and nothing more is written. The process goes on. */
  cancel(): void {
    this.cancelled = true;
  }

  /** Ends this process as described above; `journal` is closed where every answer has reached the engine. */
  watch(journal: { close(): void }, reporter: Reporter): void {
    const { address } = this;
    if (address === undefined) return;
    // Stopped while idle, the engine has had every answer and saved it: then the journal has served. Stopped at work, it
    // may not have waited for the answer, and the journal stays for the next run.
    process.on("exit", () => {
      if (this.working === 0 && !this.begun) journal.close();
    });
    const stop = (): void => {
      if (this.working > 0 && !this.begun) reporter.warn(stoppedAtWork);
      this.end();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
    this.watchEngine();
  }

  /** Ends this process within five seconds after its engine. A killed engine sends no signal, and the process has the token. */
  watchEngine(): void {
    if (this.address === undefined) return;
    this.watching ??= setInterval(() => void this.look(), lookEvery).unref();
  }

  /** Checks whether the engine still listens. If not, this process ends. */
  private async look(): Promise<void> {
    if (this.address !== undefined && !this.begun && !(await listens(this.address))) this.end();
  }

  private end(): void {
    if (this.working === 0) process.exit(0);
    this.begun = true;
    setTimeout(() => process.exit(0), lastCalls).unref();
  }
}

const stoppedAtWork =
  "stopped before everything was done. Nothing more is sent, and what was sent is known to the journal: run `pulumi up` " +
  "again, which finds out what was made before it sends anything. Where the engine then speaks of pending operations, " +
  "`pulumi refresh --yes --clear-pending-creates` ends that";

function isWrite(operation: string): boolean {
  return Object.entries(operations).some(([name, { kind }]) => name === operation && kind === "write");
}

/** Whether the engine still listens; in doubt it does. */
function listens(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const colon = address.lastIndexOf(":");
    const socket = connect({
      host: address.slice(0, colon).replace(/^\[|\]$/g, ""),
      port: Number(address.slice(colon + 1)),
    });
    const tell = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(1_000, () => tell(true));
    socket.once("connect", () => tell(true));
    socket.once("error", (error) => tell(!("code" in error && error.code === "ECONNREFUSED")));
  });
}
