/** Declarations of lines such as `www 600 A 192.0.2.1`. */
import { deepEqual } from "node:assert/strict";
import { expandSpecs } from "../../provider/dns";
import { isError, renderAll } from "../../provider/problems";
import { createOnly, type Declaration } from "../../provider/reconcile/declaration";

export const may = { change: true, remove: true, single: false };

/** If sensitive, every value is secret. */
export function declare(
  domain: string | readonly string[],
  lines: readonly string[],
  more: Partial<Declaration> = {},
): Declaration {
  const { records, problems } = expandSpecs(domain, lines, { defaultLine: "默认" });
  deepEqual(renderAll(problems.filter(isError)), []);
  return {
    domains: [domain].flat(),
    records: more.sensitive === true ? records.map((record) => ({ ...record, secret: true })) : records,
    removal: "verify",
    adopt: true,
    sensitive: false,
    removalSetBy: "stack",
    may: createOnly,
    ...more,
  };
}

export const of = (...lines: string[]) => declare("example.com", lines);

export function full(
  lines: readonly string[],
  more: Partial<Declaration> = {},
  domain: string | readonly string[] = "example.com",
): Declaration {
  return declare(domain, lines, { removal: "delete", may, ...more });
}

/** `h0 600 A 10.0.0.0`. @param net the second number of the addresses */
export const hosts = (n: number, ttl = 600, net = 0, from = 0) =>
  Array.from(
    { length: n },
    (_, i) => `h${i + from} ${ttl} A 10.${net}.${(i + from) >> 8}.${(i + from) & 255}`,
  );
