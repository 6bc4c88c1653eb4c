/**
 * A small model of the engine: the state of a stack, and the effects of up, refresh and destroy, as observed
 * of the real engine. It covers errors with and without an id, and the moment of deletions. Several
 * operations run at a time.
 */
import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { inputsOf, type Program } from "./program";

type Props = Record<string, unknown>;

/** A resource in the state. */
export interface Resource {
  readonly name: string;
  readonly type: "Record" | "RecordBatch";
  id: string;
  inputs: Props;
  outputs: Props;
  /** The last create or update ended half done. The next up updates even with equal inputs. */
  initErrors: boolean;
  /** Replaced, and still to be deleted. */
  deleting: boolean;
}

/** A stack's state, as it was last saved. */
export interface Stack {
  resources: Resource[];
}

/** A provider process as the engine sees it. */
export interface ProviderProcess {
  readonly providers: Readonly<Record<Resource["type"], pulumi.dynamic.ResourceProvider>>;
  /** False once the engine is gone: nothing is saved any more. */
  engineAlive(): boolean;
  /** The engine was asked to stop: nothing new is begun. */
  stopping(): boolean;
  /** Rejects when the engine or the host has died. */
  readonly death: Promise<never>;
}

/** The result of an operation. */
export interface Result {
  readonly ok: boolean;
  /** Everything the engine prints as an error, a resource's name first. */
  readonly errors: readonly { readonly resource: string; readonly text: string }[];
  /** Resources that were created or updated, or were to be; a `-` before those that were deleted. */
  readonly changed: readonly string[];
}

/** The engine has died. */
export class EngineDied extends Error {
  override readonly name = "EngineDied";
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

interface HalfDone {
  readonly id: string;
  readonly properties: Props;
  readonly reasons: readonly string[];
}

function halfDone(error: unknown): HalfDone | undefined {
  if (typeof error !== "object" || error === null || !("id" in error) || !("properties" in error))
    return undefined;
  const { id, properties } = error;
  const reasons: unknown = "reasons" in error ? error.reasons : [];
  if (typeof id !== "string" || typeof properties !== "object" || properties === null) return undefined;
  return {
    id,
    properties: copy(properties as Props),
    reasons: Array.isArray(reasons) ? reasons.map(String) : [],
  };
}

/** One run of the engine against a stack. */
export class Engine {
  private readonly errors: { resource: string; text: string }[] = [];
  private readonly changed: string[] = [];

  /** @param pause what the program waits for between its resources; then it sends no manifest */
  constructor(
    private readonly stack: Stack,
    private readonly process: ProviderProcess,
    private readonly pause?: () => Promise<void>,
  ) {}

  private get sendsManifest(): boolean {
    return this.pause === undefined;
  }

  /** check and diff of every resource; nothing is changed. */
  async preview(program: Program): Promise<Result> {
    for (const { resource, inputs } of inputsOf(program, this.sendsManifest)) {
      const planned = await this.plan(resource.name, resource.type, inputs);
      if (planned === undefined) break;
      if (planned.step !== "same") this.changed.push(resource.name);
    }
    return this.result();
  }

  /** @param options `targets`: only these resources are created, updated, replaced or deleted; all are checked. */
  async up(
    program: Program,
    options: { readonly refresh?: boolean; readonly targets?: ReadonlySet<string> | undefined } = {},
  ): Promise<Result> {
    const isTarget = (name: string): boolean => options.targets?.has(name) ?? true;
    if (options.refresh === true) {
      await this.readAll();
      if (this.errors.length > 0) return this.result();
    }
    const running: Promise<void>[] = [];
    const goals = inputsOf(program, this.sendsManifest);
    for (const [i, { resource, inputs }] of goals.entries()) {
      if (i > 0) await this.pause?.();
      if (this.halted()) break;
      const planned = await this.plan(resource.name, resource.type, inputs);
      if (planned === undefined || this.halted()) break;
      if (planned.step === "same" || !isTarget(resource.name)) continue;
      this.changed.push(resource.name);
      const step = this.step(resource.name, resource.type, planned);
      // Awaited below, unless the engine has died by then.
      step.catch(() => undefined);
      running.push(step);
    }
    await Promise.all(running);
    if (this.halted()) return this.result();
    const wanted = new Set(goals.map(({ resource }) => `${resource.type} ${resource.name}`));
    await this.removeAll(
      this.stack.resources.filter(
        (each) => isTarget(each.name) && (each.deleting || !wanted.has(`${each.type} ${each.name}`)),
      ),
    );
    return this.result();
  }

  async refresh(): Promise<Result> {
    await this.readAll();
    return this.result();
  }

  async destroy(): Promise<Result> {
    await this.removeAll([...this.stack.resources].reverse());
    return this.result();
  }

  private halted(): boolean {
    return this.errors.length > 0 || this.process.stopping();
  }

  private result(): Result {
    return {
      ok: this.errors.length === 0 && !this.process.stopping(),
      errors: this.errors,
      changed: this.changed,
    };
  }

  private fail(resource: string, error: unknown): void {
    if (error instanceof EngineDied) throw error;
    this.errors.push({ resource, text: error instanceof Error ? error.message : String(error) });
  }

  /** A call to the host; when it ends, the engine may have died. */
  private async call<T>(work: () => Promise<T>): Promise<T> {
    const answer = await Promise.race([work(), this.process.death]);
    if (!this.process.engineAlive()) throw new EngineDied("the engine has died");
    return answer;
  }

  private async plan(name: string, type: Resource["type"], news: Props) {
    const provider = this.process.providers[type];
    const old = this.stack.resources.find(
      (each) => each.name === name && each.type === type && !each.deleting,
    );
    try {
      const checked = await this.call(async () => provider.check?.(copy(old?.inputs ?? {}), copy(news)));
      if (checked === undefined) throw new Error("no check");
      const failures = checked.failures ?? [];
      if (failures.length > 0) {
        for (const { reason } of failures) this.fail(name, new Error(reason));
        return undefined;
      }
      const inputs = copy(checked.inputs as Props);
      if (old === undefined) return { step: "create" as const, inputs };
      const diff = await this.call(async () => provider.diff?.(old.id, copy(old.outputs), copy(inputs)));
      // `changes` is left open: the engine compares the inputs itself.
      const differs = diff?.changes ?? !isDeepStrictEqual(old.inputs, inputs);
      if (!differs && !old.initErrors) return { step: "same" as const, inputs };
      const replace = (diff?.replaces ?? []).length > 0;
      return { step: replace ? ("replace" as const) : ("update" as const), inputs, old };
    } catch (error) {
      this.fail(name, error);
      return undefined;
    }
  }

  private async step(
    name: string,
    type: Resource["type"],
    planned: { step: "create" | "update" | "replace"; inputs: Props; old?: Resource },
  ): Promise<void> {
    const { inputs, old } = planned;
    const provider = this.process.providers[type];
    if (planned.step === "update" && old !== undefined) {
      try {
        const done = await this.call(async () => provider.update?.(old.id, copy(old.outputs), copy(inputs)));
        Object.assign(old, { inputs, outputs: copy((done?.outs ?? {}) as Props), initErrors: false });
      } catch (error) {
        const half = halfDone(error);
        // The OLD inputs stay.
        if (half !== undefined && this.process.engineAlive())
          Object.assign(old, { outputs: half.properties, initErrors: true });
        this.fail(name, half === undefined ? error : new Error(half.reasons.join("\n")));
      }
      return;
    }
    const enter = (id: string, outputs: Props, initErrors: boolean): void => {
      if (old !== undefined) old.deleting = true;
      this.stack.resources.push({ name, type, id, inputs, outputs, initErrors, deleting: false });
    };
    try {
      const { id, outs } = await this.call(() => provider.create(copy(inputs)));
      enter(String(id), copy((outs ?? {}) as Props), false);
    } catch (error) {
      const half = halfDone(error);
      // The NEW inputs are kept.
      if (half !== undefined && this.process.engineAlive()) enter(half.id, half.properties, true);
      this.fail(name, half === undefined ? error : new Error(half.reasons.join("\n")));
    }
  }

  private async removeAll(resources: readonly Resource[]): Promise<void> {
    await Promise.all(
      resources.map(async (resource) => {
        this.changed.push(`-${resource.name}`);
        try {
          await this.call(async () =>
            this.process.providers[resource.type].delete?.(resource.id, copy(resource.outputs)),
          );
          this.stack.resources = this.stack.resources.filter((each) => each !== resource);
        } catch (error) {
          this.fail(resource.name, error);
        }
      }),
    );
  }

  private async readAll(): Promise<void> {
    await Promise.all(
      [...this.stack.resources].map(async (resource) => {
        try {
          const read = await this.call(async () =>
            this.process.providers[resource.type].read?.(resource.id, copy(resource.outputs)),
          );
          if (read?.id === undefined || read.id === "") {
            this.stack.resources = this.stack.resources.filter((each) => each !== resource);
            return;
          }
          const inputs = (read as { inputs?: Props }).inputs;
          Object.assign(resource, {
            id: String(read.id),
            outputs: copy((read.props ?? {}) as Props),
            ...(inputs === undefined ? {} : { inputs: copy(inputs) }),
            initErrors: false,
          });
        } catch (error) {
          this.fail(resource.name, error);
        }
      }),
    );
  }
}
