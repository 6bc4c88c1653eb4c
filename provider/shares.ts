/**
 * Shares: one Domainshare.Modify per change, as api.md's use cases have it. Without the undocumented operations only
 * Domain.List tells that a domain is shared at all.
 */
import { LegacyDnsError, listDomains, ServiceError, untold, type Client, type DomainShareEntry, type DomainSummary } from "./api";
import { canonicalDomain } from "./dns";
import { reason } from "./problems";
import { Refusal } from "./problems/refusal";
import type { RunMemory } from "./run-memory";
import type { Settings } from "./settings";

/** What a share covers: the whole domain, or one host label of it. */
export type Scope = string | undefined;

export interface Share {
  readonly domain: string;
  /** As it already is on the service; it cannot be changed (api.md, Domainshare.Modify). */
  readonly email: string;
  readonly mode: "r" | "rw";
  readonly scope: Scope;
}

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

  /** What the program declares, by share and by person: by which resource. */
  private readonly declaredBy = new Map<string, string>();

  /** @param memory tells what the run's other providers declare */
  constructor(
    private readonly client: Client,
    private readonly settings: Pick<Settings, "indexDelay" | "explicit" | "undocumentedOperations">,
    private readonly memory?: Pick<RunMemory, "isNew" | "has">,
  ) {}

  /** Notes that a resource declares a share. @param by the resource, where its name is known */
  declare(share: Share, by = anotherResource): void {
    for (const key of [shareKey(share), personKey(share)]) {
      this.declaredBy.set(key, by);
      this.memory?.isNew(key);
    }
  }

  /** Who declares the share that another resource gives up; undefined where nobody does. */
  async takerOf(share: Share): Promise<string | undefined> {
    const ofPerson = this.declarerOf(personKey(share));
    if (ofPerson === undefined) return undefined;
    // Where no listing tells scopes, any share of the person may be what this one has become.
    const isTold = this.settings.undocumentedOperations && bareOf(await this.sharesWith(share)) === undefined;
    return this.declarerOf(shareKey(share)) ?? (isTold ? undefined : ofPerson);
  }

  private declarerOf(key: string): string | undefined {
    return this.declaredBy.get(key) ?? (this.memory?.has(key) === true ? anotherResource : undefined);
  }

  /** The domain's shares, listed once until one changes. */
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

  /** The share of this e-mail and scope. @throws LegacyDnsError where the listing does not tell its mode */
  async find(share: Pick<Share, "domain" | "email" | "scope">): Promise<FoundShare | undefined> {
    const found = await this.entry(share);
    if (found === undefined) return undefined;
    const { domain, email } = share;
    return { ...found, mode: found.mode ?? untold("Domainshare.List", domain, `the mode of the share with ${email} (share.mode)`) };
  }

  /** The same as it is listed. */
  async entry(share: Pick<Share, "domain" | "email" | "scope">): Promise<DomainShareEntry | undefined> {
    const own = await this.sharesWith(share);
    // A listing without labels does not tell this share's.
    return own.find((entry) => entry.subDomain === share.scope) ?? bareOf(own);
  }

  private async sharesWith({ domain, email }: Pick<Share, "domain" | "email">): Promise<DomainShareEntry[]> {
    return (await this.shares(domain)).filter((entry) => sameEmail(entry.email, email));
  }

  /**
   * The scopes where the share may be, the likeliest first, and its mode: undefined where the listing shows no such share, or
   * has no labels and may show another. @param from where it has been @param isNew in the program
   */
  async whereIs(share: Share, from: Scope, isNew: boolean): Promise<{ readonly mode?: Share["mode"]; readonly at: readonly Scope[] }> {
    const { domain, email, scope } = share;
    const own = await this.sharesWith(share);
    const bare = bareOf(own);
    const found = bare ?? own.find((entry) => entry.subDomain === scope) ?? own.find((entry) => entry.subDomain === from);
    if (found === undefined) return { at: [] };
    const at = bare === undefined ? [found.subDomain] : [...new Set([from, scope])];
    if (bare !== undefined && isNew && from === scope && scope !== undefined) return { at };
    return { mode: found.mode ?? untold("Domainshare.List", domain, `the mode of the share with ${email} (share.mode)`), at };
  }

  /** Makes the share, or changes the one that is there. @returns whether none was there */
  async create(share: Share, from: Scope, isNew: boolean): Promise<boolean> {
    const { mode: is, at } = await this.whereIs(share, from, isNew);
    const { domain, email, mode, scope } = share;
    if (is === mode && at[0] === scope) return false;
    const target = `the share of ${scopeText(domain, scope)} with ${email}`;
    this.lists.delete(domain);
    try {
      if (await this.isModified(share, at)) return false;
      await this.client.call("Domainshare.Create", { domain, email, mode, ...(scope === undefined ? {} : { subDomain: scope }) }, { target });
    } catch (error) {
      if (!isUnknown(error) || !(await this.isListed(domain, async () => (await this.find(share))?.mode === mode))) throw error;
      return at.length === 0;
    }
    return true;
  }

  /** Changes the share where it is at one of these scopes. @returns whether it is */
  private async isModified(share: Share, at: readonly Scope[]): Promise<boolean> {
    try {
      await this.modify(share, at);
      return at.length > 0;
    } catch (error) {
      if (error instanceof ServiceError && error.noSuch("share")) return false;
      throw error;
    }
  }

  /** Whether the listing shows, after the index delay, what was to be. False where it cannot be read. */
  private async isListed(domain: string, isThere: () => Promise<boolean>): Promise<boolean> {
    await this.client.clock.sleep(this.settings.indexDelay * 1000);
    this.lists.delete(domain);
    try {
      return await isThere();
    } catch {
      return false;
    }
  }

  /** Ends the share. @throws Refusal when the service would end other shares of the person too */
  async end(share: Share): Promise<void> {
    const { domain, email, scope } = share;
    const own = await this.sharesWith(share);
    const there = await this.entry(share);
    // A listing without labels may mean this share.
    if (there === undefined && !own.some((entry) => entry.subDomain === undefined)) return;
    const others = own.filter((entry) => entry !== there);
    if (others.length > 0) {
      const what = others.map((entry) => scopeText(domain, entry.subDomain)).join(", ");
      throw new Refusal([reason("share.with-others", { share: `the share of ${scopeText(domain, scope)} with ${email}`, others: what, explicit: this.settings.explicit })]);
    }
    this.lists.delete(domain);
    try {
      await this.client.call("Domainshare.Remove", { domain, email }, { target: `the share of ${scopeText(domain, scope)} with ${email}` });
    } catch (error) {
      const isSettled = !isUnknown(error) && !(error instanceof ServiceError && error.noSuch("share"));
      const isGone = async (): Promise<boolean> => (await this.sharesWith(share)).length === 0;
      if (isSettled || !(await this.isListed(domain, isGone))) throw error;
    }
  }

  /** Whether the domain is shared; one Domain.List tells for all. */
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
   * Brings a share from one scope to another, naming the mode, so that an unknown e-mail fails. @param from where it may be,
   * the likeliest first; the next is tried after a refusal
   */
  async modify(share: Share, from: readonly Scope[]): Promise<void> {
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

const anotherResource = "another resource of this program";

function shareKey(share: Share): string {
  return `${personKey(share)} ${scopeText(share.domain, share.scope)}`;
}

function personKey({ domain, email }: Share): string {
  return `share ${domain} ${email.toLowerCase()}`;
}

/** A person's only share where no label is told: the whole domain's, or any. */
function bareOf(own: readonly DomainShareEntry[]): DomainShareEntry | undefined {
  return own.length === 1 && own[0]?.subDomain === undefined ? own[0] : undefined;
}

function sameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** An outcome that nobody knows: the write left, and its answer did not come or is no refusal. */
export function isUnknown(error: unknown): boolean {
  return error instanceof LegacyDnsError && error.outcome === "unknown";
}
