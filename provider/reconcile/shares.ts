/**
 * Shares of domains. In documented mode, only Domain.List shows whether a domain is shared. In full mode,
 * Domainshare.List has the scope of each share.
 */
import {
  LegacyDnsError,
  listDomains,
  ServiceError,
  missingField,
  type Client,
  type DomainShareEntry,
} from "../api";
import { canonicalDomain } from "../dns";
import { commandsOf, reason, removalSetBy } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Settings } from "../settings";
import type { Handover } from "./memory/handover";
import { notInAccount } from "./zones/listing";

/** Undefined for the whole domain, or one host label. */
export type Scope = string | undefined;

export interface Share {
  readonly domain: string;
  /** It cannot be changed (api.md, Domainshare.Modify). */
  readonly email: string;
  readonly mode: "r" | "rw";
  readonly scope: Scope;
}

type ShareQuery = Omit<Share, "mode">;

/** `the share of dev.example.com with agency@example.org`. */
export function shareText({ domain, email, scope }: ShareQuery): string {
  return `the share of ${scopeText(domain, scope)} with ${email}`;
}

/** A line of a plan: `share with agency@example.org`, with `rw on dev` in place of the TTL. */
export function shareLine({
  email,
  mode,
  scope,
}: Pick<Share, "email" | "scope"> & { readonly mode: string }): { text: string; ttl: string } {
  // The service ignores upper and lower case in an e-mail.
  return {
    text: `share with ${email.toLowerCase()}`,
    ttl: `${mode}${scope === undefined ? "" : ` on ${scope}`}`,
  };
}

function scopeText(domain: string, scope: Scope): string {
  return scope === undefined ? `the whole of ${domain}` : `${scope}.${domain}`;
}

export class Shares {
  private sharedOut: Promise<ReadonlySet<string>> | undefined;
  private readonly lists = new Map<string, Promise<readonly DomainShareEntry[]>>();
  /** Key of a share or of a person → the resource. */
  private readonly declaredBy = new Map<string, string>();

  constructor(
    private readonly client: Client,
    private readonly settings: Pick<Settings, "indexDelay" | "explicit" | "undocumentedOperations">,
    /** Shares that other processes of the run take over. */
    private readonly handover?: Handover,
  ) {}

  declare(share: Share, by = anotherResource): void {
    const keys = [shareKey(share), personKey(share)];
    for (const key of keys) this.declaredBy.set(key, by);
    this.handover?.takeOver(keys.map((id) => ({ domain: share.domain, id })));
  }

  /** In documented mode, which lists no scopes, any share of the person counts. */
  declarerOf(share: Share): string | undefined {
    return this.declarer(share, this.settings.undocumentedOperations ? shareKey(share) : personKey(share));
  }

  private declarer({ domain }: Share, id: string): string | undefined {
    const isTakenOver = this.handover?.takenOver()({ domain, id }) ?? false;
    return this.declaredBy.get(id) ?? (isTakenOver ? anotherResource : undefined);
  }

  async find(share: ShareQuery): Promise<(DomainShareEntry & Pick<Share, "mode">) | undefined> {
    const found = await this.entry(share);
    return found && { ...found, mode: found.mode ?? withoutMode(share) };
  }

  async entry(share: ShareQuery): Promise<DomainShareEntry | undefined> {
    return (await this.listed(share)).find(({ subDomain }) => subDomain === share.scope);
  }

  /**
   * Creates the share, or changes that of another scope or mode.
   * @returns whether it created the share
   */
  async create(share: Share, from: readonly Scope[]): Promise<boolean> {
    const { domain, email, mode, scope } = share;
    const isAsDeclared = (own: readonly DomainShareEntry[]): boolean =>
      own.some((entry) => entry.mode === mode && entry.subDomain === scope);
    const before = await this.listed(share);
    const there = [...from, scope].filter((each) => before.some(({ subDomain }) => subDomain === each));
    if (isAsDeclared(before) && there.every((each) => each === scope)) return false;
    this.lists.delete(domain);
    const [former] = there;
    const makes = there.length === 0;
    try {
      if (!makes) await this.modify(share, [former]);
      else {
        const request = { domain, email, mode, subDomain: scope };
        await this.client.call("Domainshare.Create", request, { target: shareText(share) });
      }
    } catch (error) {
      if (!isUnknown(error) || !(await this.isListed(share, isAsDeclared))) throw error;
    }
    return makes;
  }

  /** @throws Refusal if the service would also end other shares of the person */
  async end(share: Share): Promise<void> {
    const { domain, email } = share;
    this.lists.delete(domain);
    const own = await this.listed(share);
    const there = own.find(({ subDomain }) => subDomain === share.scope);
    if (there === undefined) return;
    const others = own.filter((entry) => entry !== there);
    // Domainshare.Remove ends all shares of a person. A listing may not yet show that another resource has moved this one.
    if (others.length === 0 && this.declarer(share, personKey(share)) !== undefined) return;
    if (others.length > 0) {
      const setBy = removalSetBy(undefined, this.settings.explicit);
      const commands = commandsOf({ removalSetBy: setBy, change: true, full: true }, "up");
      const lines = others.map((entry) => ({ text: scopeText(domain, entry.subDomain) }));
      throw new Refusal([reason("share.with-others", { share: shareText(share), ...commands }, lines)]);
    }
    this.lists.delete(domain);
    try {
      await this.client.call("Domainshare.Remove", { domain, email }, { target: shareText(share) });
    } catch (error) {
      const isSettled = !isUnknown(error) && !isNoShare(error);
      if (isSettled || !(await this.isListed(share, ({ length }) => length === 0))) throw error;
    }
  }

  async requireDomain(domain: string): Promise<void> {
    await this.client
      .call("Domain.Info", { domain }, { target: domain })
      .catch((error: unknown) => notInAccount(this.client, domain, error));
  }

  /** One Domain.List answers for all domains. */
  async isSharedOut(domain: string): Promise<boolean> {
    this.sharedOut ??= this.listSharedOut();
    try {
      return (await this.sharedOut).has(domain);
    } catch (error) {
      this.sharedOut = undefined;
      throw error;
    }
  }

  /**
   * One call (api.md, use cases). It always has the mode, because the service then refuses an unknown e-mail.
   * @param from its possible scopes, the likeliest first. After a refusal, the next one is tried
   */
  async modify(share: Share, from: readonly Scope[]): Promise<void> {
    const { domain, email, mode, scope: to } = share;
    let refused: ServiceError | undefined;
    for (const scope of from) {
      try {
        const request = { domain, email, mode, oldSubDomain: scope, newSubDomain: to };
        await this.client.call("Domainshare.Modify", request, { target: shareText(share) });
        return;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.outcome !== "refused") throw error;
        refused ??= error;
      }
    }
    if (refused) throw refused;
  }

  private async isListed(
    share: Share,
    test: (own: readonly DomainShareEntry[]) => boolean,
  ): Promise<boolean> {
    await this.client.clock.sleep(this.settings.indexDelay * 1000);
    this.lists.delete(share.domain);
    return this.listed(share).then(test, () => false);
  }

  /** The person's shares. Listed once, and again after a change. */
  private async listed({ domain, email }: ShareQuery): Promise<readonly DomainShareEntry[]> {
    let listing = this.lists.get(domain);
    if (listing === undefined) {
      listing = this.client.call("Domainshare.List", { domain }).then(
        ({ shares }) => shares,
        (error: unknown) => {
          if (isNoShare(error)) return [];
          this.lists.delete(domain);
          return notInAccount(this.client, domain, error);
        },
      );
      this.lists.set(domain, listing);
    }
    return (await listing).filter((entry) => entry.email.toLowerCase() === email.toLowerCase());
  }

  private async listSharedOut(): Promise<ReadonlySet<string>> {
    const { domains } = await listDomains(this.client, { type: "share_out" });
    const names = domains
      .flatMap(({ name, punycode }) => [name, punycode])
      .filter((name) => name !== undefined);
    return new Set(names.map(canonicalDomain).flatMap((read) => ("domain" in read ? [read.domain] : [])));
  }
}

const anotherResource = "another resource of this program";

function shareKey(share: Share): string {
  return `${personKey(share)} ${scopeText(share.domain, share.scope)}`;
}

function personKey({ domain, email }: Share): string {
  return `share ${domain} ${email.toLowerCase()}`;
}

function withoutMode({ domain, email }: ShareQuery): never {
  return missingField("Domainshare.List", domain, `the mode of the share with ${email} (share.mode)`);
}

function isNoShare(error: unknown): boolean {
  return error instanceof ServiceError && error.noSuch("share");
}

/** Sent, and the answer was lost or is no refusal. */
export function isUnknown(error: unknown): error is LegacyDnsError {
  return error instanceof LegacyDnsError && error.outcome === "uncertain";
}
