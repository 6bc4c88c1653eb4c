/** The zones as hosts have read them, for each step that of its own account. Pure. */
import { gather } from "../../provider/gather";
import { isZoneOf } from "./holding";
import type { ToldZone } from "./outlooks";
import type { Step } from "./preview";

export class ReadZones {
  private readonly zones: ReadonlyMap<string, ToldZone>;
  /** By provider, whether zones are of its account. */
  private readonly ofProviders = new Map<string | undefined, Map<ToldZone, boolean>>();

  /** @param providers under which something is declared, by domain */
  constructor(
    zones: readonly ToldZone[],
    private readonly steps: readonly Step[],
    private readonly providers: ReadonlyMap<string, ReadonlySet<string | undefined>>,
  ) {
    this.zones = new Map(zones.map((each) => [each.zone, each]));
  }

  /** A domain's zone, whoever has read it. */
  get(domain: string): ToldZone | undefined {
    return this.zones.get(domain);
  }

  /** A zone as the host of a step's provider has read it; none where it may have been another's, of another account. */
  of(step: Step, domain: string): ToldZone | undefined {
    const zone = this.zones.get(domain);
    const hasOthers = [...(this.providers.get(domain) ?? [])].some((each) => each !== step.provider);
    return zone !== undefined &&
      (!hasOthers || this.isOfProvider(zone, step.provider) || isZoneOf(step, zone.records))
      ? zone
      : undefined;
  }

  /** Whether a zone lists some record that a resource of the program under this provider answers for. */
  private isOfProvider(zone: ToldZone, provider: string | undefined): boolean {
    const of = gather(this.ofProviders, provider, new Map<ToldZone, boolean>());
    const known =
      of.get(zone) ?? this.steps.some((step) => step.provider === provider && isZoneOf(step, zone.records));
    of.set(zone, known);
    return known;
  }
}
