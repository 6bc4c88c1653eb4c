/** By which settings an up takes each resource: its own, its provider's or the stack's. Pure. */
import { explicitSettings } from "../resources";
import {
  defaultGates,
  gatesOfProvider,
  type Circumstances,
  type GateSettings,
  type MissingOf,
} from "./gate-notes";
import type { Properties, Step } from "./preview";
import type { Held } from "./tally";

/** What holds where neither a resource nor its provider says it. */
export interface StackRules {
  /** What becomes of records that are no longer declared. */
  readonly removal: string;
  /** Whether the undocumented operations are on: records can be changed and removed then. */
  readonly full: boolean;
  /** What a run may do to a zone. */
  readonly gates?: GateSettings;
  /** What stopped runs of the last day have removed, by the settings of an explicit provider or the stack's. */
  readonly stopped?: (explicit: Properties | undefined) => MissingOf;
  /** How many operations the engine begins at once. */
  readonly parallel?: number;
}

export class Rules {
  private readonly explicit = new Map<string, Properties | undefined>();
  /** What the program declares, by URN. */
  private readonly declared = new Map<string, Properties>();

  /** @param steps all of the preview, the providers' among them */
  constructor(
    steps: readonly Step[],
    private readonly stack: StackRules,
  ) {
    for (const { urn, after } of steps) if (after !== undefined) this.declared.set(urn, after);
    for (const { urn, type, after, before } of steps)
      if (!this.explicit.has(urn)) this.explicit.set(urn, explicitSettings(type, urn, after ?? before));
  }

  /** The settings of an explicit provider, which takes nothing from the stack or the environment. */
  providerOf({ provider }: Step): Properties | undefined {
    return this.explicit.get(provider ?? "");
  }

  /** Whether a step's records can be changed and removed. */
  isFull(step: Step): boolean {
    const set = this.providerOf(step);
    return set === undefined ? this.stack.full : String(set["undocumentedOperations"]) === "true";
  }

  removalOf(step: Step): string {
    const own = this.ownRemovalOf(step);
    if (own !== undefined) return own;
    const set = this.providerOf(step);
    if (set === undefined) return this.stack.removal;
    const given = set["removal"];
    if (typeof given === "string") return given;
    return this.isFull(step) ? "delete" : "verify";
  }

  /** The removal that a resource declares itself; of what was replaced, the one of what has taken its place. */
  ownRemovalOf({ urn, before = {} }: Step): string | undefined {
    const own = (this.declared.get(urn) ?? before)["removal"];
    return typeof own === "string" ? own : undefined;
  }

  /** Whether the program declares the resource, or what has taken its place. */
  isDeclared({ urn }: Step): boolean {
    return this.declared.has(urn);
  }

  /** What becomes of a record that is not declared any more; undefined where it goes. */
  outcomeOf({ step, isShare }: Pick<Held, "step" | "isShare">): "stays" | "fails" | undefined {
    const removal = this.removalOf(step);
    if (step.retained !== undefined || removal === "retain" || (isShare && removal !== "delete"))
      return "stays";
    return removal === "delete" && this.isFull(step) ? undefined : "fails";
  }

  /** What the safety gates go by. */
  gatesOf(step: Step): GateSettings & Circumstances {
    const set = this.providerOf(step);
    const { stopped, parallel } = this.stack;
    return {
      ...(set === undefined ? (this.stack.gates ?? defaultGates) : gatesOfProvider(set)),
      ...(stopped === undefined ? {} : { missingOf: stopped(set) }),
      ...(parallel === undefined ? {} : { parallel }),
    };
  }
}
