/** The records of a `RecordBatch` are one text, so that the engine's diff reads like a zone diff. */
import { isDeepStrictEqual } from "node:util";
import {
  defaultTtlComment,
  digest,
  expandSpecs,
  readZoneText,
  recordKey,
  secretLines,
  shortDataText,
  unknownsIn,
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
import { canonicalInputs, textDigest } from "./inputs";
import { textsOf } from "./options";
import { planSummary, type Checked, type Form, type Like, type FormOptions } from "./form";
import { isSensitive, unknownValue, withoutProvider, type Props } from "./lifecycle";
import { Marker, readSecrets, sealed, type SealedText } from "./secrets";

export const recordBatchForm: Form = {
  type: "RecordBatch",
  single: false,

  check: (news, options) => (isTrusted(news, options) ? canonical(news, options) : written(news, options)),

  stored: (props, settings, like) =>
    typeof props["records"] === "string" && props["records"] !== unknownValue
      ? contentsOf(props, settings, like).records
      : [],

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
    const all = of.unknown > 0 ? of.domains : domains;
    return all.length === 0 ? undefined : planSummary(plan, named(all), of);
  },

  additions: (records, unknowns) => {
    const lines = zoneText({ records, unknowns }, () => "", shortDataText).split("\n");
    return lines.flatMap((line) =>
      line === "" || line === defaultTtlComment ? [] : `+ ${line.replace(/^; /, "")}`,
    );
  },
};

/** The text of the state comes back if the program ignores its changes. */
function isTrusted({ domains, records }: Props, { olds, text }: FormOptions): boolean {
  if (typeof records !== "string") return false;
  const zones = textsOf(domains);
  const isOfState = records === olds["records"] && isDeepStrictEqual(zones, textsOf(olds["domains"]));
  return isOfState || textDigest({ domains: zones, records }) === text;
}

function canonical(news: Props, { settings, olds }: FormOptions): Checked {
  const { records: text, secrets, ...rest } = news;
  const sealedText = sealed({ ...sealedIn(news), records: String(text), secrets }, sealedIn(olds));
  const inputs = { ...rest, ...sealedText };
  if (isDeepStrictEqual(withoutProvider(inputs), withoutProvider(olds)))
    return { inputs, records: () => contentsOf(inputs, settings).records, problems: [], unknowns: [] };
  const { records, unknowns } = contentsOf(inputs, settings);
  const sent = unknowns.length === 0 ? inputs : withoutUnknown(inputs);
  return { inputs: sent, records: () => records, problems: [], unknowns };
}

/** A saved plan accepts any later value of an unknown property, and its absence. It accepts no other text. */
function withoutUnknown(inputs: Props): Props {
  return { ...inputs, records: unknownValue, secrets: unknownValue };
}

function sealedIn({ domains, records, secrets }: Props): SealedText {
  return { domains: textsOf(domains), records, secrets };
}

/** Lines of a program, or of a transform, which may have edited the canonical text. */
function written(news: Props, options: FormOptions): Checked {
  const { secrets: _secrets, ...rest } = news;
  const { records } = news;
  // The data of these lines is not in the text.
  const hasMarks = typeof records === "string" && secretLines(records).length > 0;
  const expansion = expandSpecs(news["domains"], records, {
    defaultLine: options.settings.defaultLine,
    unknown: unknownValue,
    absolute: true,
  });
  const { domains, unknowns } = expansion;
  const more = typeof records === "string" ? unknownsIn(records, domains) : [];
  const problems = [
    ...(hasMarks ? [{ path: "records", ...reason("records.rewritten") }] : []),
    ...expansion.problems,
  ];
  if (problems.some(isError)) return { inputs: news, records: () => [], problems, unknowns: [] };
  const checked = canonical(
    { ...rest, ...canonicalInputs({ ...expansion, unknowns: [...unknowns, ...more] }) },
    options,
  );
  return { ...checked, problems: [...problems, ...checked.problems] };
}

function contentsOf(props: Props, { defaultLine }: Settings, like?: Like): ZoneContents {
  const data = readSecrets(props["secrets"]);
  const isLike = like !== undefined && isDeepStrictEqual(like.props["domains"], props["domains"]);
  return readZoneText(String(props["records"]), {
    ...(isLike ? { like: { text: String(like.props["records"]), records: like.records } } : {}),
    domains: textsOf(props["domains"]),
    defaultLine,
    secret: (mark) => data.get(mark),
  });
}

function inText(records: readonly DeclaredEntry[], props: Props): { records: string; secrets?: string } {
  const contents = { records, unknowns: [] };
  const { secrets } = props;
  if (secrets === undefined || secrets === "") return { records: zoneText(contents, () => "") };
  const marker = new Marker(sealedIn(props));
  const text = zoneText(contents, marker.mark);
  return { records: text, secrets: marker.secrets };
}

/** An undeclared live record may be shown if it replaced a public one, or the text has it. */
function openly(
  props: Props,
  findings: Observed["findings"],
  { owned }: Ledger,
): (live: LiveEntry) => boolean {
  if (!isSensitive(props)) return () => true;
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
