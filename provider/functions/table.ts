/** Every look-up, for the native plugin. */
import { domain } from "./domain";
import { domains } from "./domains";
import { getEntries } from "./entries";
import { batchJob } from "./job";
import { customLines } from "./lines";
import type { Lookup } from "./lookup";
import { monitorHistory } from "./monitor";
import { purview } from "./purview";
import { record } from "./record";
import { records } from "./records";

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
