/** The plugin's resource types: inputs of any language become inputs of the lifecycle. */
import { digest, expandRecord, expandSpecs, hostName, type Expansion } from "../../dns";
import { canonicalInputs, textDigest } from "../../lifecycle/batch-text";
import { domainShareProvider } from "../../lifecycle/domain-share";
import type { Host, Operate } from "../../lifecycle/host";
import { unknownValue, type Lifecycle, type Props } from "../../lifecycle/lifecycle";
import { manifestInput, readManifest, type Manifest, type ManifestProblems } from "../../lifecycle/manifest";
import { optionProblems, unknownInputs } from "../../lifecycle/options";
import { recordForm } from "../../lifecycle/record";
import { recordBatchForm } from "../../lifecycle/record-batch";
import { recordsProvider } from "../../lifecycle/records";
import { canonicalShare } from "../../lifecycle/share-inputs";
import { isError, renderAll, type Problem } from "../../problems";
import type { DeclaredOnce } from "../../resources/claims";
import { zoneSource } from "../../resources/zone-source";
import { importedBatch, importedRecord, importedShare } from "./imports";
import type { MarkedProps } from "./wire";

interface ResourceInputs {
  readonly label: string;
  readonly given: MarkedProps;
  readonly olds: Props;
  readonly names: readonly string[];
}

export interface Run {
  readonly host: Host;
  readonly declared: DeclaredOnce;
}

type Preparation = { readonly news: Props } | { readonly problems: readonly Problem[] };

export interface NativeType {
  readonly lifecycle: Lifecycle;
  /** The lifecycle separates their secrets itself. */
  readonly open?: readonly string[];
  readonly closed?: readonly string[];
  readonly computed?: string;
  previewed?(inputs: Props): Props;
  prepare(written: ResourceInputs, run: Run): Preparation;
  imported(id: string, host: Host): Promise<Props>;
}

/** The TypeScript class has prepared its inputs. */
function isOfClass({ props }: MarkedProps): boolean {
  return props[manifestInput] !== undefined;
}

export function withUrn(props: Props, urn: string): Props {
  return withManifest(props, { ...readManifest(props).manifest, urn: digest(urn) });
}

function withManifest(props: Props, manifest: Manifest): Props {
  return { ...props, [manifestInput]: manifest };
}

type Translate = (props: Props) => Props;
const same: Translate = (props) => props;

function translated(
  lifecycle: Lifecycle,
  outputs: Translate,
  inputs: Translate = same,
  back: Translate = same,
): Lifecycle {
  const answered = async <
    T extends { readonly inputs?: Props; readonly props?: Props; readonly outs?: Props },
  >(
    answer: Promise<T>,
  ): Promise<T> => {
    try {
      const found = await answer;
      return {
        ...found,
        ...(found.inputs && { inputs: inputs(found.inputs) }),
        ...(found.props && { props: outputs(found.props) }),
        ...(found.outs && { outs: outputs(found.outs) }),
      };
    } catch (error) {
      if (error instanceof Error && "properties" in error)
        Object.assign(error, { properties: outputs(error.properties as Props) });
      throw error;
    }
  };
  return {
    check: (olds, news) => answered(lifecycle.check(back(olds), back(news))),
    diff: (id, olds, news) => lifecycle.diff(id, back(olds), back(news)),
    create: (given, urn) => answered(lifecycle.create(back(given), urn)),
    read: (id, props) => answered(lifecycle.read(id, props && back(props))),
    update: (id, olds, news, urn) => answered(lifecycle.update(id, back(olds), back(news), urn)),
    delete: (id, props, urn) => lifecycle.delete(id, back(props), urn),
  };
}

export const recordType = (operate: Operate): NativeType => ({
  lifecycle: translated(recordsProvider(recordForm, operate), (outs) => ({ ...outs, ...fqdnOf(outs) })),
  computed: "recordId",
  previewed: fqdnOf,
  imported: importedRecord,

  prepare: ({ label, given, names }, { host, declared }) => {
    const { props } = given;
    if (isOfClass(given)) return { news: props };
    const { domain, name, type, value, ttl, priority, line } = props;
    const sensitive = given.secret.size > 0;
    const { record } = expandRecord(
      { domain, name, type, value, ttl, priority, line },
      { defaultLine: host.settings.defaultLine, unknown: unknownValue, sensitive },
    );
    const problems = [
      ...unknownInputs(props, names),
      ...declared.errorsOf(label, { records: record === undefined ? [] : [record], problems: [] }),
    ];
    return problems.length > 0
      ? { problems }
      : { news: withManifest({ ...props, ...(sensitive && { sensitive }) }, { resource: label }) };
  },
});

function fqdnOf({ domain, name }: Props): Props {
  if (domain === unknownValue || name === unknownValue) return { fqdn: unknownValue };
  return typeof domain === "string" && typeof name === "string" ? { fqdn: hostName(name, domain) } : {};
}

export const recordBatchType = (operate: Operate): NativeType => ({
  lifecycle: translated(recordsProvider(recordBatchForm, operate), (outs) => ({ ...outs, ...textOf(outs) })),
  open: ["records", "domains"],
  closed: ["secrets"],
  previewed: textOf,
  imported: (id, host) => importedBatch("RecordBatch", id, host),

  prepare: (written, run) => {
    if (isPrepared(written)) return { news: asPrepared(written) };
    const { domains, records, ...options } = written.given.props;
    const expansion = expandSpecs(domains, records, expandOptions(written, run));
    return preparedBatch(written, run, { options, expansion, errors: [] });
  },
});

function textOf({ records }: Props): Props {
  return { zoneText: records };
}

/** From this package's class, or if the program ignores changes. */
function isPrepared({ given, olds }: ResourceInputs): boolean {
  const { records } = given.props;
  return isOfClass(given) || (typeof records === "string" && records === olds["records"]);
}

function asPrepared({ label, given }: ResourceInputs): Props {
  const { props } = given;
  if (isOfClass(given)) return props;
  const { domains } = props;
  const list = typeof domains === "string" ? [domains] : domains;
  return withManifest({ ...props, domains: list }, { resource: label });
}

function expandOptions({ given }: ResourceInputs, { host }: Run): Parameters<typeof expandSpecs>[2] {
  const secrets = given.secretElements("records");
  return { defaultLine: host.settings.defaultLine, unknown: unknownValue, secrets };
}

interface BatchParts {
  readonly options: Props;
  readonly expansion: Expansion;
  readonly errors: readonly Problem[];
  readonly notes?: ManifestProblems | undefined;
}

function preparedBatch(
  { label, given: { props }, names }: ResourceInputs,
  { declared }: Run,
  { options, expansion, errors, notes }: BatchParts,
): Preparation {
  const problems = [
    ...errors,
    ...unknownInputs(props, names),
    ...optionProblems(props),
    ...declared.errorsOf(label, expansion),
  ];
  if (problems.length > 0) return { problems };
  const warnings = renderAll(expansion.problems.filter((problem) => !isError(problem)));
  const canonical = canonicalInputs(expansion);
  const manifest = { resource: label, problems: notes ?? { warnings }, text: textDigest(canonical) };
  return { news: withManifest({ ...options, ...canonical }, manifest) };
}

export const zoneType = (operate: Operate): NativeType => {
  const batch = recordBatchType(operate);
  return {
    ...batch,
    lifecycle: translated(batch.lifecycle, toZone, toZone, toBatch),
    open: ["records", "text", "file", "domain"],
    imported: async (id, host) => toZone(await importedBatch("Zone", id, host)),

    prepare: (written, run) => {
      if (isPrepared(written)) return { news: asPrepared(written) };
      const { domain, file, text, records, apexNs, ...options } = written.given.props;
      const source = zoneSource(
        { domain, file, text, records, apexNs },
        { folder: process.cwd(), defaultLine: run.host.settings.defaultLine },
      );
      const expansion = source.expansion ?? expandSpecs(domain, source.records, expandOptions(written, run));
      const problems = expansion.problems.map((problem) => ({
        ...problem,
        path: problem.path.replace(/^domains\b/, "domain"),
      }));
      const { errors, notes } = source;
      // A second message about missing records would not help.
      const own =
        errors.length > 0 && source.expansion === undefined
          ? problems.filter(({ path }) => path === "domain")
          : problems;
      const parts = { options, expansion: { ...expansion, problems: own }, errors, notes };
      const prepared = preparedBatch(written, run, parts);
      return "news" in prepared ? { news: toZone(prepared.news) } : prepared;
    },
  };
};

function toZone(props: Props): Props {
  const { domains, ...rest } = props;
  return domains === undefined ? props : { ...rest, domain: Array.isArray(domains) ? domains[0] : domains };
}

function toBatch(props: Props): Props {
  const { domain, ...rest } = props;
  return domain === undefined ? props : { ...rest, domains: [domain] };
}

export const domainShareType = (operate: Operate): NativeType => ({
  lifecycle: domainShareProvider(operate),
  imported: importedShare,

  prepare: ({ label, given, names }, { declared }) => {
    const { props, secret } = given;
    if (isOfClass(given)) return { news: props };
    const { inputs } = canonicalShare(props);
    const problems = [
      ...unknownInputs(props, names),
      ...declared.shareErrors(label, inputs, secret.size > 0),
    ];
    return problems.length > 0 ? { problems } : { news: withManifest(props, { resource: label }) };
  },
});
