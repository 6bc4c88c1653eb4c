/** Helpers for the stories of examples/. */
import { fail } from "node:assert/strict";
import { load } from "js-yaml";
import { read } from "./page";

/** Settings of a program in TypeScript that is not compiled first. */
export const transpiled = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

interface Step {
  readonly name?: string;
  readonly run?: string;
}

/** The script of a step of a workflow in examples/. */
export function stepOf(workflow: string, name: string): string {
  const { jobs } = load(read(`examples/${workflow}`)) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return steps.find((each) => each.name === name)?.run ?? fail(`no step ${name}`);
}
