/** Every look-up, for the native plugin. */
import { customLines, domain, domains, purview } from "./domains";
import { batchJob, monitorHistory } from "./jobs";
import type { Lookup } from "./lookup";
import { getEntries, record, records } from "./records";

export { ArgumentReader, problemsOf } from "./arguments";
export { failedCall } from "./failure";

export const lookUps: readonly Lookup<object>[] = [
  domain,
  domains,
  purview,
  record,
  records,
  monitorHistory,
  customLines,
  batchJob,
  getEntries,
];
