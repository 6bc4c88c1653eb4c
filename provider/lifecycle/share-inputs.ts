import { canonicalDomain, expandRecord, kindProblem, textOrKind } from "../dns";
import { reason, type Problem, type Reason } from "../problems";
import { defined } from "../support/defined";
import { unknownValue, type Props } from "./lifecycle";

export const wholeDomain = "@";
export function canonicalShare(news: Props): { inputs: Props; problems: Problem[] } {
  const problems: Problem[] = [];
  const wrong = (path: string, why: Reason): void => void problems.push({ ...why, path });
  const { subDomain, from, ...rest } = news;
  const { domain, email, mode } = rest;
  const read = typeof domain === "string" && domain !== unknownValue ? canonicalDomain(domain) : undefined;
  const zone = read && "domain" in read ? read.domain : undefined;
  if (read && "problem" in read) wrong("domain", read.problem);
  if (typeof domain !== "string") wrong("domain", kindProblem(domain, "domain", '"example.com"'));
  if (typeof email !== "string" || (email !== unknownValue && !isEmail(email)))
    wrong(
      "email",
      reason("value.unfit", {
        given: textOrKind(email),
        what: "an e-mail address",
        example: "partner@example.net",
      }),
    );
  if (mode !== "r" && mode !== "rw" && mode !== unknownValue)
    wrong("mode", reason("word.unknown", { given: textOrKind(mode), hint: 'write "r" or "rw"' }));
  const label = (path: string, value: unknown): string | undefined => {
    if (value === "") return wholeDomain;
    if (value === undefined || value === wholeDomain || value === unknownValue) return value;
    const spec = { domain: zone ?? "example.com", name: value, type: "A", value: "192.0.2.1" };
    const { record, problems: found } = expandRecord(spec, { defaultLine: "默认" });
    for (const problem of found) wrong(path, problem);
    return record?.name;
  };
  const scope = scopeOf(label("subDomain", subDomain));
  const today = label("from", from);
  return {
    inputs: {
      ...rest,
      domain: zone ?? domain,
      ...defined({ subDomain: scope, from: today }),
    },
    problems,
  };
}

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

export function scopeOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== wholeDomain && value !== "" ? value : undefined;
}
