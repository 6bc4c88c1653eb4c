/** The declared records of a stack: the outputs in the engine's export of its state, without secret ones. */
import { z } from "zod";
import { expandRecord, patternMatcher, readZoneText, textWith, type DeclaredEntry } from "../../provider/dns";
import { textsOf } from "../../provider/lifecycle/options";
import { reason, textOf } from "../../provider/problems";
import { append, split } from "../../provider/support/collections";
import { count, errorText } from "../../provider/support/text";
import { CommandError } from "../errors";
import { kindOf, resourcesIn } from "../resources";
import type { Expected } from "./compare";

export interface DeclaredRecords {
  readonly records: readonly DeclaredEntry[];
  readonly notes: readonly string[];
  /** Whether a record may be served beside the declared ones: it matches `ignore`, or may be a secret. */
  readonly expects: Expected;
}

type Properties = Readonly<Record<string, unknown>>;

export function declaredRecords(text: string, source: string, defaultLine: string): DeclaredRecords {
  const resources = resourcesIn(text);
  if (resources === undefined)
    throw new CommandError(
      reason("state.unfit", { path: source, what: "a stack", make: "pulumi stack export --file FILE" }),
    );
  const records: DeclaredEntry[] = [];
  const notes = new Set<string>();
  const expected: Expected[] = [];
  for (const { urn, type, outputs, delete: leaving } of resources) {
    const kind = kindOf(type);
    const { domain } = outputs;
    if (kind === undefined || kind === "DomainShare" || (kind === "Zone" && domain === undefined)) continue;
    const name = `${kind} ${JSON.stringify(urn.split("::").at(-1))}`;
    const note = (text: string): void => void notes.add(`${name}: ${text}`);
    const held = { domains: [domain], ...outputs };
    if (leaving) note("its replaced state is still to be deleted, and may still be served");
    else if (hasSecret(outputs)) {
      note("its records are secret, and not asked for");
      expected.push(secretOf(outputs));
    } else
      try {
        const all = kind === "Record" ? oneRecord(held, defaultLine) : inBatch(held, defaultLine);
        const [hidden, shown] = split(all, ({ secret }) => secret === true);
        append(records, shown);
        if (hidden.length > 0) note(`not asked for: ${count(hidden.length, "secret record")}`);
        const places = new Set(hidden.map(({ line: _line, ...record }) => textWith(record)));
        expected.push(ignoredBy(held), (record) => places.has(textWith(record)));
      } catch (error) {
        note(`its records cannot be read: ${errorText(error)}`);
      }
  }
  return { records, notes: [...notes], expects: (record) => expected.some((expects) => expects(record)) };
}

/** The records that a secret resource may have: those of a Record's name and type, or all if these are unknown. */
function secretOf({ domain, name, type }: Properties): Expected {
  return (record) =>
    typeof name !== "string" ||
    typeof type !== "string" ||
    (record.domain === domain && record.name === name && record.type === type);
}

function ignoredBy({ domains, ignore }: Properties): Expected {
  const matches = patternMatcher(textsOf(ignore));
  const own = textsOf(domains);
  return (record) => own.includes(record.domain) && matches(record);
}

/** The engine's mark of a secret in an export. */
const secretMark = "4dabf18193072939515e22adb298388d";
/** Secrets in these properties hide no record. */
const besides = new Set(["problems", "__ledger", "secrets"]);

function hasSecret(outputs: Properties): boolean {
  return Object.entries(outputs).some(
    ([name, value]) =>
      !besides.has(name) && typeof value === "object" && value !== null && secretMark in value,
  );
}

function inBatch({ domains, records }: Properties, defaultLine: string): DeclaredEntry[] {
  const secret = (): string => '"secret"';
  const options = { domains: z.array(z.string()).parse(domains), defaultLine, secret };
  // The text also contains undeclared records that a refresh found.
  return readZoneText(z.string().parse(records), options).records.filter(
    ({ note }) => note !== "not declared",
  );
}

function oneRecord(outputs: Properties, defaultLine: string): DeclaredEntry[] {
  const { domain, name, type, value, priority, ttl, line } = outputs;
  const spec = { domain, name, type, value, priority, ttl, line };
  const { record, problems } = expandRecord(spec, { defaultLine, sensitive: false });
  if (record === undefined) throw new Error(problems.map((each) => textOf(each)).join("; "));
  return [record];
}
