/**
 * Shares: one Domainshare.Modify per change, in the combination of parameters that api.md's table of use cases has for
 * it. With the documented interface a share cannot be read; only that a domain is shared out at all is known, from
 * Domain.List. With the undocumented operations shares are listed, created and ended.
 */
import { LegacyDnsError, listDomains, ServiceError, untold, type Client, type DomainShareEntry, type DomainSummary } from "../api";
import { canonicalDomain } from "../dns";
import { reason } from "../problems";
import { Refusal } from "./refusal";

/** What a share covers: the whole domain, or one host label of it. */
export type Scope = string | undefined;

/** A share as it is declared, or as it was last left. */
export interface Share {
  readonly domain: string;
  /** As it already is on the service; it cannot be changed (api.md, Domainshare.Modify). */
  readonly email: string;
  readonly mode: "r" | "rw";
  readonly scope: Scope;
}

/** A share as it is listed, with its mode. */
type FoundShare = DomainShareEntry & Pick<Share, "mode">;

/** The parameters beside domain and e-mail (api.md, Domainshare.Modify, use cases). */
export function modifyParameters(
  from: Scope,
  to: Pick<Share, "mode" | "scope">,
): { mode: "r" | "rw"; oldSubDomain?: string; newSubDomain?: string } {
  return {
    mode: to.mode,
    ...(from === undefined ? {} : { oldSubDomain: from }),
    ...(to.scope === undefined ? {} : { newSubDomain: to.scope }),
  };
}

/** `the whole of example.com`, `dev.example.com`. */
export function scopeText(domain: string, scope: Scope): string {
  return scope === undefined ? `the whole of ${domain}` : `${scope}.${domain}`;
}

export class Shares {
  private sharedOut: Promise<ReadonlyMap<string, DomainSummary>> | undefined;

  private readonly lists = new Map<string, Promise<readonly DomainShareEntry[]>>();

  /** @param indexDelay seconds after which a listing must show what was done */
  constructor(
    private readonly client: Client,
    private readonly indexDelay: number,
  ) {}

  /** With whom the domain is shared; one call per domain and process, until a share is made or ended. */
  private shares(domain: string): Promise<readonly DomainShareEntry[]> {
    const kept = this.lists.get(domain);
    if (kept) return kept;
    const listing = this.client.call("Domainshare.List", { domain }).then(
      ({ shares }) => shares,
      (error: unknown) => {
        if (error instanceof ServiceError && error.noSuch("share")) return [];
        this.lists.delete(domain);
        throw error;
      },
    );
    this.lists.set(domain, listing);
    return listing;
  }

  /**
   * The share as it is on the service: the e-mail's own of this scope. Undefined when there is none.
   * @throws LegacyDnsError where the listing does not tell its mode
   */
  async find(share: Pick<Share, "domain" | "email" | "scope">): Promise<FoundShare | undefined> {
    const found = await this.entry(share);
    if (found === undefined) return undefined;
    const { domain, email } = share;
    return { ...found, mode: found.mode ?? untold("Domainshare.List", domain, `the mode of the share with ${email} (share.mode)`) };
  }

  private async entry({ domain, email, scope }: Pick<Share, "domain" | "email" | "scope">): Promise<DomainShareEntry | undefined> {
    const own = (await this.shares(domain)).filter((entry) => sameEmail(entry.email, email));
    const exact = own.find((entry) => entry.subDomain === scope);
    // A service that tells no label of any share tells nothing about this one's.
    return exact ?? (own.length === 1 && own[0]?.subDomain === undefined && scope !== undefined ? own[0] : undefined);
  }

  /** Makes the share, or brings one that exists to what is declared; nothing is sent when it is there already. */
  async create(share: Share, from: Scope | undefined): Promise<void> {
    const there = await this.find(share);
    if (there?.mode === share.mode) return;
    const old = there ?? (from === share.scope ? undefined : await this.find({ ...share, scope: from }));
    this.lists.delete(share.domain);
    const { domain, email, mode, scope } = share;
    const target = `the share of ${scopeText(domain, scope)} with ${email}`;
    try {
      if (old) await this.modify(share, [old.subDomain]);
      else await this.client.call("Domainshare.Create", { domain, email, mode, ...(scope === undefined ? {} : { subDomain: scope }) }, { target });
    } catch (error) {
      if (!isUnknown(error) || !(await this.isListed(domain, async () => (await this.find(share))?.mode === mode))) throw error;
    }
  }

  /** After an answer that settles nothing: whether the listing shows, once it must, what was to be. False where it cannot be read. */
  private async isListed(domain: string, isThere: () => Promise<boolean>): Promise<boolean> {
    await this.client.clock.sleep(this.indexDelay * 1000);
    this.lists.delete(domain);
    try {
      return await isThere();
    } catch {
      return false;
    }
  }

  /**
   * Ends the share; one that is not there is ended.
   * @throws Refusal when the service could end it only together with others of the same person.
   */
  async end(share: Share): Promise<void> {
    const { domain, email, scope } = share;
    const own = (await this.shares(domain)).filter((entry) => sameEmail(entry.email, email));
    const there = await this.entry(share);
    // A service that tells no labels may mean this share by any of several.
    if (there === undefined && !own.some((entry) => entry.subDomain === undefined)) return;
    const others = own.filter((entry) => entry !== there);
    if (others.length > 0) {
      const what = others.map((entry) => scopeText(domain, entry.subDomain)).join(", ");
      throw new Refusal([reason("share.with-others", { share: `the share of ${scopeText(domain, scope)} with ${email}`, others: what })]);
    }
    this.lists.delete(domain);
    try {
      await this.client.call("Domainshare.Remove", { domain, email }, { target: `the share of ${scopeText(domain, scope)} with ${email}` });
    } catch (error) {
      const isSettled = !isUnknown(error) && !(error instanceof ServiceError && error.noSuch("share"));
      const isGone = async (): Promise<boolean> => (await this.shares(domain)).every((entry) => !sameEmail(entry.email, email));
      if (isSettled || !(await this.isListed(domain, isGone))) throw error;
    }
  }

  /** Whether the domain is shared with anybody; one Domain.List per process tells for all domains. */
  async isSharedOut(domain: string): Promise<boolean> {
    this.sharedOut ??= this.list();
    try {
      return (await this.sharedOut).has(domain);
    } catch (error) {
      this.sharedOut = undefined;
      throw error;
    }
  }

  /**
   * Brings a share from one scope to another, always naming the mode, so that an unknown e-mail fails.
   * @param from where it may be today, the likeliest first: after a lost answer there are two; the next is tried only
   * when the service has refused the one before.
   */
  async modify(share: Share, from: readonly [Scope, ...Scope[]]): Promise<void> {
    let refused: ServiceError | undefined;
    for (const scope of from) {
      try {
        await this.client.call(
          "Domainshare.Modify",
          { domain: share.domain, email: share.email, ...modifyParameters(scope, share) },
          { target: `the share of ${scopeText(share.domain, share.scope)} with ${share.email}` },
        );
        return;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.outcome !== "refused") throw error;
        refused ??= error;
      }
    }
    if (refused) throw refused;
  }

  private async list(): Promise<ReadonlyMap<string, DomainSummary>> {
    const { domains } = await listDomains(this.client, { type: "share_out" });
    const byName = new Map<string, DomainSummary>();
    for (const summary of domains) {
      for (const name of [summary.name, summary.punycode]) {
        const canonical = name === undefined ? { problem: "" } : canonicalDomain(name);
        if ("domain" in canonical) byName.set(canonical.domain, summary);
      }
    }
    return byName;
  }
}

function sameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** An outcome that nobody knows: the write left, and its answer did not come or is no refusal. */
export function isUnknown(error: unknown): boolean {
  return error instanceof LegacyDnsError && error.outcome === "unknown";
}
