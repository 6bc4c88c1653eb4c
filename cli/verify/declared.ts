/**
 * What a stack declares, from its state as the engine exports it. The outputs hold what was declared last; a refresh
 * writes what it found into the inputs, which serve where there are no outputs.
 */
import { z } from "zod";
import { parseJson } from "../json";
import { expandRecord, expandSpecs, type DeclaredEntry } from "../../provider/dns";
import { CommandError } from "../errors";

/** A declared record, and whether its value is secret. */
export interface Declared {
  readonly record: DeclaredEntry;
  readonly sensitive: boolean;
}

export interface DeclaredRecords {
  readonly records: readonly Declared[];
  /** What was left out, each with its resource and the reason. */
  readonly notes: readonly string[];
}

const properties = z.record(z.string(), z.unknown());
const exported = z.object({
  deployment: z.object({
    resources: z
      .array(z.object({ urn: z.string(), type: z.string(), delete: z.boolean().optional(), inputs: properties.optional(), outputs: properties.optional() }))
      .nullish(),
  }),
});

const recordType = "pulumi-nodejs:dynamic/legacydns:Record";
const batchType = "pulumi-nodejs:dynamic/legacydns:RecordBatch";

/** @throws CommandError for a text that is no state */
export function declaredRecords(text: string, source: string, defaultLine: string): DeclaredRecords {
  const parsed = exported.safeParse(parseJson(text));
  if (!parsed.success) throw new CommandError(`${source} is no state of a stack; make one with: pulumi stack export --file FILE`);
  const records: Declared[] = [];
  const notes: string[] = [];
  for (const { urn, type, inputs, outputs, delete: leaving } of parsed.data.deployment.resources ?? []) {
    if (type !== recordType && type !== batchType) continue;
    const name = `${type === recordType ? "Record" : "RecordBatch"} ${JSON.stringify(urn.split("::").at(-1))}`;
    // What is only waiting to be deleted is declared no more, and may be served all the same.
    if (leaving === true) {
      notes.push(`${name}: a former state of it was replaced and is still to be deleted; it is not asked for, and may still be served`);
      continue;
    }
    const held = [outputs, inputs].filter((props) => props !== undefined);
    const readings = held.map((props) => readResource(type, props, defaultLine));
    const found = readings.find((reading) => typeof reading !== "string");
    if (found === undefined) notes.push(`${name}: ${readings[0] === undefined ? "it holds nothing" : String(readings[0])}`);
    else if (typeof found !== "string") records.push(...found);
  }
  return { records, notes };
}

function readResource(type: string, props: Readonly<Record<string, unknown>>, defaultLine: string): Declared[] | string {
  const opened = Object.entries(props).map(([name, value]) => [name, openSecret(value)] as const);
  if (opened.some(([name, { hidden }]) => hidden && name !== "problems")) return "its records are secret, and not asked for; --show-secrets reads them";
  const sensitive = opened.some(([name, { secret }]) => secret && name !== "problems") || props["sensitive"] === true;
  const plain: Readonly<Record<string, unknown>> = Object.fromEntries(opened.map(([name, { value }]) => [name, value]));
  const entries = type === batchType ? batchRecords(plain, defaultLine) : oneRecord(plain, defaultLine);
  if (typeof entries === "string") return entries;
  // What a refresh found and nobody declares stands in inputs alone.
  return entries.filter(({ note }) => note !== "not declared").map((record) => ({ record, sensitive }));
}

function batchRecords(props: Readonly<Record<string, unknown>>, defaultLine: string): readonly DeclaredEntry[] | string {
  const { domains, records } = props;
  if (domains === undefined || records === undefined) return "it holds no records";
  const expansion = expandSpecs(domains, records, { defaultLine, sensitive: true });
  const error = expansion.problems.find(({ severity }) => severity === "error");
  return error === undefined ? expansion.records : `its records cannot be read: ${error.path}: ${error.message}`;
}

function oneRecord(props: Readonly<Record<string, unknown>>, defaultLine: string): readonly DeclaredEntry[] | string {
  const { domain, name, type, value, priority, ttl, line } = props;
  const { record, problems } = expandRecord({ domain, name, type, value, priority, ttl, line }, { defaultLine, sensitive: true });
  if (record !== undefined) return [record];
  return `its record cannot be read: ${problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`;
}

/** How the engine marks a secret in an export: ciphertext, or with `--show-secrets` its JSON in plain text. */
const secretMark = "4dabf18193072939515e22adb298388d";

function openSecret(value: unknown): { readonly value: unknown; readonly secret: boolean; readonly hidden: boolean } {
  if (typeof value !== "object" || value === null || !(secretMark in value)) return { value, secret: false, hidden: false };
  const plaintext = "plaintext" in value ? value.plaintext : undefined;
  if (typeof plaintext !== "string") return { value: undefined, secret: true, hidden: true };
  return { value: parseJson(plaintext), secret: true, hidden: false };
}
