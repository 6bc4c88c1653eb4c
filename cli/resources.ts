/** The package's resources in states and previews, with either front end. */
import { z } from "zod";

const kinds = ["Record", "RecordBatch", "Zone", "DomainShare"] as const;

/** Undefined for other packages. The `Zone` of a TypeScript program is a component without outputs. */
export function kindOf(type: string): (typeof kinds)[number] | undefined {
  const [, name] = /^(?:pulumi-nodejs:dynamic\/legacydns|legacydns:index):(\w+)$/.exec(type) ?? [];
  return kinds.find((kind) => kind === name);
}

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  /** Its replaced state is still to be deleted. */
  delete: z.boolean().optional(),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
const exported = z.object({ deployment: z.object({ resources: z.array(resource).nullish() }) });

/** The resources of a state that the engine exported; undefined for another text. */
export function resourcesIn(text: string): readonly z.infer<typeof resource>[] | undefined {
  const { data } = exported.safeParse(parseJson(text));
  return data && (data.deployment.resources ?? []);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
