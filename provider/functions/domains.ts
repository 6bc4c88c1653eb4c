/** `getDomain` and `getDomains`: what the account holds. */
import type * as pulumi from "../sdk";
import {
  oneDomain,
  manyDomains,
  type GetDomainArgs,
  type GetDomainResult,
  type GetDomainsArgs,
  type GetDomainsResult,
} from "../lookups/domains";
import { type LookupInputs, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export type { DomainArgs } from "../lookups/arguments";
export type {
  DomainResult,
  GetDomainArgs,
  GetDomainResult,
  GetDomainsArgs,
  DomainCountersResult,
  GetDomainsResult,
} from "../lookups/domains";
export type GetDomainOutputArgs = LookupInputs<GetDomainArgs>;
export type GetDomainsOutputArgs = LookupInputs<GetDomainsArgs>;

/**
 * One domain: its package, status, owner and name servers.
 * @throws LookupError (as a rejection)
 * @example const { status, statusMeaning } = await getDomain({ domain: "example.com" });
 */
export function getDomain(args: GetDomainArgs, options?: LookupOptions): Promise<GetDomainResult> {
  return lookUp(oneDomain, args, options);
}

/** `getDomain` with arguments that may be outputs. */
export function getDomainOutput(
  args: GetDomainOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetDomainResult> {
  return lookUpOutput(oneDomain, args, options);
}

/**
 * All domains of the account that match, beyond the 3,000 of one page, too, with the service's counters.
 * @throws LookupError (as a rejection)
 * @example const { domains, counters } = await getDomains({ type: "mine", keyword: "shop" });
 */
export function getDomains(args: GetDomainsArgs = {}, options?: LookupOptions): Promise<GetDomainsResult> {
  return lookUp(manyDomains, args, options);
}

/** `getDomains` with arguments that may be outputs. */
export function getDomainsOutput(
  args: GetDomainsOutputArgs = {},
  options?: LookupOptions,
): pulumi.Output<GetDomainsResult> {
  return lookUpOutput(manyDomains, args, options);
}
