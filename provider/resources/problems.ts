/**
 * How a program's problems are shown: each once, under its resource, and those of all resources. The engine shows what is
 * wrong with the first resource that its provider refuses, and ends the run there; so the others are told before.
 */
import * as pulumi from "../sdk";
import { shown, type Problem } from "../problems";
import { ofProgram, runningProgram } from "../running";

/** What a resource is to the engine, and to people. */
export interface Subject {
  /** `Record "www"`. */
  readonly label: string;
  readonly type: string;
  readonly name: string;
  readonly parent: pulumi.Resource | undefined;
}

/** Milliseconds that a resource is held back for, whose problems have been told: until then the engine has ended the run. */
const heldBack = 30_000;

/** Milliseconds for those without problems, which would be planned meanwhile: a busy machine takes seconds to start the host that refuses. */
const heldBackShortly = 10_000;
/** Milliseconds after which a refused resource whose inputs are not known yet is taken to wait for those that are held back. */
const heldBackUnasked = 1_000;

/** What has been told of one program. */
interface Told {
  /** Whether a resource has been found whose provider refuses it, with its problems. */
  refused: boolean;
  /** Resolves once the inputs of that resource are known: then the engine asks about it. */
  asked: Promise<unknown>;
  /** What those without problems wait for, all of the program together. */
  held: Promise<void> | undefined;
  readonly others: Promise<void>[];
}

const toldOfProgram = ofProgram<Told>(() => ({
  refused: false,
  asked: Promise.resolve(),
  held: undefined,
  others: [],
}));

/**
 * The problems of a resource, for its provider to refuse it with: of the program's first as soon as those of the others
 * have been told, of another after a while, should the engine not have asked about the first (`--target`).
 * @param inputs what the resource's own inputs wait for; none where they are plain
 * @returns undefined where there is none
 * @throws RunError in a unit test, where nobody refuses anything
 */
export async function problemsOf(
  subject: Subject,
  problems: readonly Problem[],
  inputs?: Promise<unknown>,
): Promise<string | undefined> {
  const errors = problems.map(shown);
  const [first] = errors;
  if (first === undefined) return letPass();
  const text =
    errors.length === 1
      ? first
      : `${errors.length} problems:\n${errors.map((error) => `  - ${error}`).join("\n")}`;
  const whole = `${subject.label}: ${text}`;
  if (isUnitTest()) {
    await pulumi.log.error(whole);
    throw new pulumi.RunError(whole);
  }
  const told = toldOfProgram();
  if (!told.refused) {
    told.refused = true;
    told.asked = Promise.resolve(inputs).catch(() => undefined);
    await new Promise<void>((resolve) => setImmediate(resolve));
    await Promise.all(told.others);
    return text;
  }
  told.others.push(pulumi.log.error(whole, standIn(subject)));
  await new Promise<void>((resolve) => setTimeout(resolve, heldBack).unref());
  return text;
}

/** What has no problems of its own goes on; after a resource with problems, once the engine must have refused that. */
export async function letPass(): Promise<undefined> {
  if (isUnitTest()) return;
  // What the program declares in the same turn has its problems found first.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const told = toldOfProgram();
  if (!told.refused) return;
  await (told.held ??= untilRefused(told.asked));
}

/** Waits, once for the whole program, until the engine must have refused a resource, unless that one waits as well. */
async function untilRefused(asked: Promise<unknown>): Promise<void> {
  // The program must not end meanwhile.
  const isAsked = await Promise.race([asked.then(() => true), sleep(heldBackUnasked).then(() => false)]);
  if (isAsked) await sleep(heldBackShortly);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Whether the SDK's mocks stand in for the engine: nothing but the program runs then. */
export function isUnitTest(): boolean {
  return "mocks" in runningProgram();
}

/** The log asks a resource for its URN alone; the resource itself is not registered yet. */
function standIn({ name, type, parent }: Subject): pulumi.Resource {
  return { urn: pulumi.createUrn(name, type, parent) } as pulumi.Resource;
}
