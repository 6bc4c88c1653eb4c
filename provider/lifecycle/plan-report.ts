/**
 * The report of a provider process to `pulumi-legacydns plan`. A host with one writes nothing to the
 * service.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { ServiceError } from "../api";
import { digest, type DeclaredRecord } from "../dns";
import type { CheckFinding } from "../dns/checks";
import { diagnosticOf } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Declaration } from "../reconcile/declaration";
import {
  digestOf,
  emptyLedger,
  heldByDigest,
  heldByRef,
  isAsHeld,
  refOf,
  type Ledger,
} from "../reconcile/memory/ledger";
import type { Preview, Reconciler } from "../reconcile/reconciler";
import { shareLine, type Share } from "../reconcile/shares";
import type { Removal, Settings } from "../settings";
import { domainsOf } from "../support/collections";
import { errorText } from "../support/text";
import { reasonsOf } from "./failures";
import {
  planProblem,
  readRequest,
  type DeclaredEntry,
  type PlanCheck,
  type PlanRequest,
  type PlanSettings,
  type WrittenEntry,
} from "./plan-file";
import { changedPlaces, LineWriter, linesOf } from "./plan-lines";
import { wordingOf } from "../reconcile/wording";

export interface ResourceName {
  readonly urn?: string | undefined;
  readonly resource?: string | undefined;
}

export interface PlannedResource extends ResourceName {
  readonly declaration: Declaration;
  readonly domains: readonly string[];
}

interface Findings extends Pick<Preview, "plan" | "zones" | "failures" | "refusals"> {
  readonly checks: Readonly<Record<PlanCheck["level"], readonly CheckFinding[]>>;
}

export class PlanReport {
  private readonly request: PlanRequest;
  private readonly settings: PlanSettings;
  private readonly account: string;

  constructor(
    private readonly path: string,
    private readonly reconciler: Reconciler,
    {
      removal,
      undocumentedOperations: full,
      maxChangeShare,
      confirmedDomains,
      explicit,
      ...account
    }: Settings,
  ) {
    this.request = readRequest(readFileSync(path, "utf8"));
    this.settings = { removal, full, maxChangeShare, confirmedDomains, explicit };
    // The part of the token before the comma is no secret.
    this.account = digest(`${account.baseUrl} ${account.loginToken.reveal().split(",", 1).join("")}`);
  }

  /** Whether a `read` also compares the resource with its zones. */
  get comparesDrift(): boolean {
    return this.request.drift;
  }

  update(
    of: PlannedResource,
    { plan, zones, failures, refusals, checks }: Findings,
    ledger: Ledger = emptyLedger,
  ): void {
    const { declaration, domains } = of;
    const declared = new Set(declaration.records.map(digestOf));
    const adopted = new Set(plan.adopted.map(({ record }) => record));
    const unchanged = plan.present.map(({ record }) => record).filter((record) => !adopted.has(record));
    const [domain = ""] = domains;
    const writer = this.writer(declaration);
    const own = heldByRef(ledger);
    this.declared(of, writer, unchanged, {
      lines: linesOf(plan, declaration, writer, domain),
      given: this.ids(ledger.held.map(({ digest: of }) => of).filter((each) => !declared.has(each))),
      blocked: failures.map(planProblem),
      errors: refusals.map(planProblem),
      checks: checksIn(checks),
      answers: writer.answers(changedPlaces(plan, declaration.unknowns), zones, (live) =>
        own.has(refOf(live)),
      ),
    });
  }

  unchanged(of: PlannedResource): void {
    this.declared(of, this.writer(of.declaration), of.declaration.records);
  }

  private declared(
    { urn, resource, declaration }: PlannedResource,
    writer: LineWriter,
    unchanged: readonly DeclaredRecord[],
    {
      lines = [],
      ...more
    }: Partial<Pick<DeclaredEntry, "lines" | "given" | "blocked" | "errors" | "checks" | "answers">> = {},
  ): void {
    const counts: Record<string, number> = {};
    for (const { domain } of unchanged) counts[domain] = (counts[domain] ?? 0) + 1;
    const quiet = this.request.all ? unchanged : [];
    const domains = new Set(this.request.domains);
    const named = declaration.records.filter(({ domain }) => domains.has(domain));
    this.write({
      kind: "declared",
      urn,
      resource,
      lines: [...lines, ...quiet.map((record) => ({ sign: " " as const, ...writer.declared(record) }))],
      unchanged: counts,
      declares: this.ids(named.map(digestOf)),
      ...more,
    });
  }

  /** So that the other resources are planned as well. @throws the error of a whole run */
  refused({ urn, resource }: ResourceName, error: unknown): void {
    if (!concernsDomains(error)) throw error;
    this.write({ kind: "declared", urn, resource, errors: reasonsOf(error).map(planProblem) });
  }

  /** Lists zones only if the CLI named the resource. */
  async held(declaration: Declaration, ledger: Ledger, removal: Removal | undefined): Promise<void> {
    const { records } = declaration;
    const { urn } = ledger;
    const domains = domainsOf([...records, ...ledger.held]);
    const { isProtected, maxChangeShare } = declaration;
    const head = { kind: "held" as const, urn, domains, removal };
    const { siblings } = this.reconciler;
    if (declaration.sensitive) siblings.secrets.add(records);
    siblings.declared.expectMore();
    if (!this.request.urns.includes(urn ?? "")) return this.write(head, maxChangeShare);
    const writer = this.writer(declaration);
    try {
      const { held, zones } = await this.reconciler.holdings(declaration, ledger);
      const lines = held.filter(({ hold }) => !hold).map((entry) => writer.held(entry, isProtected));
      const live = [...zones].map(([domain, { entries }]) => [
        domain,
        entries.filter(({ hold }) => !hold).length,
      ]);
      // A value beside them may be the secret of a resource that is read later.
      await siblings.declared.complete();
      const places = held.map(({ record }) => record);
      const answers = writer.answers(places, zones, (live) => isAsHeld(live, ledger));
      this.write({ ...head, lines, answers, live: Object.fromEntries(live) }, maxChangeShare);
    } catch (error) {
      const lines = records.flatMap((record) => {
        const id = heldByDigest(ledger).get(digestOf(record))?.id;
        return id === undefined ? [] : [writer.declared(record, { domain: record.domain, id })];
      });
      this.write({ ...head, lines, unread: errorText(error) }, maxChangeShare);
    }
  }

  /** @param live `unknown` in documented mode */
  share(share: Share, live: Pick<Share, "mode" | "scope"> | "unknown" | undefined): void {
    const { urn, line } = this.shareOf(share);
    const was =
      live === "unknown"
        ? { text: line.text, ttl: "(mode not known)" }
        : live && shareLine({ ...share, ...live });
    const sign = was === undefined ? "+" : was.ttl === line.ttl ? "=" : "~";
    this.write({ kind: "declared", urn, lines: [{ sign, ...line, ...(sign === "~" ? { was } : {}) }] });
  }

  heldShare(share: Share): void {
    const { urn, line } = this.shareOf(share);
    const { full, removal } = this.settings;
    this.write({
      kind: "held",
      urn,
      domains: [share.domain],
      // A share that stays is a warning of the up, not an error.
      removal: full && removal === "delete" ? undefined : "retain",
      lines: [{ ...line, refs: [line.id] }],
    });
  }

  /** A dynamic provider does not know the URN of a share (cli/plan/preview.ts). */
  private shareOf(share: Share) {
    const { domain } = share;
    const line = shareLine(share);
    const id = `${this.account} ${domain} ${line.text}`;
    return { urn: digest(`${domain} ${line.text}`), line: { domain, ...line, id } };
  }

  private writer(declaration: Declaration): LineWriter {
    const wording = wordingOf(this.reconciler.siblings, declaration);
    return new LineWriter(this.account, declaration.records, wording);
  }

  private ids(digests: readonly string[]): string[] {
    return digests.map((each) => `${this.account} ${each}`);
  }

  private write(entry: WrittenEntry, maxChangeShare = this.settings.maxChangeShare): void {
    const settings = { ...this.settings, maxChangeShare };
    appendFileSync(this.path, `${JSON.stringify({ ...entry, settings })}\n`, { mode: 0o600 });
  }
}

export function concernsDomains(error: unknown): boolean {
  return error instanceof Refusal || (error instanceof ServiceError && error.about === "domain");
}

function checksIn(checks: Findings["checks"]): PlanCheck[] {
  return (["refuse", "warn", "note"] as const).flatMap((level) =>
    checks[level].flatMap((finding) => {
      const { code, title, records, help } = diagnosticOf({ ...finding, of: undefined });
      return records.map((record) => ({ code, level, domain: finding.domain, record, message: title, help }));
    }),
  );
}
