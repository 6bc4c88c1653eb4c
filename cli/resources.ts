/** The package's resources in states and previews, with either front end. */

const kinds = ["Record", "RecordBatch", "DomainShare"] as const;

/** Undefined for other packages, and for a `Zone`. */
export function kindOf(type: string): (typeof kinds)[number] | undefined {
  const [, name] = /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(\w+)$/.exec(type) ?? [];
  return kinds.find((kind) => kind === name);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
