/**
 * Shares of domains. Each change is one Domainshare.Modify (api.md, use cases). In documented mode, only
 * Domain.List shows whether a domain is shared. A listing may lack the labels of shares.
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
import { withParentDomain } from "./zones/listing";
import { commandsOf, reason } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Settings } from "../settings";
import type { Claims } from "./memory/claims";

/** Undefined for the whole domain, or one host label. */
export type Scope = string | undefined;

export interface Share {
  readonly domain: string;
  /** The live share's e-mail. It cannot be changed (api.md, Domainshare.Modify). */
  readonly email: string;
  readonly mode: "r" | "rw";
  readonly scope: Scope;
}

type ShareQuery = Omit<Share, "mode"> & { readonly mode?: Share["mode"] };

interface PersonShares {
  readonly own: readonly DomainShareEntry[];
  /** Whether the listing has labels. If not, a share without a label may be any label's. */
  readonly labelled: boolean;
}

/** `the share of dev.example.com with agency@example.org`. */
export function shareText({ domain, email, scope }: Omit<Share, "mode">): string {
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

/** `the whole of example.com`, `dev.example.com`. */
export function scopeText(domain: string, scope: Scope): string {
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
    private readonly claims?: Pick<Claims, "takeOver" | "takenOver">,
  ) {}

  declare(share: Share, by = anotherResource): void {
    const keys = [shareKey(share), personKey(share)];
    for (const key of keys) this.declaredBy.set(key, by);
    this.claims?.takeOver(keys.map((id) => ({ domain: share.domain, id })));
  }

  /** The resource that declares a released share. */
  async newOwnerOf(share: Share): Promise<string | undefined> {
    const isTakenOver = this.claims?.takenOver();
    const declarerOf = (id: string): string | undefined =>
      this.declaredBy.get(id) ?? (isTakenOver?.({ domain: share.domain, id }) ? anotherResource : undefined);
    const owner = declarerOf(personKey(share));
    if (
      owner === undefined ||
      !this.settings.undocumentedOperations ||
      declarerOf(shareKey(share)) !== undefined
    )
      return owner;
    // Domainshare.Remove ends all shares of a person. So a declared one protects the others, unless both are
    // listed.
    this.lists.delete(share.domain);
    const { own } = await this.listed(share);
    return own.length > 1 && own.some(({ subDomain }) => subDomain === share.scope) ? undefined : owner;
  }

  /** @throws LegacyDnsError if the listing has no mode */
  async find(share: ShareQuery): Promise<(DomainShareEntry & Pick<Share, "mode">) | undefined> {
    const found = await this.entry(share);
    return found && { ...found, mode: modeOf(found, share) };
  }

  /** A listing without labels cannot distinguish the person's shares. */
  async entry(share: ShareQuery): Promise<DomainShareEntry | undefined> {
    return entryIn(await this.listed(share), share);
  }

  /**
   * The possible scopes of the share, the likeliest first. The mode is missing if it may be that of another
   * share.
   * @param isSure whether it certainly had the scopes `from`
   */
  async whereIs(
    share: Share,
    from: readonly Scope[],
    isSure: boolean,
  ): Promise<{ readonly mode?: Share["mode"]; readonly at: readonly Scope[] }> {
    const { own, labelled } = await this.listed(share);
    if (labelled) {
      const [found] = [share.scope, ...from].flatMap((scope) =>
        own.filter(({ subDomain }) => subDomain === scope),
      );
      return found === undefined ? { at: [] } : { mode: modeOf(found, share), at: [found.subDomain] };
    }
    const [only, ...others] = own;
    if (only === undefined) return { at: [] };
    const at = [...new Set([...from, share.scope])];
    return others.length === 0 && isSure ? { mode: modeOf(only, share), at } : { at };
  }

  /** @returns whether it created the share */
  async create(share: Share, from: readonly Scope[], isSure: boolean): Promise<boolean> {
    const before = await this.listed(share);
    const { mode: is, at } = await this.whereIs(share, from, isSure);
    const { domain, email, mode, scope } = share;
    if (is === mode && at[0] === scope) return false;
    this.lists.delete(domain);
    let makes = false;
    try {
      if (await this.isModified(share, at)) return false;
      makes = true;
      await this.client.call(
        "Domainshare.Create",
        { domain, email, mode, subDomain: scope },
        { target: shareText(share) },
      );
    } catch (error) {
      const least = before.own.length + (makes ? 1 : 0);
      const isDone = ({ own }: PersonShares): boolean =>
        own.length >= least && own.some((entry) => entry.mode === mode && entry.subDomain === scope);
      if (!isUnknown(error) || !(await this.isListed(share, isDone))) throw error;
    }
    return makes;
  }

  /** @throws Refusal if the service would also end other shares of the person */
  async end(share: Share): Promise<void> {
    const { domain, email } = share;
    this.lists.delete(domain);
    const listed = await this.listed(share);
    const there = entryIn(listed, share);
    if (there === undefined) return;
    const others = listed.own.filter((entry) => entry !== there);
    if (others.length > 0) {
      const removalSetBy = this.settings.explicit ? "provider" : "stack";
      throw new Refusal([
        reason("share.with-others", {
          share: shareText(share),
          others: others.map((entry) => scopeText(domain, entry.subDomain)).join(", "),
          ...commandsOf({ removalSetBy, change: true, full: true }, "up"),
        }),
      ]);
    }
    this.lists.delete(domain);
    try {
      await this.client.call("Domainshare.Remove", { domain, email }, { target: shareText(share) });
    } catch (error) {
      const isSettled = !isUnknown(error) && !(error instanceof ServiceError && error.noSuch("share"));
      if (isSettled || !(await this.isListed(share, ({ own }) => own.length === 0))) throw error;
    }
  }

  /** @throws ServiceError if the account cannot share the domain */
  async requireDomain(share: Pick<Share, "domain" | "scope">): Promise<void> {
    const { domain } = share;
    await this.client
      .call("Domain.Info", { domain }, { target: domain })
      .catch((error: unknown) => this.domainAbove(share, error));
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
   * The call always has the mode, because the service then refuses an unknown e-mail.
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

  /** @returns whether the share exists */
  private async isModified(share: Share, at: readonly Scope[]): Promise<boolean> {
    try {
      await this.modify(share, at);
      return at.length > 0;
    } catch (error) {
      if (error instanceof ServiceError && error.noSuch("share")) return false;
      throw error;
    }
  }

  /** Reads the listing after the index delay. */
  private async isListed(share: Share, test: (listed: PersonShares) => boolean): Promise<boolean> {
    await this.client.clock.sleep(this.settings.indexDelay * 1000);
    this.lists.delete(share.domain);
    try {
      return test(await this.listed(share));
    } catch {
      return false;
    }
  }

  private async listed({ domain, email, scope }: ShareQuery): Promise<PersonShares> {
    const all = await this.shares({ domain, scope });
    return {
      own: all.filter((entry) => entry.email.toLowerCase() === email.toLowerCase()),
      labelled: all.some(({ subDomain }) => subDomain !== undefined),
    };
  }

  /** Listed once, and again after a change. */
  private shares(share: Pick<Share, "domain" | "scope">): Promise<readonly DomainShareEntry[]> {
    const { domain } = share;
    const kept = this.lists.get(domain);
    if (kept) return kept;
    const listing = this.client.call("Domainshare.List", { domain }).then(
      ({ shares }) => shares,
      (error: unknown) => {
        if (error instanceof ServiceError && error.noSuch("share")) return [];
        this.lists.delete(domain);
        return this.domainAbove(share, error);
      },
    );
    this.lists.set(domain, listing);
    return listing;
  }

  private async domainAbove(
    { domain, scope }: Pick<Share, "domain" | "scope">,
    error: unknown,
  ): Promise<never> {
    throw await withParentDomain(this.client, domain, error, (parent, name) => {
      if (scope === undefined && !name.includes("."))
        return `: declare the domain "${parent}", and subDomain: "${name}"`;
      return `; a share covers the whole of it or one label of it, and so never ${scope === undefined ? domain : `${scope}.${domain}`} alone`;
    });
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

function entryIn({ own, labelled }: PersonShares, share: ShareQuery): DomainShareEntry | undefined {
  if (labelled) return own.find(({ subDomain }) => subDomain === share.scope);
  return own.find(({ mode }) => mode === share.mode) ?? own[0];
}

function modeOf({ mode }: DomainShareEntry, { domain, email }: ShareQuery): Share["mode"] {
  return mode ?? missingField("Domainshare.List", domain, `the mode of the share with ${email} (share.mode)`);
}

/** Sent, and the answer was lost or is no refusal. */
export function isUnknown(error: unknown): error is LegacyDnsError {
  return error instanceof LegacyDnsError && error.outcome === "uncertain";
}
