/**
 * The form of `RecordBatch`: its records are one flat object from canonical text to TTL, so that the engine's own diff
 * reads like a zone diff, a line per record.
 */
import { digest, expandSpecs, recordKey, recordsToState, recordText, stateTtl } from "../dns";
import { named } from "../reconcile/messages";
import type { Observed } from "../reconcile/reconciler";
import { unpackNotes, unpackRecords } from "./inputs";
import { unknownValue } from "./unknown";
import { planSummary, type Form } from "./records";

export const recordBatchForm: Form = {
  type: "RecordBatch",
  single: false,

  check: (given, { settings, sensitive }) => {
    const { source, inputs: news } = unpackNotes(given);
    const { domains, records, unknowns, problems } = expandSpecs(news["domains"], unpackRecords(news["records"]), {
      defaultLine: settings.defaultLine,
      unknown: unknownValue,
      sensitive,
    });
    const state: Record<string, number | string> = recordsToState(records);
    // A record that is not known yet shows as a line of its own, whose value the engine prints as unknown.
    for (const { text } of unknowns) state[text] = unknownValue;
    const inputs = { ...news, domains, records: state };
    return { inputs, records, problems, source, incomplete: unknowns.length > 0 };
  },

  stored: (props, settings) =>
    props["records"] === undefined || props["domains"] === undefined
      ? []
      : expandSpecs(props["domains"], unpackRecords(props["records"]), {
          defaultLine: settings.defaultLine,
          unknown: unknownValue,
          sensitive: true,
        }).records,

  replaces: () => [],

  live: (props, { findings, strays, undeclared }: Observed) => {
    const state: Record<string, number | string> = {};
    for (const finding of findings) {
      if (finding.state === "missing") continue;
      const text = recordText(finding.record);
      if (finding.state === "as declared") state[text] = stateTtl(finding.record);
      else if (finding.state === "disabled") state[text] = stateTtl({ ttl: finding.record.ttl, note: "disabled" });
      else state[text] = stateTtl({ ttl: finding.live.ttl, note: "drifted" });
    }
    for (const stray of [...strays, ...undeclared]) state[recordText(stray.record)] = stateTtl({ ttl: stray.ttl, note: "not declared" });
    return { ...props, records: state };
  },

  id: (records) => {
    const domains = [...new Set(records.map((record) => record.domain))].sort();
    const keys = records.map((record) => recordKey(record)).sort();
    const [first = "empty"] = domains;
    return `${first}${domains.length > 1 ? `+${domains.length - 1}` : ""}/${digest(keys.join("\n"))}`;
  },

  outputs: () => ({}),

  summary: (plan) => {
    const all = [
      ...plan.present.map((match) => match.record),
      ...plan.create,
      ...plan.changes.map((change) => change.record),
      ...[...plan.leftOver, ...plan.removals.map((removal) => removal.live)].map((entry) => entry.record),
      ...plan.obstacles.map((obstacle) => obstacle.record),
    ];
    const domains = [...new Set(all.map((record) => record.domain))];
    return domains.length === 0 ? undefined : planSummary(plan, named(domains));
  },
};
