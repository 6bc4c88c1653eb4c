/** CNAME, NS (RFC 1035 §3.3), MX (§3.3.9) and SRV (RFC 2782): types with a host. */
import { isIP } from "node:net";
import { canonicalLabels, hyphenProblem, numberProblem, withoutDot } from "../names";
import { skipSpace, skipWord, trimSpace, type Show } from "../quoting";
import { about, reason, type Reason } from "../../problems";
import { formProblem, uint, wrong, type Data, type RecordType, type Source } from "./type";

/**
 * `.` means "none" for MX (RFC 7505) and SRV (RFC 2782). Only a CNAME may point to a wildcard (RFC 1123
 * §2.1).
 */
export function hostData(text: string, type: "CNAME" | "NS" | "MX" | "SRV", show: Show): Data {
  if (text === ".")
    return type === "MX" || type === "SRV"
      ? { value: "." }
      : wrong(reason("host.unfit", { given: show(text) }));
  const bare = withoutDot(text);
  const family = isIP(bare);
  if (family !== 0)
    return wrong(reason("host.address", { given: show(text), type, use: family === 4 ? "A" : "AAAA" }));
  const host = canonicalLabels(bare, type === "CNAME");
  const noHost = (problem: Reason): Reason => about(`${show(text)} is not a host name: it`, problem);
  if (typeof host !== "string") return wrong(noHost(host.problem));
  if (!host.includes(".")) return wrong(reason("host.unfit", { given: show(text) }));
  const problem = hyphenProblem(host) ?? numberProblem(host);
  return problem === undefined ? { value: `${host}.` } : { value: `${host}.`, unfit: noHost(problem) };
}

function hostType<Name extends "CNAME" | "NS">(
  name: Name,
  more: Pick<RecordType, "checks" | "limit">,
): RecordType<Name> {
  const read = ({ value, show }: Source): Data => hostData(trimSpace(value), name, show);
  return { name, read, fields: ["host"], form: "a host name", ...more };
}

export const cname = hostType("CNAME", { checks: ["cname-dangling", "cname-loop", "cname-chain"] });

export const ns = hostType("NS", {
  limit: "nsRecords",
  checks: ["ns-cname", "ns-missing", "ns-single", "ns-wildcard", "glue-missing"],
});

function wordsOf(value: string): string[] {
  const words: string[] = [];
  for (let at = skipSpace(value, 0); at < value.length;) {
    const end = skipWord(value, at);
    words.push(value.slice(at, end));
    at = skipSpace(value, end);
  }
  return words;
}

function twoPriorities(written: number | undefined, { priority, show }: Source): Data | undefined {
  if (written === undefined || priority === undefined || written === priority) return undefined;
  const parts = { given: show(String(priority)), written: show(String(written)) };
  return wrong(reason("priority.twice", parts), "priority");
}

export const mx: RecordType<"MX"> = {
  name: "MX",
  read: (source) => {
    const { value, priority: given, show } = source;
    const words = wordsOf(value);
    const [first = "", host] = words;
    if (words.length > 2) return wrong(formProblem(mx, value, show));
    const written = host === undefined ? undefined : uint(first, 65535, show);
    if (typeof written === "object") return wrong(written);
    const twice = twoPriorities(written, source);
    if (twice !== undefined) return twice;
    const priority = written ?? given;
    if (priority === undefined)
      return wrong(
        reason("field.missing", { example: "a priority before the host, such as 10" }),
        "priority",
      );
    const data = hostData(host ?? first, "MX", show);
    if ("problem" in data) return data;
    if (priority >= 1 && priority <= 20) return { ...data, priority };
    const note = reason("value.unusual", { what: `the priority ${show(String(priority))}` });
    return { ...data, priority, note };
  },
  fields: ["number", "host"],
  form: "a priority and a host, such as 10 mx1.example.com.",
  priority: "own",
  checks: ["mx-cname", "mx-missing", "mx-null", "mx-single", "mail-half", "spf-missing", "dmarc-missing"],
};

export const srv: RecordType<"SRV"> = {
  name: "SRV",
  read: (source) => {
    const { value, priority, show } = source;
    const words = wordsOf(value);
    if (words.length === 3 && priority !== undefined) words.unshift(String(priority));
    const host = words.pop();
    if (host === undefined || words.length !== 3) return wrong(formProblem(srv, value, show));
    const numbers: number[] = [];
    for (const [index, what] of ["priority", "weight", "port"].entries()) {
      const number = uint(words[index] ?? "", 65535, show);
      if (typeof number !== "number") return wrong(about(`the ${what}:`, number));
      numbers.push(number);
    }
    const twice = twoPriorities(numbers[0], source);
    if (twice !== undefined) return twice;
    const data = hostData(host, "SRV", show);
    return "problem" in data ? data : { ...data, value: `${numbers.join(" ")} ${data.value}` };
  },
  fields: ["number", "number", "number", "host"],
  form: "priority, weight, port and host, such as 10 5 5060 sip.example.com.",
  priority: "first",
  limit: "srvRecords",
  checks: ["srv-cname", "srv-missing", "srv-null", "srv-port", "srv-name"],
};
