/** The measured programs, as texts; `dns` is the package (test/support/stack.ts). */

/** The i-th address of 10.0.0.0/8, as an expression of a program. */
const address = "`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`";

/** One RecordBatch of A records h{from} … h{to - 1}, all names and values different, in every domain. */
export function batch(from: number, to: number, domains: readonly string[] = ["example.com"]): string {
  return `const records = [];
for (let i = ${from}; i < ${to}; i++) records.push({ name: "h" + i, type: "A", value: ${address}, ttl: 600 });
new dns.RecordBatch("zone", { domains: ${JSON.stringify(domains)}, records });`;
}

export const idleResource = `class Idle extends pulumi.dynamic.Resource {
  constructor() { super({ create: async () => ({ id: "1", outs: {} }) }, "idle", {}); }
}
new Idle();`;

export function singles(count: number): string {
  return `for (let i = 0; i < ${count}; i++)
  new dns.Record("h" + i, { domain: "example.com", name: "h" + i, type: "A", value: ${address}, ttl: 600 });`;
}

export function addressOf(i: number): string {
  return `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
}

export function batchWithChanges(count: number, every: number): string {
  return batch(0, count).replace("`10.", `\`${"$"}{i % ${every} === 0 ? 172 : 10}.`);
}

export function zones(domains: readonly string[]): string {
  return `const records = [];
for (let i = 0; i < ${perDomain}; i++) records.push({ name: "h" + i, type: "A", value: ${address}, ttl: 600 });
for (const domain of ${JSON.stringify(domains)}) new dns.Zone(domain, { domain, records });`;
}

export const manyDomains = Array.from({ length: 1000 }, (_, i) => `zone${i}.example`);
export const perDomain = 25;
