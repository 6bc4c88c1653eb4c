/**
 * When a program has declared everything. A record may be removed inside an update only where nothing of the program can
 * still declare it, so a stack that removes holds its resources back until that is proven: the command line's program by
 * Node's `beforeExit` (nothing is left that could run, but what waits for these resources), an inline program of the
 * Automation API by its own end, where it is wrapped in `declareAll`.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import * as pulumi from "../sdk";
import { providerSettings, stackSetting } from "./provider";
import { ofProgram } from "../running";

/** Milliseconds after which a program that waits for its own resources is not waited for any more; nothing is proven then. */
const limits = { commandLine: 15 * 60_000, inline: 60_000 };

/** What is known of one program, by its connection to the engine. */
class Program {
  /** Resolves once: true where everything is declared, undefined where that is not proven. */
  readonly whole: Promise<true | undefined>;
  private open: (whole: true | undefined) => void = () => undefined;
  private isOpen = false;
  /** Whether the program has been wrapped in `declareAll`, and how many such functions are at work. */
  private wrapped = false;
  private running = 0;
  private failed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly inline: boolean) {
    this.whole = new Promise((resolve) => (this.open = resolve));
  }

  /** A resource asks: true once everything is declared. A resource that comes after that disproves it for itself. */
  ask(): Promise<true | undefined> {
    // An inline program's process lives on, so that nothing but its own word tells its end.
    if (this.isOpen || (this.inline ? !this.wrapped : idled)) return Promise.resolve(undefined);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(undefined), this.inline ? limits.inline : limits.commandLine);
    // The timer itself must not keep the program from being idle.
    this.timer.unref();
    return this.whole;
  }

  entered(): void {
    this.wrapped = true;
    this.running += 1;
  }

  left(failed: boolean): void {
    this.running -= 1;
    this.failed ||= failed;
    // What the last steps of the program have begun at once still belongs to it.
    if (this.inline && this.running === 0) setImmediate(() => this.end(this.failed ? undefined : true));
  }

  /** Something of the program is wrong. */
  fail(): void {
    this.failed = true;
  }

  /** Nothing of the program can run any more, but what waits for its own resources. */
  idle(): void {
    // After an error the rest of the program was never reached.
    this.end(this.running > 0 || this.failed || pulumi.log.hasErrors() ? undefined : true);
  }

  private end(whole: true | undefined): void {
    clearTimeout(this.timer);
    this.isOpen = true;
    this.open(whole);
  }
}

/** Programs of the command line: one a process, unless a test connects anew. They wait for one moment, at which the set ends. */
const waiting = new Set<Program>();
/** That the process has nothing left to do is of the process, and is never taken back. */
let idled = false;

// The SDK ends the deployment at the second time that nothing is left to do, so there is one moment of proof, not more.
process.once("beforeExit", () => {
  idled = true;
  for (const program of waiting) program.idle();
  // Whether or not anybody else has more to do, what was held back is sent now.
  if (waiting.size > 0) setImmediate(() => undefined);
  waiting.clear();
});

const currentProgram = ofProgram(() => {
  const inline = !isCommandLine();
  const program = new Program(inline);
  if (!inline) waiting.add(program);
  return program;
});

/** Whether this process runs one program and ends with it: the language host's, outside any inline program. */
function isCommandLine(): boolean {
  const store: unknown = Reflect.get(globalThis, "asyncLocalStorage");
  const isInline = store instanceof AsyncLocalStorage && store.getStore() !== undefined;
  return !isInline && /@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(require.main?.filename ?? "");
}

/**
 * Whether the program has declared everything; resolves when that is known.
 * @returns undefined where the provider's updates remove nothing, so that nothing need be waited for
 */
export function wholeProgram(provider: object | undefined): Promise<true | undefined> | undefined {
  return mayRemove(provider) ? currentProgram().ask() : undefined;
}

/** Whether updates under this provider may remove records, as far as the program can see; in doubt they may. */
function mayRemove(provider: object | undefined): boolean {
  const said: unknown =
    provider === undefined
      ? stackSetting("LEGACYDNS_UNDOCUMENTED_OPERATIONS", "undocumentedOperations")
      : givenTo(provider, "undocumentedOperations", true);
  if (said === undefined || said === null || said === false) return false;
  return typeof said !== "string" || !["", "false"].includes(said.trim().toLowerCase());
}

/** After an error the rest of the program may never be reached: what it declares is not known. */
export function disproveWhole(): void {
  currentProgram().fail();
}

function givenTo(provider: object, setting: "undocumentedOperations", unknown: unknown): unknown {
  const settings = providerSettings(provider);
  return settings === undefined ? unknown : settings.args[setting];
}

/**
 * Wraps the function of a program that removes records: its batches and zones wait until it has returned, so that no
 * update takes away what the program declares later. An inline program of the Automation API needs it for that
 * (`undocumentedOperations`); in a program of the command line it is of use where the function awaits outputs of its own
 * batches, since nothing is then removed in the same update.
 *
 * @param program must not await outputs of its own resources: it would wait for itself, for a minute.
 * @example
 * LocalWorkspace.createOrSelectStack({ stackName, projectName, program: declareAll(async () => { new Zone(…); }) });
 */
export function declareAll<Result>(program: () => Promise<Result>): () => Promise<Result> {
  return async () => {
    const current = currentProgram();
    current.entered();
    try {
      const result = await program();
      current.left(false);
      return result;
    } catch (error) {
      current.left(true);
      throw error;
    }
  };
}
