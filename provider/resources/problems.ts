/**
 * The problems of a program. The engine shows those of the first refused resource only, so every resource is
 * refused with all.
 */
import * as pulumi from "../support/sdk";
import { gather } from "../support/collections";
import { renderAll, type Problem } from "../problems";
import { ofProgram, runningProgram } from "../support/running";

/** Resource → its problems, in the order of construction. */
const problemsSoFar = ofProgram(() => new Map<string, string[]>());

/**
 * Every constructor calls it immediately, so that the list keeps their order.
 * @throws RunError in a unit test, because no provider refuses the resource there
 */
export function note(resource: string, problems: readonly Problem[]): void {
  const texts = gather(problemsSoFar(), resource, []);
  if (problems.length === 0) return;
  for (const text of renderAll(problems)) texts.push(text);
  if (!isUnitTest()) return;
  const text = listed(resource, texts);
  void pulumi.log.error(text);
  throw new pulumi.RunError(text);
}

/** Waits for the synchronous part of the program. */
export async function problemsOfProgram(): Promise<string | undefined> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  const wrong = [...problemsSoFar()].filter(([, texts]) => texts.length > 0);
  return wrong.length === 0 ? undefined : wrong.map(([name, texts]) => listed(name, texts)).join("\n");
}

function listed(resource: string, texts: readonly string[]): string {
  const [first = ""] = texts;
  return texts.length === 1
    ? `${resource}: ${first}`
    : `${resource}: ${texts.length} problems:\n${texts.map((text) => `  - ${text.replaceAll("\n", "\n  ")}`).join("\n")}`;
}

/** Whether the SDK's mocks replace the engine. */
export function isUnitTest(): boolean {
  return "mocks" in runningProgram();
}
