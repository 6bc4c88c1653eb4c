/** A policy pack over records: no TTL below 300 seconds, and a CAA record for every domain with addresses. */
import { PolicyPack, type PolicyResource } from "@pulumi/policy";
import { zoneEntries, type ZoneEntry } from "pulumi-legacydns";

const shortest = 300;

/** The properties of a record, a batch or a zone that a policy receives. */
interface Declared {
  readonly domain?: string;
  readonly domains?: readonly string[];
  readonly name?: string;
  readonly type?: string;
  readonly ttl?: number;
  /** The zone's text: among the outputs, and among the inputs. */
  readonly zoneText?: string;
  readonly records?: string;
  readonly secrets?: string;
}

/** A record as the rules see it. */
type Entry = Pick<ZoneEntry, "domain" | "name" | "type"> & { readonly ttl?: ZoneEntry["ttl"] | undefined };

/** The records of a resource. Both front ends and all languages declare the same properties. */
function entriesOf({ type, props }: Pick<PolicyResource, "type" | "props">): readonly Entry[] {
  if (!/^(legacydns:index:|pulumi-nodejs:dynamic\/legacydns:)(Record|RecordBatch|Zone)$/.test(type))
    return [];
  // A preview does not know every value, and a rule that reads an unknown one does not run there.
  const declared: Declared = props;
  const { domain = "" } = declared;
  if (type.endsWith("Record"))
    return [{ domain, name: declared.name ?? "@", type: declared.type ?? "", ttl: declared.ttl }];
  const text = declared.zoneText ?? declared.records;
  return text === undefined ? [] : zoneEntries(declared.domains ?? [domain], text, declared.secrets);
}

new PolicyPack("dns", {
  policies: [
    {
      name: "ttl-at-least-300",
      description: "Records have a TTL of at least 300 seconds.",
      enforcementLevel: "mandatory",
      validateResource: (resource, reportViolation) => {
        for (const { domain, name, type, ttl } of entriesOf(resource))
          if (typeof ttl === "number" && ttl < shortest)
            reportViolation(`${name} ${type} of ${domain} has TTL ${ttl}`);
      },
    },
    {
      name: "caa-required",
      description: "A domain with addresses has a CAA record.",
      enforcementLevel: "mandatory",
      validateStack: ({ resources }, reportViolation) => {
        const entries = resources.flatMap(entriesOf);
        const domainsWith = (...types: string[]): Set<string> =>
          new Set(entries.flatMap(({ domain, type }) => (types.includes(type) ? [domain] : [])));
        const safe = domainsWith("CAA");
        for (const domain of domainsWith("A", "AAAA"))
          if (!safe.has(domain)) reportViolation(`${domain} has no CAA record`);
      },
    },
  ],
});
