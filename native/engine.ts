/**
 * The plugin's line to the engine: what is said while an operation runs stands under its resource, progress as a live
 * status. Without an engine, which the tests of the service do without, the standard error serves.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest, LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { consoleReporter, type Reporter } from "../provider/report";
import type { RunMemory } from "../provider/run-memory";

/** Milliseconds that a message is given. */
const deliveryTime = 5_000;

export class EngineLine {
  private readonly client: EngineClient | undefined;
  /** The URN of the resource whose operation runs. */
  private readonly subject = new AsyncLocalStorage<string>();
  /** All that has been said, one after the other: the engine shows messages in the order in which it has handled them. */
  private delivered: Promise<void> = Promise.resolve();

  /** @param address the engine's, `127.0.0.1:port`. */
  constructor(readonly address: string | undefined) {
    this.client = address === undefined ? undefined : new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** Runs an operation of the resource with this URN: what is said meanwhile is said of it, and has arrived when it ends. */
  async speakingOf<T>(urn: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.subject.run(urn, work);
    } finally {
      await this.delivered;
    }
  }

  /**
   * Each text is said at most once, since check may run several times.
   * @param memory what other processes of the run have said: the update does not repeat the preview.
   */
  reporter(memory: Pick<RunMemory, "isNew">): Reporter {
    if (this.client === undefined) return consoleReporter;
    const said = new Set<string>();
    const once = (severity: LogSeverity, text: string): void => {
      if (said.has(text)) return;
      said.add(text);
      if (severity !== LogSeverity.ERROR && !memory.isNew(text)) return;
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
  programRan(): Promise<boolean> {
    const { client } = this;
    if (client === undefined) return Promise.resolve(false);
    return new Promise((resolve) => {
      client.getRootResource(new GetRootResourceRequest(), (error, answer) => resolve(error === null && answer.getUrn() !== ""));
    });
  }

  private log(severity: LogSeverity, text: string, ephemeral: boolean): void {
    const { client } = this;
    if (client === undefined) return;
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(text);
    request.setUrn(this.subject.getStore() ?? "");
    request.setEphemeral(ephemeral);
    // A message that cannot be delivered must not end the operation that it is about.
    this.delivered = this.delivered.then(() => new Promise((resolve) => void client.log(request, new grpc.Metadata(), { deadline: Date.now() + deliveryTime }, () => resolve())));
  }
}
