import type { DomainDetail, DomainSummary } from "../api/entities";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import type { DomainArgs } from "./arguments";
import { domainLookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";
import { extStatusMeaning, gradeMeaning, statusMeaning } from "./words";

/** A domain of the account. A key is absent if the service does not return it. */
export interface DomainResult extends DomainSummary {
  /** The package in plain English. */
  readonly gradeMeaning?: string;
  /** The status in plain English. */
  readonly statusMeaning?: string;
  /** The extended status in plain English. */
  readonly extStatusMeaning?: string;
}

export type GetDomainArgs = DomainArgs;
export type GetDomainOutputArgs = LookupInputs<GetDomainArgs>;

export interface GetDomainResult extends DomainResult, Pick<DomainDetail, "userId" | "filed"> {}

/** @internal */
export const domain = domainLookup<GetDomainResult>("getDomain", async (keys, client) =>
  domainResult(await client.call("Domain.Info", keys)),
);

/** @internal */
export function domainResult<D extends DomainSummary>(detail: D): D & DomainResult {
  const { grade, status, extStatus } = detail;
  return {
    ...detail,
    ...defined({
      gradeMeaning: grade === undefined ? undefined : gradeMeaning(grade),
      statusMeaning: status === undefined ? undefined : statusMeaning(status),
      extStatusMeaning: extStatus === undefined ? undefined : extStatusMeaning(extStatus),
    }),
  };
}

/**
 * One domain: its package, status, owner and name servers.
 * @throws LookupError (as a rejection)
 */
export function getDomain(args: GetDomainArgs, options?: LookupOptions): Promise<GetDomainResult> {
  return lookUp(domain, args, options);
}

/** `getDomain` with arguments that may be outputs. */
export function getDomainOutput(
  args: GetDomainOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetDomainResult> {
  return lookUpOutput(domain, args, options);
}
