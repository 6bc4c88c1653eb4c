/** `legacydns:index:Record`. */
import { expandRecord } from "../../provider/dns";
import { recordForm } from "../../provider/lifecycle/record";
import { recordsProvider } from "../../provider/lifecycle/records";
import type { Operate } from "../../provider/lifecycle/host";
import { unknownInputs } from "../../provider/lifecycle/unknown-inputs";
import { unknownValue } from "../../provider/lifecycle/unknown";
import { importedRecord } from "../imports";
import { preparedKey, type NativeType } from "./type";

export const recordType = (operate: Operate): NativeType => ({
  lifecycle: recordsProvider(recordForm, operate),
  open: [],
  closed: [],
  computed: ["recordId"],

  imported: importedRecord,

  prepare: ({ label, given, names }, { host, declared }) => {
    const { [preparedKey]: prepared, ...props } = given.props;
    if (prepared !== undefined) return { news: props };
    const unknown = unknownInputs(props, names);
    if (unknown.length > 0) return { problems: unknown };
    const { domain, name, type, value, ttl, priority, line } = props;
    const sensitive = given.secret.size > 0;
    const { record } = expandRecord({ domain, name, type, value, ttl, priority, line }, { defaultLine: host.settings.defaultLine, unknown: unknownValue, sensitive });
    // What is wrong with the record itself is the lifecycle's to say.
    const problems = declared.errorsOf(label, { records: record === undefined ? [] : [record], problems: [] }, sensitive);
    return problems.length > 0 ? { problems } : { news: { ...props, ...(sensitive ? { sensitive } : {}) } };
  },
});
