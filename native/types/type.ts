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

type Translate = (props: Props) => Props;
const same: Translate = (props) => props;

/** A lifecycle whose properties have other names, or outputs that follow from the others. */
export function translated(
  lifecycle: Lifecycle,
  outputs: Translate,
  inputs: Translate = same,
  back: Translate = same,
): Lifecycle {
  const answered = async <
    T extends { readonly inputs?: Props; readonly props?: Props; readonly outs?: Props },
  >(
    answer: Promise<T>,
  ): Promise<T> => {
    try {
      const found = await answer;
      return {
        ...found,
        ...(found.inputs && { inputs: inputs(found.inputs) }),
        ...(found.props && { props: outputs(found.props) }),
        ...(found.outs && { outs: outputs(found.outs) }),
      };
    } catch (error) {
      if (error instanceof Error && "properties" in error)
        Object.assign(error, { properties: outputs(error.properties as Props) });
      throw error;
    }
  };
  return {
    check: (olds, news) => answered(lifecycle.check(back(olds), back(news))),
    diff: (id, olds, news) => lifecycle.diff(id, back(olds), back(news)),
    create: (given) => answered(lifecycle.create(back(given))),
    read: (id, props) => answered(lifecycle.read(id, props && back(props))),
    update: (id, olds, news) => answered(lifecycle.update(id, back(olds), back(news))),
    delete: (id, props) => lifecycle.delete(id, back(props)),
  };
}
