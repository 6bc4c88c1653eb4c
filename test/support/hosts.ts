/** Programs of many records, and the outputs of a stack. */

export const hosts = (n: number): string => `
  new dns.RecordBatch("hosts", { domains: "example.com", records: Array.from({ length: ${n} },
    (_, i) => ({ name: "host" + (i + 1), type: "A", value: "192.0.2." + (i + 1), ttl: 600 })) });`;
export const one =
  'new dns.Record("one", { domain: "example.com", name: "one", type: "A", value: "192.0.2.200", ttl: 600 });';
export const records = (stack: {
  resources(): readonly { outputs?: Record<string, unknown> }[];
}): Record<string, unknown>[] => stack.resources().map(({ outputs }) => outputs ?? {});
