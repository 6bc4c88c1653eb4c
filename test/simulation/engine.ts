/** A model of the engine: the state of a stack, and the effects of up, refresh and destroy, several at a time. */
import { isDeepStrictEqual } from "node:util";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import type { Process } from "./process";
import { inputsOf, type Program } from "./program";

export interface Resource {
  readonly name: string;
  readonly type: "Record" | "RecordBatch";
  id: string;
  inputs: Props;
  outputs: Props;
  /** Half done: the next up updates it even with equal inputs. */
  initErrors: boolean;
  deleting: boolean;
}

export interface Stack {
  resources: Resource[];
}

export interface Result {
  readonly ok: boolean;
  readonly errors: readonly { readonly resource: string; readonly text: string }[];
  readonly changed: readonly string[];
  /** Those that were changed, but only in an option of the gates: the provider makes no call for them. */
  readonly regated: readonly string[];
}

export class EngineDied extends Error {
  override readonly name = "EngineDied";
}

type Planned =
  | { readonly step: "create" | "same"; readonly inputs: Props }
  | { readonly step: "update" | "replace"; readonly inputs: Props; readonly old: Resource };

const copy = (value: Props) => JSON.parse(JSON.stringify(value)) as Props;

function halfDone(error: unknown): { id: string; properties: Props; reasons: string } | undefined {
  if (!(error instanceof Error && "id" in error && "properties" in error)) return undefined;
  const reasons: unknown = "reasons" in error ? error.reasons : [];
  return {
    id: String(error.id),
    properties: copy(error.properties as Props),
    reasons: Array.isArray(reasons) ? reasons.join("\n") : "",
  };
}

function isRegated(planned: Planned): boolean {
  if (planned.step !== "update" || planned.old.initErrors) return false;
  const [{ protect: before, ...old }, { protect: after, ...inputs }] = [planned.old.inputs, planned.inputs];
  return isDeepStrictEqual(old, inputs) && !isDeepStrictEqual(before, after);
}

export class Engine {
  private readonly errors: { resource: string; text: string }[] = [];
  private readonly changed: string[] = [];
  private readonly regated: string[] = [];

  /** @param pause of a program without a manifest, between its resources */
  constructor(
    private readonly stack: Stack,
    private readonly process: Process,
    private readonly pause?: () => Promise<void>,
  ) {}

  async preview(program: Program): Promise<Result> {
    for (const { resource, inputs } of this.goals(program)) {
      const planned = await this.plan(resource, inputs);
      if (planned === undefined) break;
      if (planned.step !== "same") this.changed.push(resource.name);
    }
    return this.result();
  }

  async up(program: Program, refresh: boolean, targets?: ReadonlySet<string>): Promise<Result> {
    const isTarget = (name: string) => targets?.has(name) ?? true;
    if (refresh) await this.readAll();
    if (this.errors.length > 0) return this.result();
    const running: Promise<void>[] = [];
    const goals = this.goals(program);
    for (const [i, { resource, inputs }] of goals.entries()) {
      if (i > 0) await this.pause?.();
      if (this.halted()) break;
      if (!isTarget(resource.name)) continue;
      const planned = await this.plan(resource, inputs);
      if (planned === undefined || this.halted()) break;
      if (planned.step === "same") continue;
      this.changed.push(resource.name);
      if (isRegated(planned)) this.regated.push(resource.name);
      const step = this.step(resource, planned);
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

  private goals(program: Program): ReturnType<typeof inputsOf> {
    return inputsOf(program, this.pause === undefined);
  }

  private halted(): boolean {
    return this.errors.length > 0 || this.process.isStopping;
  }

  private result(): Result {
    const { errors, changed, regated } = this;
    return { ok: !this.halted(), errors, changed, regated };
  }

  private async call<T>(
    { name, type }: Pick<Resource, "name" | "type">,
    work: (provider: Lifecycle) => Promise<T>,
    onHalf: (id: string, properties: Props) => void = () => undefined,
  ): Promise<T | undefined> {
    try {
      const answer = await Promise.race([work(this.process.providers[type]), this.process.death]);
      if (this.process.isOrphan) throw new EngineDied("the engine has died");
      return answer;
    } catch (error) {
      const half = halfDone(error);
      if (half !== undefined && !this.process.isOrphan) onHalf(half.id, half.properties);
      if (error instanceof EngineDied) throw error;
      const text = half?.reasons ?? (error instanceof Error ? error.message : String(error));
      this.errors.push({ resource: name, text });
      return undefined;
    }
  }

  private async plan(resource: Pick<Resource, "name" | "type">, news: Props): Promise<Planned | undefined> {
    const old = this.stack.resources.find(
      ({ name, type, deleting }) => name === resource.name && type === resource.type && !deleting,
    );
    const checked = await this.call(resource, (provider) =>
      provider.check(copy(old?.inputs ?? {}), copy(news)),
    );
    if (checked === undefined) return undefined;
    this.process.checked(resource);
    const { failures = [] } = checked;
    this.errors.push(...failures.map(({ reason }) => ({ resource: resource.name, text: reason })));
    if (failures.length > 0) return undefined;
    const inputs = copy(checked.inputs ?? {});
    if (old === undefined) return { step: "create", inputs };
    const diff = await this.call(resource, (provider) =>
      provider.diff(old.id, copy(old.outputs), copy(inputs)),
    );
    if (diff === undefined) return undefined;
    const differs = diff.changes ?? !isDeepStrictEqual(old.inputs, inputs);
    if (!differs && !old.initErrors) return { step: "same", inputs };
    return { step: (diff.replaces ?? []).length > 0 ? "replace" : "update", inputs, old };
  }

  private async step(resource: Pick<Resource, "name" | "type">, planned: Planned): Promise<void> {
    const { inputs } = planned;
    if (planned.step === "update") {
      const { old } = planned;
      const done = await this.call(
        resource,
        (provider) => provider.update(old.id, copy(old.outputs), copy(inputs)),
        (_id, outputs) => Object.assign(old, { outputs, initErrors: true }),
      );
      if (done !== undefined) Object.assign(old, { inputs, outputs: copy(done.outs), initErrors: false });
      return;
    }
    const enter = (id: string, outputs: Props, initErrors: boolean) => {
      if (planned.step === "replace") planned.old.deleting = true;
      const { name, type } = resource;
      this.stack.resources.push({ name, type, id, inputs, outputs, initErrors, deleting: false });
    };
    const made = await this.call(
      resource,
      (provider) => provider.create(copy(inputs)),
      (id, outputs) => enter(id, outputs, true),
    );
    if (made !== undefined) enter(made.id, copy(made.outs), false);
  }

  private forget(resource: Resource): void {
    this.stack.resources = this.stack.resources.filter((each) => each !== resource);
  }

  private async removeAll(resources: readonly Resource[]): Promise<void> {
    await Promise.all(
      resources.map(async (resource) => {
        this.changed.push(`-${resource.name}`);
        const gone = await this.call(resource, async (provider) => {
          await provider.delete(resource.id, copy(resource.outputs));
          return true;
        });
        if (gone === true) this.forget(resource);
      }),
    );
  }

  private async readAll(): Promise<void> {
    await Promise.all(
      this.stack.resources.map(async (resource) => {
        const read = await this.call(resource, (provider) =>
          provider.read(resource.id, copy(resource.outputs)),
        );
        if (read === undefined) return;
        const { id = "", props = {}, inputs = resource.inputs } = read;
        if (id === "") this.forget(resource);
        else Object.assign(resource, { id, outputs: copy(props), inputs: copy(inputs), initErrors: false });
      }),
    );
  }
}
