/** Values of the running program. */
import * as pulumi from "./sdk";

const noEngine = {};

/** Each run of an Automation API process has a new connection. */
function runningProgram(): object {
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

export function isUnitTest(): boolean {
  return "mocks" in runningProgram();
}
