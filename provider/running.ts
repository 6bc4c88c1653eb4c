/** The program that is running, and what is kept of it: an Automation API process may run several, one after the other. */
import * as pulumi from "./sdk";

/** Stands for the program where no engine is connected. */
const noEngine = {};

/** The program's connection to the engine, which is made anew for each run and found from the run's own asynchronous context. */
export function runningProgram(): object {
  return pulumi.runtime.getMonitor() ?? noEngine;
}

/** A value of each program's own: made when it is first asked for, gone with the program's connection. */
export function ofProgram<Value extends object>(make: () => Value): () => Value {
  const kept = new WeakMap<object, Value>();
  return () => {
    const program = runningProgram();
    const value = kept.get(program) ?? make();
    kept.set(program, value);
    return value;
  };
}
