/** The program that is running. */
import * as pulumi from "@pulumi/pulumi";

/** Stands for the program where no engine is connected. */
const noEngine = {};

/** Its connection to the engine, by which is kept what is known of it: an Automation API process may run several programs. */
export function runningProgram(): object {
  return pulumi.runtime.getMonitor() ?? noEngine;
}
