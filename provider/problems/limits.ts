/** What a domain's package does not allow (docs/settings.md, limits). */
export interface Of {
  domain: string;
  package: string | undefined;
}

const ofPackage = (p: Of): string => `of ${p.domain}'s package${p.package === undefined ? "" : `, ${p.package}`}`;

export const limits = {
  "limit.ttl": (p: Of & { what: string; ttl: number; isDefault: boolean; least: number }) => `${p.what} ${p.isDefault ? `is sent with TTL ${p.ttl} (defaultTtl), which` : `has TTL ${p.ttl}, which`} is below the minimum of ${p.least} ${ofPackage(p)}; declare ttl ${p.least} or more`,
  "limit.mixed-wildcard": (p: Of & { what: string }) => `${p.what} is a mixed wildcard, which is not part ${ofPackage(p)}; write "*" as a whole label, or take a larger package`,
  "limit.levels": (p: Of & { what: string; labels: number; kind: string; limit: number }) => `${p.what} has ${p.labels} labels below ${p.domain}, and the ${p.kind} ${ofPackage(p)}, are ${p.limit}; use a shorter name or a larger package`,
  "limit.records": (p: Of & { added: number; noun: string; used: number; sum: number; limit: number }) => `${p.domain}: ${p.added} ${p.noun} to add and ${p.used} live make ${p.sum}; the limit ${ofPackage(p)}, is ${p.limit}. Declare fewer, or take a larger package`,
};
