/** Live records that no resource declares: looked for once all resources have spoken. */
import type { Declaration } from "../declaration";
import { groupBy } from "../../gather";
import { strangersText } from "../wording";
import { reason, textOf, type Fate } from "../../problems";
import type { Run } from "../run";
import { explain } from "../write/result";
import type { LiveEntry } from "../zones/zone";

export class Strangers {
  constructor(private readonly parts: Run) {}

  async find({ report }: Declaration): Promise<LiveEntry[]> {
    if (report === undefined) return [];
    const { siblings, zones } = this.parts;
    await siblings.settled();
    const read = await zones.getAll(report.domains);
    return [...read.values()].flatMap(({ entries }) => entries.filter((entry) => !entry.hold && siblings.isNobodys(entry) && !report.ignored(entry.record)));
  }

  /** Says what a refresh has found. */
  tellFound(strangers: readonly LiveEntry[], declaration: Declaration): void {
    this.tell(strangers, declaration, () => (declaration.report?.remove === true ? "removed-next" : "named"));
  }

  /** Says what an update found. Never rejects: the state must keep what was written. @param known records that the update has dealt with */
  async tellOthers(declaration: Declaration, known: readonly { readonly domain: string; readonly id: string }[]): Promise<void> {
    const { reporter, siblings } = this.parts;
    const own = new Set(known.map(({ domain, id }) => `${domain} ${id}`));
    let strangers: LiveEntry[];
    try {
      strangers = (await this.find(declaration)).filter(({ id, record }) => !own.has(`${record.domain} ${id}`));
    } catch (error) {
      reporter.warn(textOf(reason("live.not-looked-for", { why: explain(error) })));
      return;
    }
    this.tell(strangers, declaration, (domain) => {
      const unsure = siblings.unsureOf(domain);
      if (declaration.report?.withheld === true) return "withheld";
      if (declaration.report?.remove !== true) return "named";
      return unsure === undefined ? "removed-by-refresh" : { unsure };
    });
  }

  private tell(strangers: readonly LiveEntry[], declaration: Declaration, fateIn: (domain: string) => Fate): void {
    const wording = this.parts.siblings.wording(declaration);
    for (const [domain, entries] of groupBy(strangers, ({ record }) => record.domain)) {
      this.parts.reporter.warn(textOf(reason("live.undeclared", { domain, names: strangersText(entries, wording), live: entries.length, fate: fateIn(domain) })));
    }
  }
}
