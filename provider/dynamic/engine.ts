import * as pulumi from "@pulumi/pulumi";
import { visible } from "../support/visible";
import { engineAddress, EngineLine } from "../support/engine-line";

export function engineLine(): EngineLine {
  const address = engineAddress(process.argv);
  if (address === undefined) return new EngineLine(undefined, undefined);
  // The process has no deployment.
  pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  return new EngineLine(address, pulumi.runtime.getEngine());
}

/**
 * The error without a stack trace. The engine would print the host's echo on standard error under the stack.
 */
export function forHost(error: unknown, echoes: Echoes): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  thrown.message = visible(thrown.message);
  thrown.stack = "";
  echoes.swallow(`${String(thrown)}: `);
  return thrown;
}

/** Suppresses the echoes of errors that the host prints. */
export class Echoes {
  private readonly expected = new Set<string>();

  /** Until the next turn of the event loop. */
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
