/** A provider process's messages to the engine. The SDK's log would report active promises at a stop. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IEngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest, LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { consoleReporter, type Reporter } from "./reporter";
import { visible } from "./visible";

const deliveryTime = 5_000;

/** The last argument of a provider process, `127.0.0.1:port`. */
export function engineAddress(args: readonly string[]): string | undefined {
  const last = args.at(-1);
  return last !== undefined && /^[\w.:[\]-]+:\d+$/.test(last) ? last : undefined;
}

export class EngineLine {
  private readonly subject = new AsyncLocalStorage<string>();
  /** The engine may handle concurrent messages in any order. */
  private delivered: Promise<void> = Promise.resolve();

  constructor(
    readonly address: string | undefined,
    private readonly client: Pick<IEngineClient, "log" | "getRootResource"> | undefined,
  ) {}

  async forResource<T>(urn: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.subject.run(urn, work);
    } finally {
      await this.delivered;
    }
  }

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
      // Two resources may fail alike.
      error: (text) => this.log(LogSeverity.ERROR, text, false),
      progress: (text) => this.log(LogSeverity.INFO, text, true),
    };
  }

  /** A program has registered the stack's root resource. */
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
