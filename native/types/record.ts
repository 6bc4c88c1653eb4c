import { expandRecord, hostName } from "../../provider/dns";
import { recordForm } from "../../provider/lifecycle/record";
import { unknownValue, type Props } from "../../provider/lifecycle/lifecycle";
import { recordsProvider } from "../../provider/lifecycle/records";
import type { Operate } from "../../provider/lifecycle/host";
import { unknownInputs } from "../../provider/lifecycle/options";
import { importedRecord } from "../imports";
import { isOfClass, translated, withManifest, type NativeType } from "./type";

export const recordType = (operate: Operate): NativeType => ({
  lifecycle: translated(recordsProvider(recordForm, operate), (outs) => ({ ...outs, ...fqdnOf(outs) })),
  open: [],
  closed: [],
  computed: ["recordId"],
  previewed: fqdnOf,

  imported: importedRecord,

  prepare: ({ label, given, names }, { host, declared }) => {
    const { props } = given;
    if (isOfClass(given)) return { news: props };
    const unknown = unknownInputs(props, names);
    if (unknown.length > 0) return { problems: unknown };
    const { domain, name, type, value, ttl, priority, line } = props;
    const sensitive = given.secret.size > 0;
    const { record } = expandRecord(
      { domain, name, type, value, ttl, priority, line },
      { defaultLine: host.settings.defaultLine, unknown: unknownValue, sensitive },
    );
    // Only duplicates are checked here. The lifecycle checks the record itself.
    const problems = declared.errorsOf(label, {
      records: record === undefined ? [] : [record],
      problems: [],
    });
    return problems.length > 0
      ? { problems }
      : { news: withManifest({ ...props, ...(sensitive ? { sensitive } : {}) }, { resource: label }) };
  },
});

function fqdnOf({ domain, name }: Props): Props {
  if (domain === unknownValue || name === unknownValue) return { fqdn: unknownValue };
  return typeof domain === "string" && typeof name === "string" ? { fqdn: hostName(name, domain) } : {};
}
