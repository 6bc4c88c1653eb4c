/** The lab, with the inputs that a program's class sends, and the engine's calls for one resource. */
import { equal, ok } from "node:assert/strict";
import { expandSpecs } from "../../provider/dns";
import { canonicalInputs } from "../../provider/lifecycle/batch-text";
import type { Operate } from "../../provider/lifecycle/host";
import { unknownValue, type Lifecycle, type Props } from "../../provider/lifecycle/lifecycle";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import { recordsProvider } from "../../provider/lifecycle/records";
import { hostOf, processOf, type Lab } from "../support/lab";
import { collectingReporter } from "../support/reporter";

export * from "../support/lab";
export { unknownValue, type Lifecycle, type Props };

export interface Resource {
  readonly inputs: Props;
  readonly outs: Props;
}

/** @param secrets the indices of secret records */
export function batchOf(records: unknown, more: Props = {}, secrets: readonly number[] = []) {
  const options = { defaultLine: "默认", unknown: unknownValue, secrets: new Set(secrets) };
  return { ...canonicalInputs(expandSpecs("example.com", records, options)), ...more };
}

export const recordProvider = (operate: Operate) => recordsProvider(recordForm, operate);
export const batchProvider = (operate: Operate) => recordsProvider(recordBatchForm, operate);

/** A provider process whose messages are kept. */
export function watched(lab: Lab, providerBy = batchProvider) {
  const reporter = collectingReporter();
  const host = hostOf(lab, reporter);
  const said = () => reporter.lines.map(({ text }) => text).join("\n");
  return { provider: providerBy((work) => work(host)), reporter, said };
}

/** A `check` that finds no problem. */
export async function checked(provider: Lifecycle, news: Props, olds: Props = {}): Promise<Props> {
  const { inputs = {}, failures } = await provider.check(olds, news);
  equal(failures, undefined);
  return inputs;
}

/** @param old undefined if the resource is new */
export async function up(provider: Lifecycle, news: Props, old?: Resource, urn = "own"): Promise<Resource> {
  const inputs = await checked(provider, { ...news, __program: { urn } }, old?.inputs);
  if (old === undefined) return { inputs, ...(await provider.create(inputs, urn)) };
  await provider.diff("id", old.outs, inputs);
  return { inputs, ...(await provider.update("id", old.outs, inputs, urn)) };
}

/** @returns the state that a failure keeps */
export async function halfDone(work: Promise<unknown>): Promise<Props> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  ok(error instanceof Error && "properties" in error && error.properties instanceof Object);
  return { ...error.properties };
}

/** An update of a batch by a new process. */
export const upOf = (lab: Lab, records: unknown, more: Props = {}, old?: Resource, urn?: string) =>
  up(processOf(lab), batchOf(records, more), old, urn);
