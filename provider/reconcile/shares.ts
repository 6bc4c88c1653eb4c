/**
 * Shares: one Domainshare.Modify per change, in the combination of parameters that api.md's table of use cases has for
 * it. A share cannot be read; only that a domain is shared out at all is known, from Domain.List.
 */
import { LegacyDnsError, listDomains, ServiceError, type Client, type DomainSummary } from "../api";
import { canonicalDomain } from "../dns";

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

  constructor(private readonly client: Client) {}

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

/** An outcome that nobody knows: the write left, and its answer did not come. */
export function isUnknown(error: unknown): boolean {
  return error instanceof LegacyDnsError && error.outcome === "unknown";
}
