/** The declared records of a stack: the outputs in the engine's export of its state. */
import { z } from "zod";
import { expandRecord, readZoneText, type DeclaredEntry } from "../../provider/dns";
import { readSecrets } from "../../provider/lifecycle/secrets";
import { reason, textOf } from "../../provider/problems";
import { append } from "../../provider/support/collections";
import { count, errorText } from "../../provider/support/text";
import { CommandError } from "../errors";
import { asBatch, kindOf, parseJson } from "../resources";

export interface Declared {
  readonly record: DeclaredEntry;
  readonly sensitive: boolean;
}

export interface DeclaredRecords {
  readonly records: readonly Declared[];
  readonly notes: readonly string[];
}

type Properties = Readonly<Record<string, unknown>>;

const properties = z.record(z.string(), z.unknown());
const resource = z.object({
  urn: z.string(),
  type: z.string(),
  delete: z.boolean().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
});
const exported = z.object({ deployment: z.object({ resources: z.array(resource).nullish() }) });

export function declaredRecords(text: string, source: string, defaultLine: string): DeclaredRecords {
  const parsed = exported.safeParse(parseJson(text));
  if (!parsed.success)
    throw new CommandError(
      reason("state.unfit", { path: source, what: "a stack", make: "pulumi stack export --file FILE" }),
    );
  const records: Declared[] = [];
  const notes = new Set<string>();
  for (const held of parsed.data.deployment.resources ?? []) {
    const { urn, type, outputs = {}, delete: leaving } = asBatch(held);
    const kind = kindOf(type);
    if (kind !== "Record" && kind !== "RecordBatch") continue;
    const name = `${held.type.split(":").at(-1) ?? kind} ${JSON.stringify(urn.split("::").at(-1))}`;
    const found = readResource(kind, outputs, defaultLine);
    const isReplaced = leaving === true;
    if (!isReplaced) append(records, found.records);
    const hidden = `not asked for without --show-secrets: ${count(found.hidden, "secret record")}`;
    const text = isReplaced
      ? "its replaced state is still to be deleted, and may still be served"
      : (found.problem ?? (found.hidden > 0 ? hidden : undefined));
    if (text !== undefined) notes.add(`${name}: ${text}`);
  }
  return { records, notes: [...notes] };
}

interface Reading {
  readonly records: readonly Declared[];
  readonly hidden: number;
  readonly problem?: string;
}

function unread(problem: string): Reading {
  return { records: [], hidden: 0, problem };
}

/** Secrets in these properties hide no record. */
const besides = new Set(["problems", "__ledger", "secrets"]);

function readResource(kind: "Record" | "RecordBatch", props: Properties, defaultLine: string): Reading {
  const opened = Object.entries(props).map(([name, value]) => ({ name, ...openSecret(value) }));
  const held = opened.filter(({ name }) => !besides.has(name));
  if (held.some(({ hidden }) => hidden))
    return unread("its records are secret, and not asked for; --show-secrets reads them");
  const isSecret = held.some(({ secret }) => secret) || props["sensitive"] === true;
  const plain = Object.fromEntries(opened.map(({ name, value }) => [name, value]));
  if (kind === "Record") return oneRecord(plain, defaultLine, isSecret);
  return batchRecords(plain, defaultLine, isSecret && props["secrets"] === undefined);
}

function batchRecords(
  { domains, records, secrets }: Properties,
  defaultLine: string,
  isSecret: boolean,
): Reading {
  if (!Array.isArray(domains) || typeof records !== "string") return unread("it holds no records");
  const { data } = readSecrets(secrets);
  const isOpen = typeof secrets === "string";
  const options = { domains: domains.map(String), defaultLine };
  try {
    const read = readZoneText(records, isOpen ? { ...options, secret: (mark) => data.get(mark) } : options);
    return {
      // The text also contains undeclared records that a refresh found.
      records: read.records
        .filter(({ note }) => note !== "not declared")
        .map((record) => ({ record, sensitive: record.secret ?? isSecret })),
      hidden: isOpen ? 0 : [...records.matchAll(/^; .* \(secret \S+\)/gm)].length,
    };
  } catch (error) {
    return unread(`its records cannot be read: ${errorText(error)}`);
  }
}

function oneRecord(props: Properties, defaultLine: string, sensitive: boolean): Reading {
  const { domain, name, type, value, priority, ttl, line } = props;
  const spec = { domain, name, type, value, priority, ttl, line };
  const { record, problems } = expandRecord(spec, { defaultLine, sensitive });
  return record === undefined
    ? unread(`its record cannot be read: ${problems.map((each) => textOf(each)).join("; ")}`)
    : { records: [{ record, sensitive: record.secret ?? sensitive }], hidden: 0 };
}

/** The engine's mark of a secret in an export: ciphertext or, with `--show-secrets`, plain JSON. */
const secretMark = "4dabf18193072939515e22adb298388d";

function openSecret(value: unknown): { value: unknown; secret: boolean; hidden: boolean } {
  if (typeof value !== "object" || value === null || !(secretMark in value))
    return { value, secret: false, hidden: false };
  const plaintext = "plaintext" in value ? value.plaintext : undefined;
  const hidden = typeof plaintext !== "string";
  return { value: hidden ? undefined : parseJson(plaintext), secret: true, hidden };
}
