/** Looks before it declares: which domains there are, and what their packages allow. */
import { getDomains, getPurview, RecordBatch } from "pulumi-legacydns";

export = async () => {
  const { domains } = await getDomains({ type: "mine" });
  const short: string[] = [];
  for (const { name } of domains) {
    const { minTtl } = await getPurview({ domain: name });
    if (typeof minTtl !== "number" || minTtl <= 60) short.push(name);
  }
  if (short.length > 0) {
    new RecordBatch("health", {
      domains: short,
      records: [{ name: "health", type: "A", value: "192.0.2.1", ttl: 60 }],
    });
  }
  return { all: domains.length, short };
};
