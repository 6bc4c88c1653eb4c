/**
 * Shares: one Domainshare.Modify per change, as api.md's use cases have it. Without the undocumented operations only
 * Domain.List tells that a domain is shared at all.
 */
import {
  LegacyDnsError,
  listDomains,
  ServiceError,
  untold,
  type Client,
  type DomainShareEntry,
  type DomainSummary,
} from "./api";
import { canonicalDomain } from "./dns";
import { withDomainAbove } from "./listing";
import { reason } from "./problems";
import { Refusal } from "./problems/refusal";
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

/** A share that is looked for, with the mode that it should have where one is known. */
type Sought = Omit<Share, "mode"> & { readonly mode?: Share["mode"] };

type FoundShare = DomainShareEntry & Pick<Share, "mode">;

/** How the processes of one run tell each other what their resources have taken. */
interface Takeovers {
  take(taken: readonly { readonly domain: string; readonly id: string }[]): void;
  /** Whether another process has. */
  takenBeside(): (given: { readonly domain: string; readonly id: string }) => boolean;
}

/** A person's shares of a domain. */
interface Listed {
  readonly own: readonly DomainShareEntry[];
  /** The listing tells labels: what has none is the whole domain's. Else it may be any label's. */
  readonly labelled: boolean;
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

/** `the share of dev.example.com with agency@example.org`. */
export function shareText({ domain, email, scope }: Share): string {
  return `the share of ${scopeText(domain, scope)} with ${email}`;
}

/** As a line of a plan: `share with agency@example.org`, and in the place of a TTL `rw on dev`. */
export function shareLine({
  email,
  mode,
  scope,
}: {
  readonly email: string;
  readonly mode: string;
  readonly scope: Scope;
}): { text: string; ttl: string } {
  // The service does not tell capitals in an e-mail apart.
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
  private sharedOut: Promise<ReadonlyMap<string, DomainSummary>> | undefined;

  private readonly lists = new Map<string, Promise<readonly DomainShareEntry[]>>();

  /** What the program declares, by share and by person: by which resource. */
  private readonly declaredBy = new Map<string, string>();

  constructor(
    private readonly client: Client,
    private readonly settings: Pick<Settings, "indexDelay" | "explicit" | "undocumentedOperations">,
    private readonly takeovers?: Takeovers,
  ) {}

  /** Notes that a resource declares a share. @param by the resource, where its name is known */
  declare(share: Share, by = anotherResource): void {
    const keys = [shareKey(share), personKey(share)];
    for (const key of keys) this.declaredBy.set(key, by);
    this.takeovers?.take(keys.map((id) => ({ domain: share.domain, id })));
  }

  /** Who declares the share that another resource gives up; undefined where nobody does. */
  async takerOf(share: Share): Promise<string | undefined> {
    // The files of other processes are read once.
    let isTaken: ReturnType<Takeovers["takenBeside"]> | undefined;
    const declarerOf = (id: string): string | undefined => {
      const own = this.declaredBy.get(id);
      if (own !== undefined || this.takeovers === undefined) return own;
      return (isTaken ??= this.takeovers.takenBeside())({ domain: share.domain, id })
        ? anotherResource
        : undefined;
    };
    const taker = declarerOf(personKey(share));
    if (
      taker === undefined ||
      !this.settings.undocumentedOperations ||
      declarerOf(shareKey(share)) !== undefined
    )
      return taker;
    // The service ends all shares of a person at once: another one that is declared keeps this one, unless both are listed.
    this.lists.delete(share.domain);
    const { own } = await this.listed(share);
    return own.length > 1 && own.some(({ subDomain }) => subDomain === share.scope) ? undefined : taker;
  }

  /** The domain's shares, listed once until one changes. */
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

  /** @throws the refusal; where the account holds a domain above, with that */
  private async domainAbove(
    { domain, scope }: Pick<Share, "domain" | "scope">,
    error: unknown,
  ): Promise<never> {
    throw await withDomainAbove(this.client, domain, error, (parent, name) => {
      if (scope === undefined && !name.includes("."))
        return `: declare the domain "${parent}", and subDomain: "${name}"`;
      return `; a share covers the whole of it or one label of it, and so never ${scope === undefined ? domain : `${scope}.${domain}`} alone`;
    });
  }

  private async listed({ domain, email, scope }: Sought): Promise<Listed> {
    const all = await this.shares({ domain, scope });
    return {
      own: all.filter((entry) => sameEmail(entry.email, email)),
      labelled: all.some(({ subDomain }) => subDomain !== undefined),
    };
  }

  /** The share of this e-mail and scope. @throws LegacyDnsError where the listing does not tell its mode */
  async find(share: Sought): Promise<FoundShare | undefined> {
    const found = await this.entry(share);
    return found && { ...found, mode: modeOf(found, share) };
  }

  /** The same as it is listed. A listing without labels does not tell this share from the person's others. */
  async entry(share: Sought): Promise<DomainShareEntry | undefined> {
    return entryIn(await this.listed(share), share);
  }

  /**
   * The scopes where the share may be, the likeliest first; and its mode, unless another share may be meant. @param from where it
   * has been @param isSure it has surely been there
   */
  async whereIs(
    share: Share,
    from: readonly Scope[],
    isSure: boolean,
  ): Promise<{ readonly mode?: Share["mode"]; readonly at: readonly Scope[] }> {
    const { own, labelled } = await this.listed(share);
    const at = [...new Set([...(labelled ? [share.scope] : []), ...from, share.scope])];
    if (labelled) {
      const found = at.flatMap((scope) => own.filter(({ subDomain }) => subDomain === scope)).at(0);
      return found === undefined ? { at: [] } : { mode: modeOf(found, share), at: [found.subDomain] };
    }
    const [only, ...others] = own;
    if (only === undefined) return { at: [] };
    return others.length === 0 && isSure ? { mode: modeOf(only, share), at } : { at };
  }

  /** Makes the share, or changes the one that is there. @returns whether none was there */
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
        { domain, email, mode, ...(scope === undefined ? {} : { subDomain: scope }) },
        { target: shareText(share) },
      );
    } catch (error) {
      if (
        !isUnknown(error) ||
        !(await this.isListed(domain, async () => isDone(share, at, before, await this.listed(share), makes)))
      )
        throw error;
    }
    return makes;
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

  /** Ends the share, as it is listed by now. @throws Refusal when the service would end other shares of the person too */
  async end(share: Share): Promise<void> {
    const { domain, email } = share;
    this.lists.delete(domain);
    // Another share's end makes the next reading another one.
    const listed = await this.listed(share);
    const there = entryIn(listed, share);
    if (there === undefined) return;
    const others = listed.own.filter((entry) => entry !== there);
    if (others.length > 0) {
      const what = others.map((entry) => scopeText(domain, entry.subDomain)).join(", ");
      throw new Refusal([
        reason("share.with-others", {
          share: shareText(share),
          others: what,
          explicit: this.settings.explicit,
        }),
      ]);
    }
    this.lists.delete(domain);
    try {
      await this.client.call("Domainshare.Remove", { domain, email }, { target: shareText(share) });
    } catch (error) {
      const isSettled = !isUnknown(error) && !(error instanceof ServiceError && error.noSuch("share"));
      if (
        isSettled ||
        !(await this.isListed(domain, async () => (await this.listed(share)).own.length === 0))
      )
        throw error;
    }
  }

  /** @throws the service's refusal of a domain that the account may not share */
  async requireDomain(share: Pick<Share, "domain" | "scope">): Promise<void> {
    const { domain } = share;
    await this.client
      .call("Domain.Info", { domain }, { target: domain })
      .catch((error: unknown) => this.domainAbove(share, error));
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
          { target: shareText(share) },
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

function entryIn({ own, labelled }: Listed, share: Sought): DomainShareEntry | undefined {
  if (labelled) return own.find(({ subDomain }) => subDomain === share.scope);
  return own.find(({ mode }) => mode === share.mode) ?? own[0];
}

function modeOf({ mode }: DomainShareEntry, { domain, email }: Sought): Share["mode"] {
  return mode ?? untold("Domainshare.List", domain, `the mode of the share with ${email} (share.mode)`);
}

/** Whether the listing proves that a change was carried out whose answer is not known. @param makes it was to make the share */
function isDone(
  { mode, scope }: Share,
  at: readonly Scope[],
  before: Listed,
  after: Listed,
  makes: boolean,
): boolean {
  const isThere = after.own.some((entry) => entry.mode === mode && entry.subDomain === scope);
  if (makes && after.own.length <= before.own.length) return false;
  if (before.labelled || after.labelled) return isThere;
  if (makes) return after.own.some((entry) => entry.mode === mode);
  // Without labels a change of the mode alone can be seen, where the person has one share.
  const [was, ...others] = before.own;
  return (
    others.length === 0 &&
    was?.mode !== mode &&
    after.own[0]?.mode === mode &&
    at.every((each) => each === scope)
  );
}

function sameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** An outcome that nobody knows: the write left, and its answer did not come or is no refusal. */
export function isUnknown(error: unknown): boolean {
  return error instanceof LegacyDnsError && error.outcome === "uncertain";
}
