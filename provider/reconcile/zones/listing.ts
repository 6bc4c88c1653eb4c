import {
  listDomains,
  listRecords,
  ServiceError,
  type Client,
  type ServiceErrorDetails,
  type ZoneListing,
} from "../../api";
import { nearest } from "../../dns";

/** @throws LegacyDnsError; it suggests a similar domain if the account does not have this one */
export async function listZone(client: Client, domain: string): Promise<ZoneListing> {
  try {
    return await listRecords(client, { name: domain });
  } catch (error) {
    throw await withSimilarDomain(client, domain, error);
  }
}

/** Never throws. */
async function withSimilarDomain(client: Client, domain: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || !error.noSuch("domain")) return error;
  const above = await withParentDomain(
    client,
    domain,
    error,
    (parent, name) =>
      `: declare the domain "${parent}", and "${name}" as the name of the record ("www.${name}" for "www")`,
  );
  if (above !== error) return above;
  const names = await listDomains(client).then(
    ({ domains }) => domains.map((each) => each.punycode ?? each.name),
    () => undefined,
  );
  if (names === undefined || names.includes(domain)) return error;
  // The labels after the first are often the same, so that any two domains seem similar.
  const near = names.filter((name) => nearest(firstLabel(domain), [firstLabel(name)]) !== undefined);
  const guess = nearest(domain, near);
  const hint = guess === undefined ? error.hint : `This account holds no ${domain}; did you mean ${guess}?`;
  return new DomainNotInAccount({ ...error.details, hint }, domain);
}

/**
 * Adds a hint at a parent domain of the account. Never throws.
 * @param advice the end of the hint, for the parent and the name in it
 */
export async function withParentDomain(
  client: Client,
  domain: string,
  error: unknown,
  advice: (parent: string, name: string) => string,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !error.noSuch("domain")) return error;
  for (let dot = domain.indexOf("."); domain.includes(".", dot + 1); dot = domain.indexOf(".", dot + 1)) {
    const parent = domain.slice(dot + 1);
    const isInAccount = await client.call("Domain.Info", { domain: parent }).then(
      () => true,
      () => false,
    );
    if (isInAccount) return new ParentInAccount(error, domain, parent, advice(parent, domain.slice(0, dot)));
  }
  return error;
}

function firstLabel(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}

/** The service refuses the domain, and the account's list lacks it. */
export class DomainNotInAccount extends ServiceError {
  constructor(
    details: ServiceErrorDetails,
    readonly domain: string,
  ) {
    super(details);
  }
}

/** The account has a parent of the domain. */
export class ParentInAccount extends DomainNotInAccount {
  constructor(
    error: ServiceError,
    domain: string,
    readonly parent: string,
    advice: string,
  ) {
    super({ ...error.details, hint: `This account holds ${parent}${advice}.` }, domain);
  }
}
