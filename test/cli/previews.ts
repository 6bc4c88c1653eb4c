/** Previews as the engine prints them, and the plans that are made of them. */
import assert from "node:assert/strict";
import { readPreview } from "../../cli/plan/preview";
import { reportOf, type PlanReport, type ReportOptions } from "../../cli/plan/report";

export type Props = Readonly<Record<string, unknown>>;
const options: ReportOptions = { defaultLine: "默认", removal: "verify", full: false };

/** One step as the engine's preview has it. */
export function step(
  op: string,
  type: string,
  name: string,
  before: Props | undefined,
  after: Props | undefined,
  more: object = {},
): object {
  const full = type.includes(":") ? type : `pulumi-nodejs:dynamic/legacydns:${type}`;
  return {
    op,
    urn: `urn:pulumi:dev::zones::${full}::${name}`,
    ...(before === undefined ? {} : { oldState: { type: full, inputs: before } }),
    ...(after === undefined ? {} : { newState: { type: full, inputs: after } }),
    ...more,
  };
}

/** A batch as the state holds it. @param records the lines of its text */
export function batch(records: readonly string[], domains = ["example.com"], more: Props = {}): Props {
  return { domains, records: records.map((line) => `${line}\n`).join(""), ...more };
}

/** The plan of a preview with these steps and diagnostics. */
export function report(
  steps: readonly object[],
  diagnostics: readonly object[] = [],
  more: Partial<ReportOptions> = {},
): PlanReport {
  const preview = readPreview(JSON.stringify({ steps, diagnostics }));
  assert.ok(preview);
  return reportOf(preview, { ...options, ...more });
}
