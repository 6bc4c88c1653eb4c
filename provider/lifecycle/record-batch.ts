/**
 * The form of `RecordBatch`: its records are one text, the zone, with one line per record. The engine's diff
 * then reads like a zone diff, and a zone of any size is one value for the engine.
 */
import { isDeepStrictEqual } from "node:util";
import {
  defaultTtlComment,
  describeRecord,
  digest,
  expandSpecs,
  readZoneText,
  recordKey,
  shortDataText,
  zoneText,
  type DeclaredEntry,
  type ZoneContents,
} from "../dns";
import { isError, reason, type Problem } from "../problems";
import { named } from "../support/text";
import type { Ledger } from "../reconcile/memory/ledger";
import { domainsOf } from "../support/collections";
import type { Observed } from "../reconcile/reconciler";
import type { LiveEntry } from "../reconcile/zones/zone";
import type { Settings } from "../settings";
import { handOver } from "./inputs";
import { additions, listsAll } from "./later";
import { textsOf } from "./options";
import { unknownValue } from "./unknown";
import { planSummary, type Checked, type Form, type FormOptions } from "./form";
import type { Props } from "./lifecycle";
import { Marker, readSecrets, sealed } from "./secrets";

export const recordBatchForm: Form = {
  type: "RecordBatch",
  single: false,

  check: (news, { settings, olds }) => {
    if (!isHandedOver(news, olds)) return written(news, { settings, olds });
    const given = inStateForm(news, olds);
    // Unchanged inputs are not parsed again, because they may be long.
    if (isDeepStrictEqual(withoutProvider(given), withoutProvider(olds))) {
      return { inputs: given, records: () => recordsOf(given, settings), problems: [], unknowns: [] };
    }
    const { records, unknowns } = contentsOf(given, settings);
    const named = namesDefaultLine(given, settings);
    const inputs = named ? { ...given, ...inText(records, unknowns, given) } : given;
    return {
      inputs,
      records: () => marked(records, inputs),
      problems: named ? twice(records) : [],
      unknowns,
    };
  },

  stored: (props, settings) => (typeof props["records"] === "string" ? recordsOf(props, settings) : []),

  replaces: () => [],

  live: (props, { findings, strays, undeclared, secrets, ledger }: Observed) => {
    if (
      strays.length + undeclared.length === 0 &&
      findings.every(({ state }) => state === "as declared" || state === "unread") &&
      !mayBeNoted(props)
    )
      return props;
    const records: DeclaredEntry[] = [];
    for (const { state, record: declared, ...found } of findings) {
      const record = inTextOf(declared, props);
      if (state === "as declared" || state === "unread") records.push(record);
      else if (state === "disabled") records.push({ ...record, note: "disabled" });
      else if (state === "other ttl" && "live" in found)
        records.push({ ...record, note: "drifted", liveTtl: found.live.ttl });
    }
    const mayShow = openly(props, findings, ledger);
    for (const stray of [...strays, ...undeclared]) {
      const { record, ttl } = stray;
      records.push({
        ...record,
        ...(mayShow(stray) && !secrets.has(stray) ? {} : { secret: true }),
        ttl,
        note: "not declared",
      });
    }
    return { ...props, ...inText(records, [], props) };
  },

  id: (records) => {
    const domains = domainsOf(records).sort();
    // Ids are public, and guesses at a secret could be compared with a digest.
    const keys = records
      .map((record) =>
        record.secret === true ? `${record.domain} ${record.name} ${record.type}` : recordKey(record),
      )
      .sort();
    const [first = "empty"] = domains;
    return `${first}${domains.length > 1 ? `+${domains.length - 1}` : ""}/${digest(keys.join("\n"))}`;
  },

  outputs: () => ({}),

  summary: (plan, of) => {
    const all = [
      ...plan.present.map((match) => match.record),
      ...plan.create,
      ...plan.changes.map((change) => change.record),
      ...[...plan.leftOver, ...[...plan.removals, ...plan.undecided].map(({ live }) => live)].map(
        (entry) => entry.record,
      ),
      ...plan.obstacles.map((obstacle) => obstacle.record),
    ];
    const domains = domainsOf(all);
    if (domains.length === 0) return undefined;
    const summary = planSummary(plan, named(domains), of);
    return of.isNew && plan.create.length > 0
      ? [summary, ...additions(linesOf(plan.create), listsAll)].join("\n")
      : summary;
  },
};

function linesOf(records: readonly DeclaredEntry[]): string[] {
  const text = zoneText({ records, unknowns: [] }, () => "", shortDataText);
  return text
    .trimEnd()
    .split("\n")
    .filter((line) => line !== defaultTtlComment);
}

/** Whether `records` is a canonical text, not lines or specs from a transform of the program. */
function isHandedOver({ records }: Props, olds: Props): boolean {
  const isOther = /^(?!; |[^A-Z\s]+\. (?:\d+ )?[^a-z\d\s][^a-z\s]* ).+$/m;
  return typeof records === "string" && (records === olds["records"] || !isOther.test(records));
}

/** Checks inputs with `records` from a transform, in a documented form. */
function written(news: Props, options: FormOptions): Checked {
  const { secrets: _secrets, sensitive: _sensitive, ...rest } = news;
  const { records } = news;
  // The data of these lines is not in the text.
  const hasMarks = typeof records === "string" && /^; .* \(secret \S+\)/m.test(records);
  const expansion = expandSpecs(news["domains"], records, {
    defaultLine: options.settings.defaultLine,
    unknown: unknownValue,
    absolute: true,
  });
  const problems = [
    ...(hasMarks ? [{ path: "records", ...reason("records.rewritten") }] : []),
    ...expansion.problems,
  ];
  if (problems.some(isError)) return { inputs: news, records: () => [], problems, unknowns: [] };
  const checked = recordBatchForm.check({ ...rest, ...handOver(expansion) }, options);
  return { ...checked, problems: [...problems, ...checked.problems] };
}

/** The program's inputs, with the state's marks of secrets. */
function inStateForm(news: Props, olds: Props): Props {
  const { records, secrets, ...rest } = news;
  return {
    ...rest,
    ...sealed({ records: String(records), secrets, domains: textsOf(news["domains"]) }, olds),
  };
}

/** The records of canonical inputs, or of outputs. */
function recordsOf(props: Props, settings: Settings): readonly DeclaredEntry[] {
  return marked(contentsOf(props, settings).records, props);
}

function marked(records: readonly DeclaredEntry[], props: Props): readonly DeclaredEntry[] {
  return hidesAll(props) ? records.map((record) => ({ ...record, secret: true })) : records;
}

/** Whether the whole property is secret, so that the secret records are not distinguished. */
function hidesAll({ sensitive, secrets }: Props): boolean {
  return sensitive === true && typeof secrets !== "string";
}

/** A record for the text. If the whole text is secret, no record has a mark. */
function inTextOf(record: DeclaredEntry, props: Props): DeclaredEntry {
  if (!hidesAll(props)) return record;
  const { secret: _secret, ...rest } = record;
  return rest;
}

function contentsOf(props: Props, { defaultLine }: Settings): ZoneContents {
  const { data } = readSecrets(props["secrets"]);
  return readZoneText(String(props["records"]), {
    domains: textsOf(props["domains"]),
    defaultLine,
    secret: (mark) => data.get(mark),
  });
}

/**
 * The properties with the records. If `secrets` is missing or empty, no property is certainly secret, and the
 * data of secret records is omitted.
 */
function inText(
  records: readonly DeclaredEntry[],
  unknowns: ZoneContents["unknowns"],
  { secrets }: Props,
): { records: string; secrets?: string } {
  if (secrets === undefined || secrets === "") return { records: zoneText({ records, unknowns }, () => "") };
  const marker = new Marker(secrets);
  const text = zoneText({ records, unknowns }, marker.mark);
  return { records: text, secrets: marker.secrets };
}

/**
 * Whether an undeclared live record may be shown. A record that replaced a secret one may be secret, too. It
 * is shown if it replaced a public one, or if the text contains it already.
 */
function openly(
  props: Props,
  findings: Observed["findings"],
  { owned }: Ledger,
): (live: LiveEntry) => boolean {
  if (props["sensitive"] !== true) return () => true;
  const places = new Set<string>();
  for (const { state, record } of findings) {
    const id =
      state === "missing" && record.secret !== true ? owned.get(digest(recordKey(record)))?.id : undefined;
    if (id !== undefined) places.add(`${record.domain} ${id}`);
  }
  const shown = new Set(
    readZoneText(String(props["records"]), { domains: textsOf(props["domains"]) }).records.map((record) =>
      recordKey(record),
    ),
  );
  return ({ id, key, record }) =>
    typeof props["secrets"] === "string" && (places.has(`${record.domain} ${id}`) || shown.has(key));
}

/**
 * Whether the text may contain a refresh's findings. The pattern is anchored, so that a long TXT costs one
 * pass.
 */
function mayBeNoted({ records }: Props): boolean {
  return typeof records !== "string" || /; (?:disabled|not declared|drifted, declared \w+)$/m.test(records);
}

/** Whether a record may name the provider's default line, which the program may not know. */
function namesDefaultLine({ records }: Props, { defaultLine }: Settings): boolean {
  return typeof records === "string" && records.includes(`line=${defaultLine}`);
}

/** Problems of records that are equal on this provider's default line. The program may not know that line. */
function twice(records: readonly DeclaredEntry[]): Problem[] {
  const keys = new Set<string>();
  return records.flatMap((record) => {
    const key = recordKey(record);
    if (!keys.has(key)) return (keys.add(key), []);
    return [{ path: "records", ...reason("record.twice-by-line", { what: describeRecord(record) }) }];
  });
}

function withoutProvider(props: Props): Props {
  const { __provider: _text, ...rest } = props;
  return rest;
}
