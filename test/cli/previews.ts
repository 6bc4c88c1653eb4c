import { ok } from "node:assert/strict";
import { readPreview } from "../../cli/plan/preview";
import { reportOf, type StackPlan } from "../../cli/plan/report";
import { digest } from "../../provider/dns";
import {
  requestText,
  type DeclaredEntry,
  type HeldEntry,
  type PlanEntry,
  type PlanLine,
  type PlanProblem,
  type PlanSettings,
} from "../../provider/lifecycle/plan-file";

export function step(op: string, name: string, more: object = {}, type = "RecordBatch"): object {
  const full = type.includes(":") ? type : `pulumi-nodejs:dynamic/legacydns:${type}`;
  const state = { type: full, ...more };
  return {
    op,
    urn: urnOf(name, full),
    provider: "urn:pulumi:dev::zones::pulumi:providers:pulumi-nodejs::default::id",
    ...(op === "create" ? {} : { oldState: state }),
    ...(op === "delete" ? {} : { newState: state }),
  };
}

function urnOf(name: string, type: string) {
  return `urn:pulumi:dev::zones::${type}::${name}`;
}

const settings: PlanSettings = { removal: "verify", full: false, maxChangeShare: 30, confirmedDomains: [] };

export function line(sign: PlanLine["sign"], text: string, more: Partial<PlanLine> = {}): PlanLine {
  return { sign, domain: "example.com", text, ttl: "600", id: text, ...more };
}

export function declared(
  lines: readonly PlanLine[],
  more: Partial<DeclaredEntry> = {},
  name = "web",
): DeclaredEntry {
  return {
    kind: "declared",
    urn: digest(urnOf(name, "pulumi-nodejs:dynamic/legacydns:RecordBatch")),
    resource: "",
    settings,
    lines: [...lines],
    unchanged: {},
    given: [],
    declares: [],
    answers: [],
    errors: [],
    blocked: [],
    checks: [],
    ...more,
  };
}

export function problem(title: string, more: Partial<PlanProblem> = {}): PlanProblem {
  return { code: "live.ttl", title, records: [], help: [], ...more };
}

export function held(name: string, texts: readonly string[], more: Partial<HeldEntry> = {}): HeldEntry {
  return {
    kind: "held",
    urn: digest(urnOf(name, "pulumi-nodejs:dynamic/legacydns:RecordBatch")),
    resource: "",
    settings,
    domains: ["example.com"],
    answers: [],
    live: { "example.com": 20 },
    lines: texts.map((text) => ({
      domain: "example.com",
      text,
      ttl: "600",
      id: text,
      refs: [`example.com ${text}`],
    })),
    ...more,
  };
}

export function report(
  steps: readonly object[],
  entries: readonly PlanEntry[] = [],
  diagnostics: readonly object[] = [],
): StackPlan {
  const preview = readPreview(previewText(steps, diagnostics));
  ok(preview);
  return reportOf(preview, entries);
}

export function previewText(steps: readonly object[], diagnostics: readonly object[] = []): string {
  return JSON.stringify({ steps, diagnostics });
}

export function fileText(entries: readonly PlanEntry[]): string {
  const head = requestText({ urns: [], domains: [], drift: false });
  return head + entries.map((each) => `${JSON.stringify(each)}\n`).join("");
}
