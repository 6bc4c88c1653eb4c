/** Domains that have left the account. A resource's share in them is set aside. */
import type { Clock } from "../../support/clock";
import { howOf } from "../declaration";
import { DomainNotInAccount } from "../zones/listing";
import { commandsOf, reason, type Reason, type RecordLine } from "../../problems";
import { byDigest, digestOf, emptyLedger, type Ledger } from "../memory/ledger";
import type { Task } from "../plan/plan";
import { declaredLine, type Wording } from "../wording";
import { failuresIn, snapshotAge } from "../zones/reader";

type Domains = ReadonlySet<string>;

/** Still declared, dropped from the state, or kept by a failed destroy. */
type GoneFate = "gone" | "released" | "kept";
type GoneReason = Reason<`zone.${GoneFate}`>;

export interface Aside extends Task {
  readonly domains: Domains;
}

export class GoneDomains {
  /** When the account did not have a domain, in milliseconds since the epoch. */
  private readonly seen = new Map<string, number>();
  private readonly reported = new Set<string>();

  constructor(private readonly clock: Clock) {}

  async withoutGone<T>(task: Task, work: (rest: Task) => Promise<T>): Promise<{ result: T; aside: Aside }> {
    const held = new Set([...task.before, ...task.ledger.stale].map(({ domain }) => domain));
    for (;;) {
      const domains = new Set([...held].filter((domain) => this.has(domain)));
      const { rest, aside } = partTask(task, domains);
      try {
        return { result: await work(rest), aside };
      } catch (error) {
        const found = goneIn(error).filter((domain) => held.has(domain) && !domains.has(domain));
        if (found.length === 0) throw error;
        for (const domain of found) this.seen.set(domain, this.clock.now());
      }
    }
  }

  note(failures: readonly unknown[]): Domains {
    const found = failures.flatMap(goneIn);
    for (const domain of found) this.seen.set(domain, this.clock.now());
    return new Set(found);
  }

  /** Those of domains that were not reported before. */
  notReported(reasons: readonly GoneReason[]): GoneReason[] {
    return reasons.filter(
      ({ parts: { domain } }) => !this.reported.has(String(domain)) && this.reported.add(String(domain)),
    );
  }

  private has(domain: string): boolean {
    const at = this.seen.get(domain);
    return at !== undefined && this.clock.now() - at < snapshotAge;
  }
}

/** @param fate of the resource's records there. Default: by their declaration */
export function goneReasons(aside: Aside, wording: Pick<Wording, "hides">, fate?: GoneFate): GoneReason[] {
  const { domains, declaration } = aside;
  const declared = new Set(declaration.records.map(({ domain }) => domain));
  const commands = commandsOf(howOf(declaration), "destroy");
  return [...domains].map((domain) => {
    const code = fate ?? (declared.has(domain) ? "gone" : "released");
    const lines = code === "released" ? heldLines(aside, domain, wording) : undefined;
    return reason(`zone.${code}`, { domain, ...commands }, lines);
  });
}

function heldLines(
  { before, declaration, ledger }: Aside,
  domain: string,
  wording: Pick<Wording, "hides">,
): RecordLine[] {
  const own = [...byDigest([...declaration.records, ...before])].flatMap(([key, record]) => {
    const known = record.domain === domain ? ledger.owned.get(key) : undefined;
    return known === undefined ? [] : [declaredLine(record, wording, `record ${known.id}`)];
  });
  const stale = ledger.stale.filter((each) => each.domain === domain);
  return [...own, ...stale.map(({ id }) => ({ text: `record ${id}` }))];
}

export function withDeclared(ledger: Ledger, aside: Aside): Ledger {
  const declared = new Set(aside.declaration.records.map(({ domain }) => domain));
  return withAll(ledger, partTask(aside, declared).aside);
}

export function withAll(ledger: Ledger, { domains, ledger: aside }: Aside): Ledger {
  if (domains.size === 0) return ledger;
  return {
    ...ledger,
    owned: new Map([...ledger.owned, ...aside.owned]),
    stale: [...ledger.stale, ...aside.stale],
    removed: [...ledger.removed, ...aside.removed],
    gone: [...ledger.gone, ...aside.gone],
    uncertain: [...ledger.uncertain, ...aside.uncertain],
  };
}

function goneIn(error: unknown): string[] {
  return failuresIn(error).flatMap((each) => (each instanceof DomainNotInAccount ? each.domain : []));
}

function partTask(task: Task, domains: Domains): { readonly rest: Task; readonly aside: Aside } {
  const { declaration, before } = task;
  if (domains.size === 0) {
    const nothing = { declaration: { ...declaration, records: [] }, before: [], ledger: emptyLedger };
    return { rest: task, aside: { ...nothing, domains } };
  }
  const all = [...declaration.records, ...before];
  const keys = new Set(all.filter(({ domain }) => domains.has(domain)).map(digestOf));
  return {
    rest: partOf(task, domains, keys, false),
    aside: { ...partOf(task, domains, keys, true), domains },
  };
}

function partOf(
  { declaration, before, ledger }: Task,
  domains: Domains,
  keys: ReadonlySet<string>,
  inside: boolean,
): Task {
  const { report } = declaration;
  const isOf = ({ domain }: { readonly domain: string }): boolean => domains.has(domain) === inside;
  const has = (digest: string): boolean => keys.has(digest) === inside;
  return {
    declaration: {
      ...declaration,
      records: declaration.records.filter(isOf),
      ...(report && { report: { ...report, domains: report.domains.filter((domain) => isOf({ domain })) } }),
    },
    before: before.filter(isOf),
    ledger: {
      ...ledger,
      owned: new Map([...ledger.owned].filter(([key]) => has(key))),
      stale: ledger.stale.filter(isOf),
      removed: ledger.removed.filter(isOf),
      gone: ledger.gone.filter(has),
      uncertain: ledger.uncertain
        .map((each) => ({ ...each, digests: each.digests.filter(has) }))
        .filter(({ digests }) => digests.length > 0),
    },
  };
}
