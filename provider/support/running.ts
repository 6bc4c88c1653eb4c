/** Values of the running program. An Automation API process may run several programs, one after the other. */
import * as pulumi from "./sdk";

/** The program, if no engine is connected. */
const noEngine = {};

/** The program's connection to the engine. Each run has a new one in its asynchronous context. */
export function runningProgram(): object {
  return pulumi.runtime.getMonitor() ?? noEngine;
}

/** A value per program. It is created on first use and freed with the program's connection. */
export function ofProgram<Value extends object>(make: () => Value): () => Value {
  const kept = new WeakMap<object, Value>();
  return () => {
    const program = runningProgram();
    const value = kept.get(program) ?? make();
    kept.set(program, value);
    return value;
  };
}
