/** Refreshes a resource. Writes nothing. */
import { warnOf } from "../support/reporter";
import { makers } from "./account/departures";
import { findingsOf, withFound, type Observed } from "./account/observed";
import { findUndeclared, tellUndeclared } from "./account/undeclared";
import { createOnly, type Declaration } from "./declaration";
import { digestOf, type Ledger } from "./memory/ledger";
import type { Plan } from "./plan/plan";
import { oursOf, planTask, type Task } from "./plan/task";
import type { Run } from "./run";
import type { Session } from "./session";
import { goneReasons, withAll } from "./settle/gone-domains";
import { readZones } from "./settle/read-zones";
import { duplicateReasons, obstacleReason, uncertainReason } from "./wording";
import type { LiveEntry, Zones } from "./zones/zone";

export class Observer {
  private readonly run: Run;

  constructor(private readonly session: Session) {
    this.run = session.run;
  }

  async observe(declaration: Declaration, ledger: Ledger): Promise<Observed> {
    this.run.siblings.quiet.heard();
    const { result, aside } = await this.run.gone.beside(
      { declaration, before: declaration.records, ledger },
      (rest) => this.observeRest(rest),
    );
    warnOf(this.run.reporter, this.run.gone.untold(goneReasons(aside, "gone")));
    const unread = aside.declaration.records.map((record) => ({ state: "unread", record }) as const);
    return {
      ...result,
      findings: [...result.findings, ...unread],
      ledger: withAll(result.ledger, aside),
    };
  }

  private async observeRest({ declaration, ledger }: Task): Promise<Observed> {
    const { records } = declaration;
    const { ledger: settled } = await this.session.settle({ declaration, before: [], ledger }, "index");
    const wording = this.run.siblings.wording(declaration);
    const uncertain = settled.uncertain.map((write) => uncertainReason(write, records, wording));
    warnOf(this.run.reporter, uncertain);
    const zones = await readZones(this.run, records, settled);
    const plan = planTask(
      {
        declaration: { ...declaration, adopt: true, may: createOnly },
        before: records,
        ledger: { ...settled, undeclared: [], uncertain: [] },
      },
      zones,
      () => false,
    );
    warnOf(this.run.reporter, duplicateReasons(plan.duplicates, this.run.siblings.wording(declaration)));
    this.run.siblings.hold(records, zones);
    const undeclared = await findUndeclared(this.run, declaration);
    tellUndeclared(this.run, declaration, undeclared);
    const going = declaration.report?.remove === true ? undeclared : [];
    const found = [...plan.leftOver, ...going];
    // The changed value may be a secret of a resource that is not checked yet.
    if (found.length > 0) await this.run.siblings.quiet.wait();
    const secrets = new Set(found.filter(({ key }) => this.run.siblings.isSecret(key)));
    const entered = await this.entered(settled, plan, declaration, zones);
    const refs = going.map(({ domain, id }) => ({ domain, id }));
    return {
      findings: findingsOf(plan, settled),
      strays: plan.leftOver,
      undeclared: going,
      secrets,
      ledger: this.session.stored({ ...entered, undeclared: refs }),
    };
  }

  /**
   * The live records that a resource holds, for a plan of its deletion. @returns with them, domain → number
   * of records that are not the service's own
   */
  async holdings(
    declaration: Declaration,
    ledger: Ledger,
  ): Promise<{ readonly held: readonly LiveEntry[]; readonly live: ReadonlyMap<string, number> }> {
    const current = this.session.hear(declaration, [], ledger);
    const zones = await readZones(this.run, declaration.records, current);
    const live = [...zones].map(
      ([domain, { entries }]) => [domain, entries.filter(({ hold }) => !hold).length] as const,
    );
    return { held: [...oursOf(current, declaration.records, zones)], live: new Map(live) };
  }

  /** Adds the records that are live as declared, and reports those that must not be adopted. */
  private async entered(ledger: Ledger, plan: Plan, declaration: Declaration, zones: Zones): Promise<Ledger> {
    const strange = declaration.adopt ? [] : plan.adopted;
    const obstacles = strange.map(({ record, live }) => ({ kind: "exists", record, live: [live] }) as const);
    warnOf(
      this.run.reporter,
      obstacles.map((each) => obstacleReason(each, this.run.siblings.wording(declaration))),
    );
    const refused = new Set(strange.map(({ live }) => live));
    const found = plan.present.filter(
      ({ record, live }) => !refused.has(live) && ledger.owned.get(digestOf(record))?.id !== live.id,
    );
    return withFound(
      ledger,
      found,
      zones,
      await makers(
        this.run,
        found.map(({ live }) => live),
        false,
      ),
    );
  }
}
