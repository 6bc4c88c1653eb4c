import { listDomains, listRecords, ServiceError, type Client, type ZoneListing } from "../../api";
import { nearest } from "../../dns";

/** @throws LegacyDnsError; `DomainNotInAccount` if the account does not have the domain */
export function listZone(client: Client, domain: string): Promise<ZoneListing> {
  return listRecords(client, { name: domain }).catch((error: unknown) => notInAccount(client, domain, error));
}

/**
 * @throws DomainNotInAccount with the parent or a similar domain, if the account's list lacks the domain; else
 * the error
 */
export async function notInAccount(client: Client, domain: string, error: unknown): Promise<never> {
  if (!(error instanceof ServiceError) || !error.noSuch("domain")) throw error;
  const names = await listDomains(client).then(
    ({ domains }) => domains.map((each) => each.punycode ?? each.name),
    () => [domain],
  );
  throw names.includes(domain) ? error : new DomainNotInAccount(error, domain, names);
}

/** The service refuses the domain, and the account's list lacks it. */
export class DomainNotInAccount extends ServiceError {
  readonly parent: string | undefined;

  constructor(
    { details }: ServiceError,
    readonly domain: string,
    names: readonly string[],
  ) {
    const parents = names.filter((name) => domain.endsWith(`.${name}`));
    const [parent] = parents.sort((a, b) => b.length - a.length);
    // The labels after the first are often the same, so that any two domains seem similar.
    const near = names.filter((name) => nearest(firstLabel(domain), [firstLabel(name)]) !== undefined);
    const guess = nearest(domain, near);
    const help =
      parent !== undefined
        ? [`this account holds ${parent}: declare that domain, and ${domain} as a name in it`]
        : guess !== undefined
          ? [`this account holds no ${domain}; did you mean ${guess}?`]
          : details.help;
    super({ ...details, help });
    this.parent = parent;
  }
}

function firstLabel(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}
