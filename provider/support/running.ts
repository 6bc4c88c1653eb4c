/** Values of the running program. An Automation API process may run several. */
import * as pulumi from "./sdk";

const noEngine = {};

/** Each run has a new connection in its asynchronous context. */
export function runningProgram(): object {
  return pulumi.runtime.getMonitor() ?? noEngine;
}

export function ofProgram<Value extends object>(make: () => Value): () => Value {
  const kept = new WeakMap<object, Value>();
  return () => {
    const program = runningProgram();
    const value = kept.get(program) ?? make();
    kept.set(program, value);
    return value;
  };
}

/** Whether the SDK's mocks replace the engine. */
export function isUnitTest(): boolean {
  return "mocks" in runningProgram();
}
