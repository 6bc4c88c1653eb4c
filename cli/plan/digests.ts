/** What hosts tell of records by digest: of secret ones the engine hides the data. Pure. */
import { digest } from "../../provider/dns";
import type { Outlook, OutlookSecret } from "../../provider/lifecycle/outlook";

export class Digests {
  /** Places of the secret records that are declared. */
  private readonly secrets: ReadonlyMap<string, string>;
  private readonly givenUp = new Set<string>();
  private readonly removed = new Set<string>();
  /** What is live nowhere: what is secret by digest, else by resource and text. */
  private readonly absent = new Set<string>();
  private declared: ReadonlySet<string> | undefined;

  /** @param keys of what is declared, digested only where something goes */
  constructor(
    secrets: readonly OutlookSecret[],
    private readonly keys: () => Iterable<string>,
  ) {
    this.secrets = new Map(secrets.map((each) => [each.digest, each.place]));
  }

  /** Notes what a host told of a resource. @param declares whether the resource declares a record of a domain, by its text */
  note(
    urn: string,
    { entries, given = [] }: Outlook,
    declares: (domain: string, text: string) => boolean,
  ): void {
    this.giveUp(given);
    for (const { outcome, domain, text, digest: own } of entries) {
      if (outcome === "add") this.absent.add(own ?? `${urn} ${domain} ${text}`);
      // Of a record that is live more than once, one stays.
      if (outcome === "remove" && own !== undefined && !declares(domain, text)) this.removed.add(own);
    }
  }

  /** Notes what resources give up. */
  giveUp(digests: Iterable<string>): void {
    for (const each of digests) this.givenUp.add(each);
  }

  isGivenUp(own: string | undefined): boolean {
    return own !== undefined && this.givenUp.has(own);
  }

  /** Whether a resource removes it that does not declare it. */
  isRemoved(own: string | undefined): boolean {
    return own !== undefined && this.removed.has(own);
  }

  /** Whether the host of the resource that declares it found a record live nowhere. */
  isAbsent(urn: string, domain: string, text: string): boolean {
    return this.absent.has(`${urn} ${domain} ${text}`);
  }

  isDeclared(own: string): boolean {
    this.declared ??= new Set([...[...this.keys()].map((key) => digest(key)), ...this.secrets.keys()]);
    return this.declared.has(own);
  }

  /** Whether a secret record is declared, and no host found it live nowhere. */
  isKept(own: string): boolean {
    return this.isDeclared(own) && !this.absent.has(own);
  }

  /** Whether a record is declared as a secret one. */
  isSecret(key: string): boolean {
    return this.secrets.size > 0 && this.secrets.has(digest(key));
  }

  /** The place of a secret record that is declared. */
  placeOf(own: string): string | undefined {
    return this.secrets.get(own);
  }
}
