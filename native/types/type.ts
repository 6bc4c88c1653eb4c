/**
 * A resource type of the plugin. It turns the inputs of any language into the inputs of the lifecycle, with
 * the checks of the TypeScript class's constructor.
 */
import { digest } from "../../provider/dns";
import type { DeclaredOnce } from "../../provider/lifecycle/declared-once";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { manifestInput, readManifest, type Manifest } from "../../provider/lifecycle/manifest";
import type { Problem } from "../../provider/problems";
import type { MarkedProps } from "../values";

export interface ResourceInputs {
  /** `RecordBatch "mail"`. */
  readonly label: string;
  readonly given: MarkedProps;
  /** The inputs in the state; empty for a new resource. */
  readonly olds: Props;
  readonly names: readonly string[];
}

export interface Run {
  readonly host: Host;
  readonly declared: DeclaredOnce;
}

export type Preparation = { readonly news: Props } | { readonly problems: readonly Problem[] };

export interface NativeType {
  readonly lifecycle: Lifecycle;
  /** Inputs whose secret parts the lifecycle separates itself. */
  readonly open: readonly string[];
  /** Inputs that are always secret. */
  readonly closed: readonly string[];
  /** Outputs that are unknown in a preview. */
  readonly computed: readonly string[];
  /** Outputs that follow from the inputs. */
  previewed?(inputs: Props): Props;
  prepare(written: ResourceInputs, run: Run): Preparation;
  /**
   * The inputs of the live object with this typed id.
   * @throws Error with the grammar of ids
   */
  imported(id: string, host: Host): Promise<Props>;
}

/** Whether the TypeScript class sent the inputs, and so has prepared them. */
export function isOfClass({ props }: MarkedProps): boolean {
  return props[manifestInput] !== undefined;
}

export function withUrn(props: Props, urn: string): Props {
  return { ...props, [manifestInput]: { ...readManifest(props).manifest, urn: digest(urn) } };
}

export function withManifest(props: Props, manifest: Manifest): Props {
  return { ...props, [manifestInput]: manifest };
}

/** Adds outputs that follow from the others. No operation reads them. */
export function withComputed(lifecycle: Lifecycle, computed: (outputs: Props) => Props): Lifecycle {
  const whole = (outputs: Props): Props => ({ ...outputs, ...computed(outputs) });
  return {
    ...lifecycle,
    create: async (inputs) => {
      const { id, outs } = await lifecycle.create(inputs);
      return { id, outs: whole(outs) };
    },
    update: async (id, olds, news) => ({ outs: whole((await lifecycle.update(id, olds, news)).outs) }),
    read: async (id, props) => {
      const found = await lifecycle.read(id, props);
      return found.props === undefined ? found : { ...found, props: whole(found.props) };
    },
  };
}
