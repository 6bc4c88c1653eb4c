/** SRV: priority, weight, port and host of a service (RFC 2782). */
import { about } from "../../problems";
import { hostData } from "./host";
import {
  formProblem,
  twoPriorities,
  uint,
  wordsOf,
  wrong,
  type Data,
  type RecordType,
  type Source,
} from "./type";

function read({ value, priority, show }: Source): Data {
  const words = wordsOf(value);
  if (words.length === 3 && priority !== undefined) words.unshift(String(priority));
  if (words.length !== 4) return wrong(formProblem(srv, value, show));
  const numbers: number[] = [];
  for (const [index, what] of ["priority", "weight", "port"].entries()) {
    const number = uint(words[index] ?? "", 65535, show);
    if (typeof number !== "number") return wrong(about(`the ${what}:`, number));
    numbers.push(number);
  }
  const [written = 0] = numbers;
  if (priority !== undefined && written !== priority) return twoPriorities(written, priority, show);
  const data = hostData(words[3] ?? "", "SRV", show);
  return "problem" in data ? data : { ...data, value: `${numbers.join(" ")} ${data.value}` };
}

export const srv: RecordType<"SRV"> = {
  name: "SRV",
  read,
  fields: ["number", "number", "number", "host"],
  form: "priority, weight, port and host, such as 10 5 5060 sip.example.com.",
  priority: "first",
  limit: "srvRecords",
  checks: ["srv-cname", "srv-missing", "srv-null", "srv-port", "srv-name"],
};
