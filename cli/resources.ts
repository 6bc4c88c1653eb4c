/** The package's resources in states and previews, with either front end. */

type Properties = Readonly<Record<string, unknown>>;

interface Resource {
  readonly type: string;
  readonly inputs?: Properties | undefined;
  readonly outputs?: Properties | undefined;
}

const resourceType =
  /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(Record|RecordBatch|DomainShare)$/;

/**
 * The package's resource of a type token; undefined for other packages, and for a `Zone` (see {@link
 * asBatch}).
 */
export function kindOf(type: string): "Record" | "RecordBatch" | "DomainShare" | undefined {
  const [, kind] = resourceType.exec(type) ?? [];
  return kind === "Record" || kind === "RecordBatch" || kind === "DomainShare" ? kind : undefined;
}

/**
 * A `Zone` of the native plugin as a batch with one domain; any other resource unchanged. The `Zone` of a
 * TypeScript program has no inputs: it is a component over a batch.
 */
export function asBatch<R extends Resource>(resource: R): R {
  const { type, inputs, outputs } = resource;
  if (type !== "legacydns:index:Zone" || typeof (inputs ?? outputs)?.["domain"] !== "string") return resource;
  const batch = (props: Properties | undefined): Properties | undefined => {
    if (props === undefined) return undefined;
    const { domain, ...rest } = props;
    return { ...rest, domains: [domain] };
  };
  return { ...resource, type: "legacydns:index:RecordBatch", inputs: batch(inputs), outputs: batch(outputs) };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
