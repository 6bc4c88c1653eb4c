/** The `check` of every resource type. */
import { renderAll } from "../problems";
import { reasonsOf } from "./failures";
import type { Host, Operate } from "./host";
import { refusal, type Lifecycle, type Props } from "./lifecycle";
import { readManifest, type Manifest } from "./manifest";

/** @param work returns the canonical inputs, or throws a `Refusal` */
export async function checked(
  operate: Operate,
  olds: Props,
  given: Props,
  work: (host: Host, manifest: Manifest, news: Props) => Promise<Props>,
): ReturnType<Lifecycle["check"]> {
  const { manifest, inputs: news } = readManifest(given);
  const { errors, warnings = [] } = manifest.problems ?? {};
  try {
    return await operate(async (host) => {
      if (errors !== undefined) {
        for (const text of warnings) host.reporter.warn(text);
        return refusal(news, errors);
      }
      try {
        return { inputs: { ...(await work(host, manifest, news)) } };
      } catch (error) {
        if (host.report === undefined) throw error;
        host.report.refused(manifest, error);
        return { inputs: { ...idleInputs(olds, news) } };
      }
    });
  } catch (error) {
    return refusal(news, renderAll(reasonsOf(error)));
  }
}

/** Inputs that change nothing, for a resource with an error in a plan. */
export function idleInputs(before: Props, given: Props): Props {
  if (Object.keys(before).length > 0) return before;
  return "records" in given ? { ...given, records: "" } : given;
}
