/** Lists a whole zone by the domain's name. */
import {
  listDomains,
  listRecords,
  ServiceError,
  type Client,
  type ServiceErrorDetails,
  type ZoneListing,
} from "../../api";
import { nearest } from "../../dns";

/**
 * All records of a domain.
 * @throws LegacyDnsError. If the account does not have the domain, the error suggests a similar one
 */
export async function listZone(client: Client, domain: string): Promise<ZoneListing> {
  try {
    return await listRecords(client, { name: domain });
  } catch (error) {
    throw await withDomainMeant(client, domain, error);
  }
}

/**
 * The error, with a hint at a parent domain or a similar domain of the account. It throws no error of its
 * own.
 */
async function withDomainMeant(client: Client, domain: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || !error.noSuch("domain")) return error;
  const above = await withDomainAbove(
    client,
    domain,
    error,
    (parent, name) =>
      `: declare the domain "${parent}", and "${name}" as the name of the record ("www.${name}" for "www")`,
  );
  if (above !== error) return above;
  // Undefined if the list cannot be read.
  const names = await listDomains(client).then(
    ({ domains }) => domains.map((each) => each.punycode ?? each.name),
    () => undefined,
  );
  if (names === undefined || names.includes(domain)) return error;
  // The labels after the first are often the same, so that any two domains seem similar.
  const near = names.filter((name) => nearest(firstLabel(domain), [firstLabel(name)]) !== undefined);
  const guess = nearest(domain, near);
  const hint = guess === undefined ? error.hint : `This account holds no ${domain}; did you mean ${guess}?`;
  return new NotHeld({ ...error.details, hint }, domain);
}

/**
 * The error, with a hint at a parent domain of the account. It throws no error of its own.
 * @param advice the end of the hint's sentence, for the parent domain and the name in it
 */
export async function withDomainAbove(
  client: Client,
  domain: string,
  error: unknown,
  advice: (parent: string, name: string) => string,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !error.noSuch("domain")) return error;
  for (let dot = domain.indexOf("."); domain.includes(".", dot + 1); dot = domain.indexOf(".", dot + 1)) {
    const parent = domain.slice(dot + 1);
    const held = await client.call("Domain.Info", { domain: parent }).then(
      () => true,
      () => false,
    );
    if (held) return new HeldAbove(error, domain, parent, advice(parent, domain.slice(0, dot)));
  }
  return error;
}

function firstLabel(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}

/**
 * The account does not have a domain: the service refuses it, and the list of domains does not contain it.
 */
export class NotHeld extends ServiceError {
  constructor(
    details: ServiceErrorDetails,
    readonly domain: string,
  ) {
    super(details);
  }
}

/** The account does not have a domain, but a parent of it. */
export class HeldAbove extends NotHeld {
  /** @param advice the end of the hint's sentence */
  constructor(
    error: ServiceError,
    domain: string,
    readonly parent: string,
    advice: string,
  ) {
    super({ ...error.details, hint: `This account holds ${parent}${advice}.` }, domain);
  }
}
