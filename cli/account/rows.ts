/** The account's domains, each with its findings. */
import type { DomainCounters, DomainSummary } from "../../provider/api";
import { packageName } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { count } from "../../provider/support/text";
import { listedName } from "../command";

export interface DomainRow {
  readonly domain: string;
  readonly findings: readonly string[];
  readonly records: number | null;
  readonly package: string;
  /** A day, `2026-12-24`. Null for a package without an end. */
  readonly packageEnds: string | null;
  readonly autoRenew: string | null;
  readonly owner: string | null;
  /** The owner, if it is another account. */
  readonly sharedBy: string | null;
  readonly nameServers: readonly string[];
  /** The stacks that declare records of the domain. Null outside of a project. */
  readonly stacks: readonly string[] | null;
}

const day = 86_400_000;
/** As the service's own counter of packages that end soon (api.md, `vip_expire`). */
const soon = 30 * day;

const states: Readonly<Record<string, string>> = {
  pause: "paused",
  lock: "locked",
  spam: "banned",
  notexist: "not registered",
  dnserror: "not delegated",
};

/** Domains with findings come first. */
export function domainRows(
  domains: readonly DomainSummary[],
  account: string | undefined,
  stacks: ReadonlyMap<string, readonly string[]> | undefined,
  now: number,
): DomainRow[] {
  return domains
    .map((each): DomainRow => {
      const domain = listedName(each);
      const { grade = "", owner = null } = each;
      return {
        domain,
        findings: findingsOf(each, now),
        records: each.recordCount ?? null,
        package: grade === "" ? "" : packageName(grade),
        packageEnds: each.vipEndAt?.slice(0, 10) ?? null,
        autoRenew: each.vipAutoRenew ?? null,
        owner,
        sharedBy: account === undefined || owner === account ? null : owner,
        nameServers: each.nameServers ?? [],
        stacks: stacks === undefined ? null : (stacks.get(domain) ?? []),
      };
    })
    .sort((a, b) => rank(a) - rank(b) || (a.domain < b.domain ? -1 : 1));
}

const rank = ({ findings }: DomainRow): number => (findings.length === 0 ? 1 : 0);

function findingsOf(
  { status = "", extStatus = "", vipEndAt, vipAutoRenew }: DomainSummary,
  now: number,
): string[] {
  const left = vipEndAt === undefined ? Infinity : Date.parse(vipEndAt) - now;
  const end = left <= 0 ? "package has ended" : `package ends in ${count(Math.ceil(left / day), "day")}`;
  return [
    ...[status, extStatus].flatMap((state) => states[state] ?? []),
    ...(left <= soon && vipAutoRenew !== "yes" ? [end] : []),
  ];
}

/** The owner of the domains that are not shared with the account. Undefined if two owners have as many. */
export function accountOf(
  domains: readonly DomainSummary[],
  counters: DomainCounters | undefined,
): string | undefined {
  const owners = groupBy(
    domains.filter(({ owner }) => owner !== undefined),
    ({ owner }) => owner,
  );
  const fits = [...owners].filter(([, own]) => owners.size === 1 || (counters?.mine ?? -1) === own.length);
  return fits.length === 1 ? fits[0]?.[0] : undefined;
}
