/** The records of a `RecordBatch` are one text, so that the engine's diff reads like a zone diff. */
import { isDeepStrictEqual } from "node:util";
import {
  defaultTtlComment,
  digest,
  expandSpecs,
  readZoneText,
  recordKey,
  shortDataText,
  zoneText,
  type DeclaredEntry,
  type ZoneContents,
} from "../dns";
import { isError, reason } from "../problems";
import { named } from "../support/text";
import type { Ledger } from "../reconcile/memory/ledger";
import { domainsOf } from "../support/collections";
import type { Observed } from "../reconcile/reconciler";
import type { LiveEntry } from "../reconcile/zones/zone";
import type { Settings } from "../settings";
import { canonicalInputs } from "./inputs";
import { textsOf } from "./options";
import { firstLines, planSummary, type Checked, type Form, type Like, type FormOptions } from "./form";
import { unknownValue, withoutProvider, type Props } from "./lifecycle";
import { Marker, readSecrets, sealed } from "./secrets";

export const recordBatchForm: Form = {
  type: "RecordBatch",
  single: false,

  check: (news, { settings, olds }) => {
    if (!isCanonical(news, olds)) return written(news, { settings, olds });
    const { records: text, secrets, ...rest } = news;
    const given = { records: String(text), secrets, domains: textsOf(news["domains"]) };
    const inputs = { ...rest, ...sealed(given, olds) };
    if (isDeepStrictEqual(withoutProvider(inputs), withoutProvider(olds)))
      return { inputs, records: () => contentsOf(inputs, settings).records, problems: [], unknowns: [] };
    const { records, unknowns } = contentsOf(inputs, settings);
    return { inputs, records: () => records, problems: [], unknowns };
  },

  stored: (props, settings, like) =>
    typeof props["records"] === "string" ? contentsOf(props, settings, like).records : [],

  replaces: () => [],

  live: (props, { findings, strays, undeclared, secrets, ledger }: Observed) => {
    if (
      strays.length + undeclared.length === 0 &&
      findings.every(({ state }) => state === "as declared" || state === "unread") &&
      !mayBeNoted(props)
    )
      return props;
    const records: DeclaredEntry[] = [];
    for (const { state, record, ...found } of findings) {
      if (state === "as declared" || state === "unread") records.push(record);
      else if (state === "disabled") records.push({ ...record, note: "disabled" });
      else if (state === "other ttl" && "live" in found)
        records.push({ ...record, note: "drifted", liveTtl: found.live.ttl });
    }
    const mayShow = openly(props, findings, ledger);
    for (const stray of [...strays, ...undeclared]) {
      const hidden = mayShow(stray) && !secrets.has(stray) ? {} : { secret: true as const };
      records.push({ ...stray.record, ...hidden, ttl: stray.ttl, note: "not declared" });
    }
    return { ...props, ...inText(records, props) };
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
    const domains = domainsOf([
      ...[...plan.present, ...plan.changes, ...plan.obstacles].map(({ record }) => record),
      ...plan.create,
      ...plan.stale,
      ...[...plan.removals, ...plan.undecided].map(({ live }) => live),
    ]);
    if (domains.length === 0) return undefined;
    const summary = planSummary(plan, named(domains), of);
    return plan.create.length === 0 ? summary : [summary, ...firstLines(linesOf(plan.create))].join("\n");
  },
};

function linesOf(records: readonly DeclaredEntry[]): string[] {
  const text = zoneText({ records, unknowns: [] }, () => "", shortDataText);
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => (line === defaultTtlComment ? [] : `+ ${line.replace(/^; /, "")}`));
}

function isCanonical({ records }: Props, olds: Props): boolean {
  const isOther = /^(?!; |[^A-Z\s]+\. (?:\d+ )?[^a-z\d\s][^a-z\s]* ).+$/m;
  return typeof records === "string" && (records === olds["records"] || !isOther.test(records));
}

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
  const checked = recordBatchForm.check({ ...rest, ...canonicalInputs(expansion) }, options);
  return { ...checked, problems: [...problems, ...checked.problems] };
}

function contentsOf(props: Props, { defaultLine }: Settings, like?: Like): ZoneContents {
  const { data } = readSecrets(props["secrets"]);
  const isLike = like !== undefined && isDeepStrictEqual(like.props["domains"], props["domains"]);
  return readZoneText(String(props["records"]), {
    ...(isLike ? { like: { text: String(like.props["records"]), records: like.records } } : {}),
    domains: textsOf(props["domains"]),
    defaultLine,
    secret: (mark) => data.get(mark),
  });
}

function inText(
  records: readonly DeclaredEntry[],
  { secrets }: Props,
): { records: string; secrets?: string } {
  const contents = { records, unknowns: [] };
  if (secrets === undefined || secrets === "") return { records: zoneText(contents, () => "") };
  const marker = new Marker(secrets);
  const text = zoneText(contents, marker.mark);
  return { records: text, secrets: marker.secrets };
}

/** An undeclared live record may be shown if it replaced a public one, or the text has it. */
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
  const { records } = readZoneText(String(props["records"]), { domains: textsOf(props["domains"]) });
  const shown = new Set(records.map(recordKey));
  return ({ id, key, record }) =>
    typeof props["secrets"] === "string" && (places.has(`${record.domain} ${id}`) || shown.has(key));
}

/** The anchor makes a long TXT cost one pass. */
function mayBeNoted({ records }: Props): boolean {
  return typeof records !== "string" || /; (?:disabled|not declared|drifted, declared \w+)$/m.test(records);
}
