/** What a provider process of the SDK's asks of it: its line to the engine, and errors without an echo. */
import * as pulumi from "@pulumi/pulumi";
import { visible } from "../support/visible";
import { engineAddress, EngineLine } from "../engine-line";

/** This process's line to the engine, whose address is among its arguments. */
export function engineLine(): EngineLine {
  const address = engineAddress(process.argv);
  if (address === undefined) return new EngineLine(undefined, undefined);
  // The process has no deployment of its own: only the engine's address matters for its connection.
  pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  return new EngineLine(address, pulumi.runtime.getEngine());
}

/**
 * The error as it is to be thrown at the host: without a stack, and without the host's own echo of it on standard
 * error, which would show the message a second time under the stack.
 */
export function forHost(error: unknown, echoes: Echoes): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  thrown.message = visible(thrown.message);
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
