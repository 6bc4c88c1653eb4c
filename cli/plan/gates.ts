/** The safety gates over deletions of whole resources. Only the up counts these, so the plan has a note. Pure. */
import { fewestForShare, gateNames } from "../../provider/dns";
import type { PlanSettings } from "../../provider/lifecycle/plan-file";
import { confirmHelp, diagnosticOf, reason, rendered } from "../../provider/problems";

export interface Deletion {
  readonly settings: PlanSettings;
  /** One that the record's role or its resource's `protect` concerns. */
  readonly gate: string | undefined;
  /** The domain's live records. Undefined if the zone was not listed. */
  readonly live: number | undefined;
}

/** @param deletions by domain */
export function gateNotes(deletions: ReadonlyMap<string, readonly [Deletion, ...Deletion[]]>): string[] {
  const gated = [...deletions].flatMap(([domain, these]) => {
    const [{ live, settings }] = these;
    if (settings.confirmedDomains.includes(domain)) return [];
    const { maxChangeShare } = settings;
    const isMany =
      live === undefined || (live >= fewestForShare && these.length * 100 > live * maxChangeShare);
    const gates = [
      ...(live !== undefined && these.length >= live ? [gateNames.zone] : isMany ? [gateNames.share] : []),
      ...new Set(these.flatMap(({ gate = [] }) => gate)),
    ];
    const text = `${these.length} to delete${live === undefined ? "" : `, ${live} live`}`;
    const lines = [{ text, ...(isMany && { note: `maxChangeShare ${maxChangeShare} %` }) }];
    return gates.length === 0 ? [] : [{ domain, gate: gates.join(", "), settings, lines }];
  });
  return gated.map(({ domain, gate, lines, settings: { explicit, confirmedDomains } }) => {
    const confirm = confirmHelp(explicit, [...confirmedDomains, ...gated.map((each) => each.domain)], "up");
    const stopped = diagnosticOf(reason("zone.gated", { domain, gate, confirm, whole: "" }, lines));
    return rendered({ ...stopped, title: `${domain}: the up may stop at a safety gate: ${gate}` });
  });
}
