/** The specs and lines of any language become the one text of the state. */
import { expandSpecs, type Expansion } from "../../provider/dns";
import { canonicalInputs, type SourceNotes } from "../../provider/lifecycle/inputs";
import type { Operate } from "../../provider/lifecycle/host";
import { optionProblems, unknownInputs } from "../../provider/lifecycle/options";
import { unknownValue, type Props } from "../../provider/lifecycle/lifecycle";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { isError, renderAll, type Problem } from "../../provider/problems";
import { defined } from "../../provider/support/defined";
import { importedBatch } from "../imports";
import { packNotes } from "../../provider/lifecycle/manifest";
import {
  isOfClass,
  translated,
  withManifest,
  type NativeType,
  type Preparation,
  type Run,
  type ResourceInputs,
} from "./type";

export const recordBatchType = (operate: Operate): NativeType => ({
  lifecycle: translated(recordsProvider(recordBatchForm, operate), (outs) => ({ ...outs, ...textOf(outs) })),
  open: ["records", "domains"],
  closed: ["secrets"],
  computed: [],
  previewed: textOf,

  imported: (id, host) => importedBatch("RecordBatch", id, host),

  prepare: (written, run) => {
    const { props } = written.given;
    if (isPrepared(written)) return { news: asPrepared(written) };
    const { domains, records } = props;
    const expansion = expandSpecs(domains, records, expandOptions(written, run));
    return preparedBatch(written, run, { expansion, errors: [] });
  },
});

/** The output has a name of its own, because the program's input has another type. */
const textOf = ({ records }: Props): Props => ({ zoneText: records });

/** Whether the records are the state's text: from this package's class, or if the program ignores changes. */
export function isPrepared({ given, olds }: ResourceInputs): boolean {
  const { props } = given;
  return isOfClass(given) || (typeof props["records"] === "string" && props["records"] === olds["records"]);
}

export function asPrepared({ label, given, olds }: ResourceInputs): Props {
  const { props: news } = given;
  if (isOfClass(given)) return news;
  const { domains } = news;
  const list = typeof domains === "string" ? [domains] : domains;
  const inputs = { ...news, domains: list, ...(olds["sensitive"] === true ? { sensitive: true } : {}) };
  return withManifest(inputs, { resource: label });
}

export function expandOptions({ given }: ResourceInputs, { host }: Run): Parameters<typeof expandSpecs>[2] {
  const secrets = given.secretElements("records");
  return { defaultLine: host.settings.defaultLine, unknown: unknownValue, secrets };
}

export function preparedBatch(
  { label, given: { props }, names }: ResourceInputs,
  { declared }: Run,
  {
    expansion,
    errors,
    notes,
  }: {
    readonly expansion: Expansion;
    readonly errors: readonly Problem[];
    readonly notes?: SourceNotes | undefined;
  },
): Preparation {
  const { removal, adopt, undeclared, ignore, checks } = props;
  const options = { removal, adopt, undeclared, ignore, checks };
  const problems = [
    ...errors,
    ...unknownInputs(props, names),
    ...optionProblems(options),
    ...declared.errorsOf(label, expansion),
  ];
  if (problems.length > 0) return { problems };
  const warnings = renderAll(expansion.problems.filter((problem) => !isError(problem)));
  const inputs = { ...defined(options), ...canonicalInputs(expansion) };
  const messages = packNotes(notes ?? { warnings, notes: [] });
  return { news: withManifest(inputs, { resource: label, problems: messages }) };
}
