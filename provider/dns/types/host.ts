/** CNAME and NS: a host name (RFC 1035 §3.3). MX and SRV use the same codec for their host. */
import { isIP } from "node:net";
import { canonicalLabels, hyphenProblem, numberProblem, withoutDot } from "../names";
import { trimSpace, type Show } from "../quoting";
import { about, reason, type Reason } from "../../problems";
import { wrong, type Data, type RecordType } from "./type";

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
  const noHost = (problem: Reason): Reason => about(`${show(text)} is no host name: it`, problem);
  if (typeof host !== "string") return wrong(noHost(host.problem));
  if (!host.includes(".")) return wrong(reason("host.unfit", { given: show(text) }));
  const problem = hyphenProblem(host) ?? numberProblem(host);
  return problem === undefined ? { value: `${host}.` } : { value: `${host}.`, unfit: noHost(problem) };
}

export const cname: RecordType<"CNAME"> = {
  name: "CNAME",
  read: ({ value, show }) => hostData(trimSpace(value), "CNAME", show),
  fields: ["host"],
  form: "a host name",
  checks: ["cname-dangling", "cname-loop", "cname-chain"],
};

export const ns: RecordType<"NS"> = {
  name: "NS",
  read: ({ value, show }) => hostData(trimSpace(value), "NS", show),
  fields: ["host"],
  form: "a host name",
  limit: "nsRecords",
  checks: ["ns-cname", "ns-missing", "ns-single", "ns-wildcard", "glue-missing"],
};
