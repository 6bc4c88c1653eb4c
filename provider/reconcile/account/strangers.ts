/** Live records that no resource of the stack declares: found once all of them have said what they declare. */
import type { Declaration } from "../declaration";
import { gather } from "../../gather";
import { strangerText, unprovenWhy } from "../messages";
import type { Run } from "../run";
import { count, listed } from "../words";
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

  /** Says, after a refresh, what it has found. */
  tellFound(strangers: readonly LiveEntry[], declaration: Declaration): void {
    const advice = declaration.report?.remove === true ? ". The next `pulumi up` removes them, unless a resource of the program may declare them" : "";
    this.tell(strangers, declaration, () => advice);
  }

  /**
   * Says, after an update, what else is live. Never rejects: what was written must reach the state, whatever a reading of
   * the zone comes to.
   * @param known what the update has had to do with
   */
  async tellOthers(declaration: Declaration, known: readonly { readonly domain: string; readonly id: string }[]): Promise<void> {
    const { reporter, siblings } = this.parts;
    const own = new Set(known.map(({ domain, id }) => `${domain} ${id}`));
    let strangers: LiveEntry[];
    try {
      strangers = (await this.find(declaration)).filter(({ id, record }) => !own.has(`${record.domain} ${id}`));
    } catch (error) {
      reporter.warn(`what nobody declares was not looked for: ${explain(error)}`);
      return;
    }
    this.tell(strangers, declaration, (domain) => {
      const names = siblings.unsureOf(domain);
      if (declaration.report?.withheld === true) return `. None of them is removed: ${unprovenWhy}`;
      if (declaration.report?.remove !== true) return "";
      if (names === undefined) return `. \`pulumi up --refresh\` shows them in its plan and removes them`;
      return `. None of them is removed, since ${names} may declare records there that are known later, or to another provider only. Remove them in the service's console, or give those resources plain values and the same provider`;
    });
  }

  private tell(strangers: readonly LiveEntry[], declaration: Declaration, advice: (domain: string) => string): void {
    const wording = this.parts.siblings.wording(declaration);
    const byDomain = new Map<string, LiveEntry[]>();
    for (const entry of strangers) gather<string, LiveEntry[]>(byDomain, entry.record.domain, []).push(entry);
    for (const [domain, entries] of byDomain) {
      const list = listed(entries.map((entry) => strangerText(entry, wording)));
      this.parts.reporter.warn(`${domain}: ${count(entries.length, "record")} live that nobody declares: ${list}${advice(domain)}`);
    }
  }
}
