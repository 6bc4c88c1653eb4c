/** The records of a `RecordBatch` are one text, so that the engine's diff reads like a zone diff. */
import { isDeepStrictEqual } from "node:util";
import {
  digest,
  expandSpecs,
  readZoneText,
  recordKey,
  secretLines,
  unknownsIn,
  zoneText,
  type DeclaredEntry,
  type ZoneContents,
} from "../dns";
import { isError, reason } from "../problems";
import type { Settings } from "../settings";
import { domainsOf } from "../support/collections";
import { defined } from "../support/defined";
import { canonicalInputs, Marker, readSecrets, sealed, textDigest, type SealedText } from "./batch-text";
import type { CheckContext, CheckedInputs, Form } from "./form";
import { unknownValue } from "./lifecycle";
import { batchInputs, isSame, withText, type BatchInputs } from "./state";

export const recordBatchForm: Form<BatchInputs> = {
  single: false,
  inputs: batchInputs,

  check: (given, context) =>
    isTrusted(given, context) ? canonical(given, context) : written(given, context),

  records: (inputs, settings) => contentsOf(inputs, settings).records,

  replaces: () => [],

  live: (inputs, { findings, strays, undeclared, secrets }) => {
    if (
      strays.length + undeclared.length === 0 &&
      findings.every(({ state }) => state === "as declared" || state === "unread") &&
      !mayBeNoted(inputs)
    )
      return inputs;
    const records: DeclaredEntry[] = [];
    for (const { state, record, ...found } of findings) {
      if (state === "as declared" || state === "unread") records.push(record);
      else if (state === "disabled") records.push({ ...record, note: "disabled" });
      else if (state === "other ttl" && "live" in found)
        records.push({ ...record, note: "drifted", liveTtl: found.live.ttl });
    }
    // Any other record may be an earlier secret.
    const shown = new Set(findings.flatMap(({ record }) => (record.secret ? [] : [recordKey(record)])));
    for (const stray of [...strays, ...undeclared]) {
      const isHidden = secrets.has(stray) || (inputs.sensitive && !shown.has(stray.key));
      const hidden = isHidden ? { secret: true as const } : {};
      records.push({ ...stray.record, ...hidden, ttl: stray.ttl, note: "not declared" });
    }
    return withText(inputs, inText(records, inputs));
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
};

/** The text of the state comes back if the program ignores its changes. */
function isTrusted({ domains, records }: BatchInputs, { olds, text }: CheckContext<BatchInputs>): boolean {
  if (records === undefined) return false;
  const isOfState = records === olds.records && isDeepStrictEqual(domains, olds.domains);
  return isOfState || textDigest({ domains, records }) === text;
}

function canonical(
  given: BatchInputs,
  { settings, olds }: CheckContext<BatchInputs>,
): CheckedInputs<BatchInputs> {
  const inputs = withMaxTtl(withText(given, sealed(given, olds)), settings);
  if (isSame(inputs, olds))
    return { inputs, records: () => contentsOf(inputs, settings).records, problems: [], unknowns: [] };
  const { records, unknowns } = contentsOf(inputs, settings);
  // A saved plan accepts any later value of an unknown property, and its absence. It accepts no other text.
  const isKnown = unknowns.length === 0;
  const sent = isKnown ? inputs : withText(inputs, { records: unknownValue, secrets: unknownValue });
  return { inputs: sent, records: () => records, problems: [], unknowns };
}

/** A record without a TTL would keep any live one. */
function withMaxTtl(inputs: BatchInputs, settings: Settings): BatchInputs {
  const { maxTtl } = inputs.options;
  if (maxTtl === undefined || inputs.records === undefined || inputs.isUnknown) return inputs;
  const { records, unknowns } = contentsOf(inputs, settings);
  const lowered = records.map((record) => {
    const ttl = record.ttl === "default" ? settings.defaultTtl : record.ttl;
    return { ...record, ttl: Math.min(ttl, maxTtl) };
  });
  return withText(inputs, inText(lowered, inputs, unknowns));
}

/** Lines of a program, or of a transform, which may have edited the canonical text. */
function written(given: BatchInputs, context: CheckContext<BatchInputs>): CheckedInputs<BatchInputs> {
  const { domains, records } = given.fields;
  // The data of these lines is not in the text.
  const hasMarks = given.records !== undefined && secretLines(given.records).length > 0;
  const expansion = expandSpecs(domains, records, {
    defaultLine: context.settings.defaultLine,
    unknown: unknownValue,
    absolute: true,
  });
  const more = given.records === undefined ? [] : unknownsIn(given.records, expansion.domains);
  const problems = [
    ...(hasMarks ? [{ path: "records", ...reason("records.rewritten") }] : []),
    ...expansion.problems,
  ];
  if (problems.some(isError)) return { inputs: given, records: () => [], problems, unknowns: [] };
  const text = canonicalInputs({ ...expansion, unknowns: [...expansion.unknowns, ...more] });
  const checked = canonical(withText(given, text), context);
  return { ...checked, problems: [...problems, ...checked.problems] };
}

function contentsOf(
  { domains, records, secrets, isUnknown }: BatchInputs,
  { defaultLine }: Settings,
): ZoneContents {
  if (records === undefined || isUnknown) return { records: [], unknowns: [] };
  const data = readSecrets(secrets);
  return readZoneText(records, { domains, defaultLine, secret: (mark) => data.get(mark) });
}

function inText(
  records: readonly DeclaredEntry[],
  inputs: BatchInputs,
  unknowns: ZoneContents["unknowns"] = [],
): SealedText {
  const contents = { records, unknowns };
  const { secrets } = inputs;
  if (secrets === undefined || secrets === "")
    return { records: zoneText(contents, () => ""), ...defined({ secrets }) };
  const marker = new Marker(inputs);
  const text = zoneText(contents, marker.mark);
  return { records: text, secrets: marker.secrets };
}

/** The anchor makes a long TXT cost one pass. */
function mayBeNoted({ records }: BatchInputs): boolean {
  return records === undefined || /; (?:disabled|not declared|drifted, declared \w+)$/m.test(records);
}
