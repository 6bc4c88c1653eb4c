/** A domain as one resource. Its lifecycle is that of a batch with one domain. */
import { expandSpecs } from "../../provider/dns";
import type { Operate } from "../../provider/lifecycle/host";
import type { Props } from "../../provider/lifecycle/lifecycle";
import { zoneSource } from "../../provider/lifecycle/zone-source";
import { importedBatch } from "../imports";
import { asPrepared, expandOptions, isPrepared, preparedBatch, recordBatchType } from "./record-batch";
import { translated, type NativeType } from "./type";

export const zoneType = (operate: Operate): NativeType => {
  const batch = recordBatchType(operate);
  return {
    ...batch,
    lifecycle: translated(batch.lifecycle, toZone, toZone, toBatch),
    open: ["records", "text", "file", "domain"],

    imported: async (id, host) => toZone(await importedBatch("Zone", id, host)),

    prepare: (written, run) => {
      const { domain, file, text, records, apexNs } = written.given.props;
      if (isPrepared(written)) return { news: asPrepared(written) };
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
      // If the source cannot be read, a second message about missing records would not help.
      const own =
        errors.length > 0 && source.expansion === undefined
          ? problems.filter(({ path }) => path === "domain")
          : problems;
      const prepared = preparedBatch(written, run, {
        expansion: { ...expansion, problems: own },
        errors,
        notes,
      });
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
