/** Reads the world of the emulated service. */
import type { RecordView, Service } from "../../emulator";
import { recordView } from "../../emulator/admin";
import { settleNext } from "../../emulator/service/jobs";
import { indexed } from "../../emulator/service/zone";
import { listed, shownOf, type Call, type Listing, type ZoneRecord } from "./facts";
import { identity } from "./program";

export class ServiceFacts {
  constructor(
    private readonly service: Service,
    private readonly now: () => number,
  ) {}

  /** Lets the first due record of the jobs take effect. @returns whether there was one */
  readonly settleNext = (): boolean => settleNext(this.service.world);

  /** As they are, without the effects of jobs that are due. */
  viewsOf(domain: string): RecordView[] {
    return [...(this.zoneOf(domain)?.records.values() ?? [])].map(recordView);
  }

  listing(domain: string): Listing {
    const zone = this.zoneOf(domain);
    const records = zone === undefined ? [] : indexed(zone, this.now());
    return {
      domain,
      at: this.now(),
      shown: new Map(records.map((each) => [each.id, shownOf(domain, { ...each, line: each.lineName })])),
    };
  }

  hasEnded({ job }: Call): boolean {
    return job !== undefined && this.service.world.jobs.get(job)?.done === true;
  }

  isRefused({ job = 0 }: Call, what: string): boolean {
    const items = this.service.world.jobs.get(job)?.items ?? [];
    return items.some(({ domain, records }) =>
      records.some(({ name, type, value, area: line, mx, status }) => {
        const record = { name, type, value, line, mx: mx === null ? undefined : Number(mx) };
        return status === "error" && identity(domain, record) === what;
      }),
    );
  }

  hasRefused({ job }: Call): boolean {
    return this.recordsOf(job).some(({ status }) => status === "error");
  }

  hasChanged({ job }: Call, id: number): boolean {
    return this.recordsOf(job).some(({ recordId, status }) => recordId === id && status === "ok");
  }

  makerOf(recordId: number, jobs: ReadonlyMap<number, Call>): Call | undefined {
    for (const [id, job] of jobs)
      if (this.recordsOf(id).some((record) => record.recordId === recordId)) return job;
    return undefined;
  }

  private recordsOf(job = 0) {
    return this.service.world.jobs.get(job)?.items.flatMap(({ records }) => records) ?? [];
  }

  zoneOf(domain: string) {
    return [...this.service.world.domains.values()].find(({ name }) => name === domain);
  }

  identitiesOf({ params }: Call): string[] {
    const { domains } = this.service.world;
    const records = JSON.parse(params["records"] ?? "[]") as ({ MX?: number } & Record<
      "sub_domain" | "record_type" | "record_line" | "value",
      string
    >)[];
    return listed(params["domain_id"]).flatMap((id) =>
      records.flatMap(({ sub_domain, record_type: type, record_line: line, value, MX: mx }) =>
        listed(sub_domain).map((name) =>
          identity(domains.get(Number(id))?.name ?? id, { name, type, value, line, mx }),
        ),
      ),
    );
  }

  /** The record is so from now on. */
  enter(record: ZoneRecord, view: RecordView | undefined, by: Call | undefined): void {
    const { id, domain } = record;
    const zone = this.zoneOf(domain);
    const stored = zone?.records.get(id);
    // A look may come later.
    const at = stored?.updatedAt ?? this.now();
    const dueAt = stored?.visibleAt ?? zone?.index.get(id)?.goneAt ?? at;
    const visibleAt = Math.max(dueAt, at);
    record.versions.push({ record, view, identity: view && identity(domain, view), at, visibleAt, by });
  }
}
