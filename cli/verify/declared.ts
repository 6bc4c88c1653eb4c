/**
 * The declared records of a stack, from the engine's export of its state. The outputs contain the last
 * declaration. The inputs are read only if there are no outputs, because a refresh writes live records into
 * them.
 */
import { z } from "zod";
import { parseJson } from "../json";
import { describeRecord, expandRecord, readZoneText, type DeclaredEntry } from "../../provider/dns";
import { append, gather } from "../../provider/support/collections";
import { readSecrets } from "../../provider/lifecycle/secrets";
import { shown } from "../../provider/problems";
import { errorText, listed } from "../../provider/support/text";
import { CommandError } from "../errors";
import { kindOf, asBatch } from "../resources";

export interface Declared {
  readonly record: DeclaredEntry;
  readonly sensitive: boolean;
}

export interface DeclaredRecords {
  readonly records: readonly Declared[];
  readonly notes: readonly Note[];
}

/** A resource that was left out, with the reason. */
export interface Note {
  readonly text: string;
  /** The resource's domains; empty if they are secret. */
  readonly domains: readonly string[];
}

const properties = z.record(z.string(), z.unknown());
const exported = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          type: z.string(),
          delete: z.boolean().optional(),
          inputs: properties.optional(),
          outputs: properties.optional(),
        }),
      )
      .nullish(),
  }),
});

/** @throws CommandError if the text is not a state */
export function declaredRecords(text: string, source: string, defaultLine: string): DeclaredRecords {
  const parsed = exported.safeParse(parseJson(text));
  if (!parsed.success)
    throw new CommandError(
      `${source} is no state of a stack; make one with: pulumi stack export --file FILE`,
    );
  const records: Declared[] = [];
  const notes: Note[] = [];
  const former = new Map<
    string,
    { readonly states: (Reading | string | undefined)[]; readonly domains: readonly string[] }
  >();
  for (const held of parsed.data.deployment.resources ?? []) {
    const { urn, type, inputs, outputs, delete: leaving } = asBatch(held);
    const kind = kindOf(type);
    if (kind !== "Record" && kind !== "RecordBatch") continue;
    const name = `${held.type.split(":").at(-1) ?? kind} ${JSON.stringify(urn.split("::").at(-1))}`;
    const domains = [inputs, outputs]
      .flatMap((props) => [props?.["domain"], props?.["domains"]].flat())
      .filter((each) => typeof each === "string");
    const readings = [outputs, inputs]
      .filter((props) => props !== undefined)
      .map((props) => readResource(kind, props, defaultLine));
    const found = readings.find((reading) => typeof reading !== "string");
    // A pending deletion is not declared any more, but may still be served.
    if (leaving === true) gather(former, name, { states: [], domains }).states.push(found);
    else if (found === undefined)
      notes.push({
        text: `${name}: ${readings[0] === undefined ? "it holds nothing" : String(readings[0])}`,
        domains,
      });
    else if (typeof found !== "string") {
      append(records, found.records);
      const [are, them] =
        found.hidden === 1 ? ["1 secret record is", "it"] : [`${found.hidden} secret records are`, "them"];
      if (found.hidden > 0)
        notes.push({ text: `${name}: ${are} not asked for; --show-secrets reads ${them}`, domains });
    }
  }
  return {
    records,
    notes: [
      ...[...former].map(([name, { states, domains }]) => ({ text: formerNote(name, states), domains })),
      ...notes,
    ],
  };
}

function formerNote(name: string, states: readonly (Reading | string | undefined)[]): string {
  const held = states.flatMap((state) => (typeof state === "object" ? state.records : []));
  const texts = [
    ...new Set(held.filter(({ sensitive }) => !sensitive).map(({ record }) => describeRecord(record))),
  ];
  const which = texts.length === 0 ? "" : ` (${listed(texts, 3)})`;
  if (states.length === 1)
    return `${name}: a former state of it${which} was replaced and is still to be deleted; it is not asked for, and may still be served`;
  return `${name}: ${states.length} former states of it${which} were replaced and are still to be deleted; they are not asked for, and may still be served`;
}

interface Reading {
  readonly records: readonly Declared[];
  /** The number of secret records whose values are hidden. */
  readonly hidden: number;
}

function readResource(
  kind: "Record" | "RecordBatch",
  props: Readonly<Record<string, unknown>>,
  defaultLine: string,
): Reading | string {
  const opened = Object.entries(props).map(([name, value]) => [name, openSecret(value)] as const);
  // Secrets in properties without records do not matter.
  const held = opened.filter(([name]) => name !== "problems" && name !== "__ledger" && name !== "secrets");
  if (held.some(([, { hidden }]) => hidden))
    return "its records are secret, and not asked for; --show-secrets reads them";
  const sensitive = held.some(([, { secret }]) => secret) || props["sensitive"] === true;
  const plain: Readonly<Record<string, unknown>> = Object.fromEntries(
    opened.map(([name, { value }]) => [name, value]),
  );
  const found =
    kind === "RecordBatch" ? batchRecords(plain, defaultLine) : oneRecord(plain, defaultLine, sensitive);
  if (typeof found === "string") return found;
  // The text also contains undeclared records that a refresh found.
  const records = found.records.filter(({ note }) => note !== "not declared");
  return {
    records: records.map((record) => ({
      record,
      sensitive: record.secret ?? (sensitive && props["secrets"] === undefined),
    })),
    hidden: found.hidden,
  };
}

interface Entries {
  readonly records: readonly DeclaredEntry[];
  readonly hidden: number;
}

function batchRecords(
  { domains, records, secrets }: Readonly<Record<string, unknown>>,
  defaultLine: string,
): Entries | string {
  if (!Array.isArray(domains) || typeof records !== "string") return "it holds no records";
  const { data } = readSecrets(secrets);
  const hidden = typeof secrets === "string" ? 0 : [...records.matchAll(/^; .* \(secret \S+\)/gm)].length;
  const secret = typeof secrets === "string" ? { secret: (mark: string) => data.get(mark) } : {};
  try {
    return {
      records: readZoneText(records, { domains: domains.map(String), defaultLine, ...secret }).records,
      hidden,
    };
  } catch (error) {
    return `its records cannot be read: ${errorText(error)}`;
  }
}

function oneRecord(
  props: Readonly<Record<string, unknown>>,
  defaultLine: string,
  sensitive: boolean,
): Entries | string {
  const { domain, name, type, value, priority, ttl, line } = props;
  const { record, problems } = expandRecord(
    { domain, name, type, value, priority, ttl, line },
    { defaultLine, sensitive },
  );
  if (record !== undefined) return { records: [record], hidden: 0 };
  return `its record cannot be read: ${problems.map(shown).join("; ")}`;
}

/** The engine's mark of a secret in an export: ciphertext or, with `--show-secrets`, plain JSON. */
const secretMark = "4dabf18193072939515e22adb298388d";

function openSecret(value: unknown): {
  readonly value: unknown;
  readonly secret: boolean;
  readonly hidden: boolean;
} {
  if (typeof value !== "object" || value === null || !(secretMark in value))
    return { value, secret: false, hidden: false };
  const plaintext = "plaintext" in value ? value.plaintext : undefined;
  if (typeof plaintext !== "string") return { value: undefined, secret: true, hidden: true };
  return { value: parseJson(plaintext), secret: true, hidden: false };
}
