/**
 * The provider host's line to the engine: messages appear under the stack while an operation runs, progress as a live
 * status. Outside a host (tests) there is no engine, and the console serves.
 */
import * as pulumi from "@pulumi/pulumi";
import { GetRootResourceRequest } from "@pulumi/pulumi/proto/engine_pb";
import { consoleReporter, type Reporter } from "../report";
import type { RunMemory } from "../run-memory";

/**
 * A reporter over the engine's log; each text is said at most once, since check may run several times.
 * @param memory what other processes of the run have said: the update does not repeat the preview
 */
export function engineReporter(address: string | undefined, memory: Pick<RunMemory, "isNew">): Reporter {
  if (address === undefined) return consoleReporter;
  // The host process has no deployment of its own; only the engine's address matters for its log.
  pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  const said = new Set<string>();
  const once = (text: string, say: (text: string) => Promise<void>, isError = false): void => {
    if (said.has(text)) return;
    said.add(text);
    if (!isError && !memory.isNew(text)) return;
    // A message that cannot be delivered must not end the operation that it is about.
    say(text).catch(() => undefined);
  };
  return {
    info: (text) => once(text, (t) => pulumi.log.info(t)),
    warn: (text) => once(text, (t) => pulumi.log.warn(t)),
    error: (text) => once(text, (t) => pulumi.log.error(t), true),
    progress: (text) => {
      pulumi.log.info(text, undefined, undefined, true).catch(() => undefined);
    },
  };
}

/** The engine's address: the last argument of a provider host, `127.0.0.1:port`. */
export function engineAddress(args: readonly string[]): string | undefined {
  const last = args.at(-1);
  return last !== undefined && /^[\w.:[\]-]+:\d+$/.test(last) ? last : undefined;
}

/**
 * Whether a program has run: an update has one, even where it declares nothing any more, and a destroy has none. The
 * engine keeps the stack's name that a program tells it at its start.
 */
export function programRan(address: string | undefined): Promise<boolean> {
  const engine = address === undefined ? undefined : pulumi.runtime.getEngine();
  if (engine === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    engine.getRootResource(new GetRootResourceRequest(), (error, answer) => resolve(error === null && answer.getUrn() !== ""));
  });
}

/**
 * The error as it is to be thrown at the host: without a stack, and without the host's own echo of it on standard
 * error, which would show the message a second time under the stack.
 */
export function forHost(error: unknown, echoes: Echoes): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  thrown.stack = "";
  echoes.swallow(`${String(thrown)}: `);
  return thrown;
}

/** The host's echoes: it prints what an operation throws at once, before anything else can happen, or never. */
export class Echoes {
  private readonly expected = new Set<string>();

  /** Keeps a line from being printed until this moment is over. */
  swallow(line: string): void {
    this.expected.add(line);
    if (this.expected.size > 1) return;
    /* eslint-disable no-console -- the host reports through console.error before it answers the engine */
    const print = console.error;
    console.error = (...args: unknown[]): void => {
      if (args.length !== 1 || typeof args[0] !== "string" || !this.expected.has(args[0])) print(...args);
    };
    setImmediate(() => {
      console.error = print;
      this.expected.clear();
    });
    /* eslint-enable no-console */
  }
}
