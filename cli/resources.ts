/** The package's resources as states and previews have them, with either front end. */

type Properties = Readonly<Record<string, unknown>>;

interface Resource {
  readonly type: string;
  readonly inputs?: Properties | undefined;
  readonly outputs?: Properties | undefined;
}

const ours = /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(Record|RecordBatch|DomainShare)$/;

/** What a type of ours is; undefined for another's, and for a `Zone`, which {@link plainly} reads. */
export function kindOf(type: string): "Record" | "RecordBatch" | "DomainShare" | undefined {
  const [, kind] = ours.exec(type) ?? [];
  return kind === "Record" || kind === "RecordBatch" || kind === "DomainShare" ? kind : undefined;
}

/**
 * A `Zone` of the native plugin as the batch of its one domain; all else as it is. The `Zone` of a TypeScript program has
 * no inputs: it is a component over a batch.
 */
export function plainly<R extends Resource>(resource: R): R {
  const { type, inputs, outputs } = resource;
  if (type !== "legacydns:index:Zone" || typeof (inputs ?? outputs)?.["domain"] !== "string") return resource;
  const batch = (props: Properties | undefined): Properties | undefined => {
    if (props === undefined) return undefined;
    const { domain, ...rest } = props;
    return { ...rest, domains: [domain] };
  };
  return { ...resource, type: "legacydns:index:RecordBatch", inputs: batch(inputs), outputs: batch(outputs) };
}

/** The settings of an explicit provider; undefined for the stack's own. @param inputs a provider's, with either front end */
export function explicitSettings(
  type: string,
  urn: string,
  inputs: Properties | undefined,
): Properties | undefined {
  const isOwn =
    type === "pulumi:providers:legacydns"
      ? !/::default(_[^:]*)?$/.test(urn)
      : inputs?.["legacydns:explicit"] !== undefined;
  if (!isOwn || inputs === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name.replace(/^legacydns:/, ""), value]),
  );
}
