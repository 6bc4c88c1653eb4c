/** Helpers for the stories of examples/. */
import { fail } from "node:assert/strict";
import { load } from "js-yaml";
import { read } from "./page";

/** Settings of a program in TypeScript that is not compiled first. */
export const transpiled = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: object;
  readonly env?: object;
  readonly strategy?: { readonly matrix: { readonly include: object[] } };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions?: object;
  readonly env?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const workflowIn = (path: string) => load(read(path)) as Workflow;
export const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

/** The script of a step of a workflow in examples/. */
export function stepOf(workflow: string, name: string): string {
  return (
    stepsOf(workflowIn(`examples/${workflow}`)).find((each) => each.name === name)?.run ??
    fail(`no step ${name}`)
  );
}
