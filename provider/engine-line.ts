/**
 * A provider process's line to the engine: what is said while an operation runs has arrived when it ends, progress as a
 * live status. Without an engine, as in tests, the standard error serves. The SDK's own log is no such line: a process
 * that the engine ends while a message is on its way then complains of promises "still active".
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest, LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { consoleReporter, type Reporter } from "./report";
import { visible } from "./support/visible";

/** Milliseconds that a message is waited for. */
const deliveryTime = 5_000;

/** The engine's address: the last argument of a provider process, `127.0.0.1:port`. */
export function engineAddress(args: readonly string[]): string | undefined {
  const last = args.at(-1);
  return last !== undefined && /^[\w.:[\]-]+:\d+$/.test(last) ? last : undefined;
}

export class EngineLine {
  /** The URN of the resource whose operation runs. */
  private readonly subject = new AsyncLocalStorage<string>();
  /** All that has been said, one after the other: the engine shows messages in the order in which it has handled them. */
  private delivered: Promise<void> = Promise.resolve();

  /**
   * @param address the engine's, `127.0.0.1:port`; undefined where there is none.
   * @param client connected to it.
   */
  constructor(
    readonly address: string | undefined,
    private readonly client: Pick<IEngineClient, "log" | "getRootResource"> | undefined,
  ) {}

  /**
   * Runs an operation: what is said meanwhile is said of its resource, and has arrived when it ends.
   * @param urn of the resource; empty if the front end does not know it, so that the text stands under the stack.
   */
  async speakingOf<T>(urn: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.subject.run(urn, work);
    } finally {
      await this.delivered;
    }
  }

  /** Logs each text at most once, since check may run several times. */
  reporter(): Reporter {
    if (this.client === undefined) return consoleReporter;
    const said = new Set<string>();
    const once = (severity: LogSeverity, text: string): void => {
      if (said.has(text)) return;
      said.add(text);
      this.log(severity, text, false);
    };
    return {
      info: (text) => once(LogSeverity.INFO, text),
      warn: (text) => once(LogSeverity.WARNING, text),
      error: (text) => once(LogSeverity.ERROR, text),
      progress: (text) => this.log(LogSeverity.INFO, text, true),
    };
  }

  /**
   * Whether a program has run: an update has one, even where it declares nothing any more, and a destroy has none. The
   * engine keeps the stack's name that a program tells it at its start.
   */
  async programRan(): Promise<boolean> {
    const { client } = this;
    if (client === undefined) return false;
    return new Promise((resolve) => {
      client.getRootResource(new GetRootResourceRequest(), (error, answer) =>
        resolve(error === null && answer.getUrn() !== ""),
      );
    });
  }

  private log(severity: LogSeverity, text: string, ephemeral: boolean): void {
    const { client } = this;
    if (client === undefined) return;
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(visible(text));
    request.setUrn(this.subject.getStore() ?? "");
    request.setEphemeral(ephemeral);
    // A message that cannot be delivered must not end the operation that it is about, nor hold it up.
    const deliver = (): Promise<void> =>
      new Promise((resolve) => {
        const late = setTimeout(resolve, deliveryTime);
        client.log(request, () => {
          clearTimeout(late);
          resolve();
        });
      });
    this.delivered = this.delivered.then(deliver);
  }
}
