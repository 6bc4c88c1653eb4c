/**
 * A resource type of the plugin: what a program wrote, in any language, becomes what its lifecycle takes. What a class
 * in a TypeScript program checks in its constructor is checked here, with the same messages.
 */
import { digest } from "../../provider/dns";
import type { DeclaredOnce } from "../../provider/lifecycle/declared-once";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { manifestInput, readManifest, type Manifest } from "../../provider/lifecycle/manifest";
import type { Problem } from "../../provider/problems";
import type { Received } from "../values";

/** One resource as a program wrote it. */
export interface Written {
  /** How messages name it: `RecordBatch "mail"`. */
  readonly label: string;
  readonly given: Received;
  /** The inputs that the state holds; empty for what is new. */
  readonly olds: Props;
  /** The type's inputs, as the schema names them. */
  readonly names: readonly string[];
}

/** What all resources of one plugin process share. */
export interface Run {
  readonly host: Host;
  readonly declared: DeclaredOnce;
}

/** What goes to the lifecycle, or what is wrong. */
export type Prepared = { readonly news: Props } | { readonly problems: readonly Problem[] };

export interface NativeType {
  readonly lifecycle: Lifecycle;
  /** Inputs whose secrets the lifecycle tells apart itself. */
  readonly open: readonly string[];
  /** Inputs that are always secret. */
  readonly closed: readonly string[];
  /** Outputs that only the operation tells: unknown in a preview. */
  readonly computed: readonly string[];
  /** Outputs that a preview can tell from the inputs. */
  previewed?(inputs: Props): Props;
  prepare(written: Written, run: Run): Prepared;
  /** The inputs of what an id stands for that somebody typed. @throws Error with the grammar where it is none */
  imported(id: string, host: Host): Promise<Props>;
}

/** Whether the package's own class has prepared everything in its constructor: the inputs are then the lifecycle's. */
export function isOfClass({ props }: Received): boolean {
  return props[manifestInput] !== undefined;
}

/** The same, with the resource's URN. */
export function withUrn(props: Props, urn: string): Props {
  return { ...props, [manifestInput]: { ...readManifest(props).manifest, urn: digest(urn) } };
}

/** Inputs with a manifest, as a class of the package sends it. */
export function withManifest(props: Props, manifest: Manifest): Props {
  return { ...props, [manifestInput]: manifest };
}
