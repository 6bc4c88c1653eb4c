/** What a domain's package does not allow (docs/settings.md, limits). */
import { warns } from "./kinds";
import { namesOf, whereAll, type Named } from "./together";

export interface Of {
  domain: string;
  package: string | undefined;
}

const ofPackage = (p: Of): string =>
  `of ${p.domain}'s package${p.package === undefined ? "" : `, ${p.package}`}`;

/** Records, and the verb that follows. */
function those({ named }: { named: readonly Named[] }, one: string, several: string): string {
  return `${namesOf(named)} ${named.length === 1 ? one : several}`;
}

export const limits = {
  "limit.ttl": (p: Of & { named: readonly Named[]; ttl: number; isDefault: boolean; least: number }) => {
    const head = p.isDefault
      ? `${those(p, "is", "are")} sent with TTL ${p.ttl} (defaultTtl), which`
      : `${those(p, "has", "have")} TTL ${p.ttl}, which`;
    return `${head} is below the minimum of ${p.least} ${ofPackage(p)}; declare ttl ${p.least} or more${whereAll(p.named.length)}`;
  },
  "limit.mixed-wildcard": (p: Of & { named: readonly Named[] }) =>
    `${those(p, "is a mixed wildcard, which is", "are mixed wildcards, which are")} not part ${ofPackage(p)}; write "*" as a whole label, or take a larger package${whereAll(p.named.length)}`,
  "limit.levels": (p: Of & { named: readonly Named[]; labels: number; kind: string; limit: number }) =>
    `${those(p, "has", "have")} ${p.labels} labels below ${p.domain}, and the ${p.kind} ${ofPackage(p)}, are ${p.limit}; use ${p.named.length === 1 ? "a shorter name" : "shorter names"} or a larger package${whereAll(p.named.length)}`,
  "limit.records": (p: Of & { added: number; noun: string; used: number; sum: number; limit: number }) =>
    `${p.domain}: ${p.added} ${p.noun} to add and ${p.used} live make ${p.sum}; the limit ${ofPackage(p)}, is ${p.limit}. Declare fewer, or take a larger package`,
  "limit.balancing": warns(
    (p: Of & { where: string; added: number; used: number; sum: number; limit: number }) =>
      `${p.where}: ${p.added} to add and ${p.used} live make ${p.sum} addresses of one name and line; the load balancing ${ofPackage(p)}, is ${p.limit}, and the service may refuse what is beyond. Declare fewer, or take a larger package`,
  ),
};
