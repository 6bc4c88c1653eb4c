/** A domain as one resource. Its lifecycle is that of a batch with one domain. */
import { expandSpecs } from "../../provider/dns";
import type { Operate } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import { zoneSource } from "../../provider/lifecycle/zone-source";
import { importedBatch } from "../imports";
import { asPrepared, expandOptions, isPrepared, preparedBatch, recordBatchType } from "./record-batch";
import type { NativeType } from "./type";

export const zoneType = (operate: Operate): NativeType => {
  const batch = recordBatchType(operate);
  return {
    ...batch,
    lifecycle: ofOneDomain(batch.lifecycle),
    open: ["records", "text", "file", "domain"],

    imported: async (id, host) => toZone(await importedBatch("Zone", id, host)),

    prepare: (written, run) => {
      const { domain, file, text, records, apexNs } = written.given.props;
      if (isPrepared(written)) return { news: asPrepared(written) };
      const source = zoneSource(
        { domain, file, text, records, apexNs },
        { folder: process.cwd(), defaultLine: run.host.settings.defaultLine },
      );
      const expansion =
        source.expansion ?? expandSpecs(domain, source.records, expandOptions(written, run, "records"));
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

function ofOneDomain(batch: Lifecycle): Lifecycle {
  const answered = async <
    T extends { readonly inputs?: Props; readonly props?: Props; readonly outs?: Props },
  >(
    answer: Promise<T>,
  ): Promise<T> => {
    try {
      const given = await answer;
      const { inputs, props, outs } = given;
      return {
        ...given,
        ...(inputs === undefined ? {} : { inputs: toZone(inputs) }),
        ...(props === undefined ? {} : { props: toZone(props) }),
        ...(outs === undefined ? {} : { outs: toZone(outs) }),
      };
    } catch (error) {
      if (error instanceof Error && "properties" in error)
        Object.assign(error, { properties: toZone(error.properties as Props) });
      throw error;
    }
  };
  return {
    check: (olds, news) => answered(batch.check(toBatch(olds), toBatch(news))),
    diff: (id, olds, news) => batch.diff(id, toBatch(olds), toBatch(news)),
    create: (inputs) => answered(batch.create(toBatch(inputs))),
    read: (id, props) => answered(batch.read(id, props === undefined ? undefined : toBatch(props))),
    update: (id, olds, news) => answered(batch.update(id, toBatch(olds), toBatch(news))),
    delete: (id, props) => batch.delete(id, toBatch(props)),
  };
}
