/** MX: a priority and a host (RFC 1035 §3.3.9). */
import { reason } from "../../problems";
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
  const [first = "", second] = words;
  if (words.length > 2) return wrong(formProblem(mx, value, show));
  const written = second === undefined ? undefined : uint(first, 65535, show);
  if (typeof written === "object") return wrong(written);
  if (written !== undefined && priority !== undefined && written !== priority)
    return twoPriorities(written, priority, show);
  const chosen = written ?? priority;
  if (chosen === undefined)
    return wrong(reason("field.missing", { example: `a priority before the host, such as 10` }), "priority");
  const data = hostData(second ?? first, "MX", show);
  if ("problem" in data) return data;
  return chosen >= 1 && chosen <= 20
    ? { ...data, priority: chosen }
    : {
        ...data,
        priority: chosen,
        note: reason("value.unusual", { what: `the priority ${show(String(chosen))}` }),
      };
}

export const mx: RecordType<"MX"> = {
  name: "MX",
  read,
  fields: ["number", "host"],
  form: "a priority and a host, such as 10 mx1.example.com.",
  priority: "own",
  checks: ["mx-cname", "mx-missing", "mx-null", "mx-single", "mail-half", "spf-missing", "dmarc-missing"],
};
