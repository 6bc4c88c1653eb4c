/**
 * A provider process's messages to the engine. The messages of an operation arrive before its answer. If
 * there is no engine, as in tests, they go to standard error. The SDK's log is not used: if the engine stops
 * the process before a message has arrived, the SDK prints an error about active promises.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest, LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { consoleReporter, type Reporter } from "./reporter";
import { visible } from "./visible";

/** Milliseconds to wait for the delivery of a message. */
const deliveryTime = 5_000;

/** The engine's address: the last argument of a provider process, `127.0.0.1:port`. */
export function engineAddress(args: readonly string[]): string | undefined {
  const last = args.at(-1);
  return last !== undefined && /^[\w.:[\]-]+:\d+$/.test(last) ? last : undefined;
}

export class EngineLine {
  /** The URN of the running operation's resource. */
  private readonly subject = new AsyncLocalStorage<string>();
  /**
   * The delivery of all messages so far, one by one, because the engine may handle concurrent ones in any
   * order.
   */
  private delivered: Promise<void> = Promise.resolve();

  /**
   * @param address the engine's, `127.0.0.1:port`; undefined if there is none
   * @param client a client of that address
   */
  constructor(
    readonly address: string | undefined,
    private readonly client: Pick<IEngineClient, "log" | "getRootResource"> | undefined,
  ) {}

  /**
   * Runs an operation. Its messages belong to its resource and have arrived at its end.
   * @param urn the resource's; if it is empty, the engine shows the messages under the stack
   */
  async speakingOf<T>(urn: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.subject.run(urn, work);
    } finally {
      await this.delivered;
    }
  }

  /** Logs each text at most once, because check may run several times. */
  reporter(): Reporter {
    if (this.client === undefined) return consoleReporter;
    const logged = new Set<string>();
    const once = (severity: LogSeverity, text: string): void => {
      if (logged.has(text)) return;
      logged.add(text);
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
   * Whether a program has run. An update runs one, even if it declares nothing any more; a destroy does not.
   * A program registers the stack's root resource at its start.
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
    // A message that cannot be delivered must neither end nor delay its operation.
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
