/**
 * A resource type of the plugin. It turns the inputs of any language into the inputs of the lifecycle. Its
 * checks and messages are those of the TypeScript class's constructor.
 */
import { digest } from "../../provider/dns";
import type { DeclaredOnce } from "../../provider/lifecycle/declared-once";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { manifestInput, readManifest, type Manifest } from "../../provider/lifecycle/manifest";
import type { Problem } from "../../provider/problems";
import type { MarkedProps } from "../values";

/** One resource as a program wrote it. */
export interface ResourceInputs {
  /** How messages name it: `RecordBatch "mail"`. */
  readonly label: string;
  readonly given: MarkedProps;
  /** The inputs in the state; empty for a new resource. */
  readonly olds: Props;
  /** Names of the type's inputs in the schema. */
  readonly names: readonly string[];
}

/** What all resources of one plugin process share. */
export interface Run {
  readonly host: Host;
  readonly declared: DeclaredOnce;
}

/** Inputs for the lifecycle, or problems. */
export type Preparation = { readonly news: Props } | { readonly problems: readonly Problem[] };

export interface NativeType {
  readonly lifecycle: Lifecycle;
  /** Inputs whose secret parts the lifecycle separates itself. */
  readonly open: readonly string[];
  /** Inputs that are always secret. */
  readonly closed: readonly string[];
  /** Outputs that only the operation returns. They are unknown in a preview. */
  readonly computed: readonly string[];
  /** Outputs that follow from the inputs. A preview shows them. */
  previewed?(inputs: Props): Props;
  prepare(written: ResourceInputs, run: Run): Preparation;
  /**
   * The inputs of the live object with this typed id.
   * @throws Error with the grammar of ids if the id is invalid
   */
  imported(id: string, host: Host): Promise<Props>;
}

/**
 * Whether the TypeScript class sent the inputs. Its constructor has prepared them for the lifecycle already.
 */
export function isOfClass({ props }: MarkedProps): boolean {
  return props[manifestInput] !== undefined;
}

/** The inputs, with the digest of the resource's URN in the manifest. */
export function withUrn(props: Props, urn: string): Props {
  return { ...props, [manifestInput]: { ...readManifest(props).manifest, urn: digest(urn) } };
}

/** Inputs with a manifest, as the TypeScript class sends them. */
export function withManifest(props: Props, manifest: Manifest): Props {
  return { ...props, [manifestInput]: manifest };
}

/**
 * A lifecycle with outputs that follow from the others, such as those that a class in TypeScript computes. No
 * operation reads them.
 */
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
