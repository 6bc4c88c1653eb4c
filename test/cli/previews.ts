import { ok } from "node:assert/strict";
import { readPreview } from "../../cli/plan/preview";
import { reportOf, type StackPlan } from "../../cli/plan/report";
import { commandsOf, reason } from "../../provider/problems";
import { digest } from "../../provider/dns";
import { cli, fakePulumi, inFolder, write, type CliRun } from "./run";
import {
  planProblem,
  type DeclaredEntry,
  type HeldEntry,
  type PlanCheck,
  type PlanEntry,
  type PlanLine,
  type PlanProblem,
  type PlanSettings,
} from "../../provider/lifecycle/plan-file";

const batch = "pulumi-nodejs:dynamic/legacydns:RecordBatch";

export function step(op: string, name: string, more: object = {}): object {
  const state = { type: batch, ...more };
  return {
    op,
    urn: urnOf(name, batch),
    provider: "urn:pulumi:dev::zones::pulumi:providers:pulumi-nodejs::default::id",
    ...(op === "create" ? {} : { oldState: state }),
    ...(op === "delete" ? {} : { newState: state }),
  };
}

function urnOf(name: string, type: string) {
  return `urn:pulumi:dev::zones::${type}::${name}`;
}

const gates = { maxChangeShare: 30, confirmedDomains: [], explicit: false };
const settings: PlanSettings = { removal: "verify", full: false, ...gates };

export const fullSettings: PlanSettings = { ...settings, removal: "delete", full: true };

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
    urn: digest(urnOf(name, batch)),
    resource: "",
    settings,
    lines: [...lines],
    unchanged: {},
    ...{ given: [], declares: [], answers: [], errors: [], blocked: [], checks: [] },
    ...more,
  };
}

export function problem(title: string, more: Partial<PlanProblem> = {}): PlanProblem {
  return { code: "live.ttl", title, records: [], help: [], ...more };
}

export function held(name: string, texts: readonly string[], more: Partial<HeldEntry> = {}): HeldEntry {
  return {
    kind: "held",
    urn: digest(urnOf(name, batch)),
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

export const update = step("update", "web");

/** The plan of an update of "web" to these lines. */
export const updated = (lines: readonly PlanLine[], more?: Partial<DeclaredEntry>) =>
  report([update], [declared(lines, more)]);

export function previewText(steps: readonly object[], diagnostics: readonly object[] = []): string {
  return JSON.stringify({ steps, diagnostics });
}

/** Runs `plan` with a `pulumi` that prints a preview and writes entries as provider processes do. */
export const planned = (
  { out = previewText([update]), err = "", code = 0, entries = [] as readonly PlanEntry[] },
  ...args: readonly string[]
): Promise<CliRun> =>
  inFolder((folder) => {
    write(folder, { out, err, entries: entries.map((each) => `${JSON.stringify(each)}\n`).join("") });
    const script = `cd ${folder}; cat entries >> "$PULUMI_LEGACYDNS_PLAN"; cat out; cat err >&2; exit ${code}`;
    return cli(["plan", ...args], fakePulumi(folder, script));
  });

const at = (name: string): string => `${name}.example.com.`;

function everySign(): PlanLine[] {
  const ttl = { text: `${at("www")} A 192.0.2.2`, ttl: "300" };
  const key = `${at("k1._domainkey")} TXT "v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(9)}"`;
  return [
    line("+", `${at("api")} A 192.0.2.10`, { answer: { name: `${at("api")} A`, data: "192.0.2.10" } }),
    line("+", key, { ttl: "default" }),
    line("=", `${at("shop")} CNAME www.example.org.`),
    line("~", ttl.text, { was: ttl, refs: ["example.com 1"] }),
    line("~", `${at("mail")} A 192.0.2.7`, { was: { text: `${at("mail")} A 192.0.2.6`, ttl: "600" } }),
    line("-", `${at("old")} A 192.0.2.9`),
    line("!", `${at("gone")} A 192.0.2.9`),
    line(".", `${at("kept")} TXT "v=spf1 -all"`),
    line("?", `${at("later")} A (known after the up)`),
    line(" ", "example.com. MX 10 mx1.example.org."),
    line("+", "www.example.net. A 192.0.2.1", { domain: "example.net" }),
  ];
}

const check: PlanCheck = {
  code: "mx-cname",
  level: "warn",
  domain: "example.com",
  record: { text: "example.com. MX 10 shop.example.com." },
  message: "a mail server is a CNAME, which clients refuse",
  help: ["name a host with addresses"],
};

const blocked = (): PlanProblem[] => {
  const of = (change: boolean) => commandsOf({ removalSetBy: "stack", change, full: false }, "up");
  const [stack, full] = [of(false), of(true)];
  return [
    reason(
      "live.left-over",
      { domain: "example.com", ...stack },
      [{ text: `${at("gone")} A 192.0.2.9` }],
      stack.why,
    ),
    reason(
      "live.left-over",
      { domain: "example.net", ...full },
      [{ text: 'b.example.net. TXT "a `b`"' }],
      full.why,
    ),
    reason("live.ttl", { domain: "example.com", allow: stack.allow }, [
      { text: `${at("www")} A 192.0.2.2`, note: "live 300, declared 600" },
      { text: `${at("a-longer-name.of-a-host")} AAAA 2001:db8::1`, note: "live 300, declared 600" },
    ]),
  ].map(planProblem);
};

/** A plan with every sign, every section and a change of two zones, as a user meets them. */
export function everySection(): StackPlan {
  const live = (n: number, data: string) => ({
    domain: "example.com",
    data,
    ttl: 600,
    ref: `example.com ${n}`,
  });
  const answers = [1, 2].map((n) => ({ ...live(n, `192.0.2.${n}`), name: `${at("api")} A` }));
  const unchanged = { "example.com": 1_204, "example.net": 3 };
  const found = report(
    [update],
    [declared(everySign(), { answers, blocked: blocked(), checks: [check], unchanged })],
    [
      {
        severity: "warning",
        message: "warning: the token is a `collaborator`'s: `pulumi refresh` shows more",
      },
    ],
  );
  return { ...found, unfinished: ["web: the last update failed; the next up continues it"] };
}
