/** The engine's `List`: the live zones and records, with the ids for `pulumi import`. */
import { canonicalDomain, recordText } from "../../dns";
import type { GetDomainsResult } from "../../functions/domains";
import type { Props } from "../../lifecycle/lifecycle";
import { Refusal } from "../../problems/refusal";
import type { Plugin } from "./plugin";

export interface Listed {
  readonly id: string;
  readonly name: string;
}

/** Type → its list. */
export const lists: Readonly<Record<string, (plugin: Plugin, query: Props) => Promise<Listed[]>>> = {
  "legacydns:index:Zone": async (plugin) => {
    const { domains } = (await plugin.lookUp("legacydns:index:getDomains", {}, [])) as GetDomainsResult;
    return domains.flatMap(({ name }) => (name === undefined ? [] : [{ id: name, name }]));
  },
  "legacydns:index:Record": (plugin, query) =>
    plugin.operation(async ({ reconciler }) => {
      const given = query["domain"];
      const read = canonicalDomain(typeof given === "string" ? given : "");
      if ("problem" in read) throw new Refusal([read.problem]);
      const { domain } = read;
      const { zone } = await reconciler.zones.get(domain);
      // `pulumi import` refuses the others.
      return zone.entries
        .filter(({ hold, enabled }) => !hold && enabled)
        .map(({ id, record }) => ({ id: `${domain}/${id}`, name: recordText(record) }));
    }),
};
