/** What a plan says beside its figures and lines, a sentence each: what fails, what stays and why, what it has not seen. Pure. */
import { shortText } from "../../provider/dns";
import { groupBy } from "../../provider/gather";
import { reason, textOf, type Reason } from "../../provider/problems";
import { shortly } from "../../provider/problems/ways";
import { count, listed } from "../../provider/words";
import type { GateNote } from "./gate-notes";
import type { Step } from "./preview";
import { compare, orderOf } from "./records";
import type { Rules } from "./rules";
import { placeOf, type Held, type Replaced, type Tally } from "./tally";

/** A setting of the stack that the up does not hear of. */
export interface Unheard {
  readonly name: string;
  /** Empty where the stack does not set it any more. */
  readonly value: string;
  readonly variable: string;
}

/** What the engine does not begin, since the up fails before. */
export function failureNotes({ waiting, removed }: Tally, steps: readonly Step[], rules: Rules): string[] {
  const names = new Set(steps.flatMap(({ urn, resource }) => (waiting.has(urn) ? [resource] : [])));
  const stuck = new Set(
    removed.flatMap((held) => (rules.outcomeOf(held) === "fails" ? [held.step.urn] : [])),
  );
  const deletedFirst = steps.flatMap(({ deletedFirst: isFirst, urn, resource }) =>
    isFirst === true && stuck.has(urn) ? [resource] : [],
  );
  const changing = new Set(
    steps.flatMap(({ op, type, urn }) =>
      op === "same" || op === "refresh" || type.startsWith("pulumi:") ? [] : [urn],
    ),
  );
  return [
    ...(names.size === 0
      ? []
      : [`the up does not begin what depends on a resource that fails: ${listed([...names])}`]),
    ...(deletedFirst.length === 0
      ? []
      : [
          `with deleteBeforeReplace the deletion comes first; where it fails nothing is made in its place, though the figures count it, and the engine never ends \`pulumi up --continue-on-error\`: ${listed(deletedFirst)}. Take the option out`,
        ]),
    ...(changing.size < 2
      ? []
      : [
          "the up fails, and the figures are those of `pulumi up --continue-on-error`: without it the engine may begin nothing more, and no deletion, once a resource has failed",
        ]),
  ];
}

/** Where the state alone tells what stays. */
export function unreadNotes(tally: Tally, rules: Rules): string[] {
  const stuck = tally.removed.filter(
    (held) =>
      !held.isShare && held.isTold !== true && rules.outcomeOf(held) === "fails" && !tally.isRead(held),
  );
  const domains = [...new Set(stuck.map(({ domain }) => domain))].sort(compare);
  return domains.length === 0
    ? []
    : [
        `this plan has not read the zone of ${listed(domains)}, where the program declares nothing any more: what is told to stay there may be gone already`,
      ];
}

export function unheardNotes(unheard: readonly Unheard[]): string[] {
  if (unheard.length === 0) return [];
  const [names, does] = [
    unheard.map(({ name }) => `legacydns:${name}`).join(", "),
    unheard.length === 1 ? "does" : "do",
  ];
  const variables = unheard.map(({ variable, value }) => `${variable}=${value}`).join(" ");
  const set = unheard.every(({ value }) => value !== "")
    ? `: \`${variables} pulumi up\``
    : ` (${unheard.map(({ variable }) => variable).join(", ")})`;
  return [
    `${names} ${does} not count as the stack has ${unheard.length === 1 ? "it" : "them"} now: the program declares no resource of this provider any more, so the up runs with the settings of the last up. Use the environment${set}`,
  ];
}

const limited = "the service's documented interface can neither change nor remove a record";
export const decidesLate = `where the update finds another record than the live one that \`?\` marks, the up fails: ${limited}`;

/** What ends the up with an error, as the hosts tell it, and what goes and stays. */
export function removalNotes(told: readonly Reason[], tally: Tally, rules: Rules): string[] {
  const byEngine: Held[] = [];
  const kept: Held[] = [];
  const checked: Held[] = [];
  const shares: Held[] = [];
  for (const record of [...tally.removed].sort((a, b) => compare(orderOf(a.text), orderOf(b.text)))) {
    const means = rules.removalOf(record.step);
    if (record.step.retained !== undefined) byEngine.push(record);
    else if (means === "delete" && rules.isFull(record.step)) continue;
    else if (record.isShare) shares.push(record);
    else if (means === "retain") kept.push(record);
    else if (record.isTold !== true) checked.push(record);
  }
  const named = (held: readonly Held[]): string => listed(held.map(({ text }) => shortText(text)));
  const ways = new Map<string, string>();
  const failures = [
    ...[...told].sort((a, b) => compare(textOf(a), textOf(b))),
    ...leftOverReasons(checked, rules, tally.declaredPlaces()),
  ];
  return [
    ...new Set(failures.map((why) => textOf(shortly(ways, why)))),
    ...(kept.length > 0
      ? [
          `${count(kept.length, "record")} no longer declared, left in the zone (removal: retain): ${named(kept)}`,
        ]
      : []),
    ...[...groupBy(byEngine, ({ step }) => step.retained)].map(
      ([option, held]) => `no longer declared, left as it is (${String(option)}): ${named(held)}`,
    ),
    ...[...groupBy(shares, ({ step }) => whyShared(step, rules))].map(
      ([why, { length }]) =>
        `${count(length, "share")} no longer declared: ${why}. End ${length === 1 ? "it" : "them"} in the service's console`,
    ),
  ];
}

/** Why a share stays that is no longer declared. */
function whyShared(step: Step, rules: Rules): string {
  return rules.isFull(step)
    ? `left on the service (removal: ${rules.removalOf(step)})`
    : "the documented interface cannot end a share";
}

/** What is said of records that stay and keep an up from its end, in the up's own words: once for those with the same ways out. */
function leftOverReasons(held: readonly Held[], rules: Rules, places: ReadonlySet<string>): Reason[] {
  const howOf = ({ step }: Held) => {
    const explicit = rules.providerOf(step) !== undefined;
    const removalSetBy =
      rules.ownRemovalOf(step) !== undefined
        ? explicit
          ? "resource-of-provider"
          : "resource"
        : explicit
          ? "provider"
          : "stack";
    const command = removalSetBy === "stack" || rules.isDeclared(step) ? "up" : "delete";
    return { removalSetBy, command, change: rules.isFull(step), full: false, unproven: false } as const;
  };
  const groups = groupBy(held, (each) => JSON.stringify(howOf(each)));
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([, these]) => {
      const [first] = these;
      if (first === undefined) return [];
      const enabled = these.filter(({ ttl }) => !ttl.endsWith("(disabled)"));
      const both = enabled.some((each) => places.has(placeOf(each)));
      return [
        reason("live.left-over-planned", {
          ...howOf(first),
          names: listed(these.map(({ text }) => shortText(text))),
          first: shortText(first.text),
          live: these.length,
          enabled: enabled.length,
          both,
          changed: 0,
        }),
      ];
    });
}

export function changeNotes(changes: number): string[] {
  if (changes === 0) return [];
  const what = changes === 1 ? "1 change of a TTL" : `${changes.toLocaleString("en-US")} changes of TTLs`;
  return [
    `${what}: ${limited}. It takes effect where the live record has that TTL already; else an up refuses it or fails. Change it in the service's console`,
  ];
}

export function enablingNotes(enablings: number): string[] {
  if (enablings === 0) return [];
  const it = enablings === 1 ? "it" : "them";
  return [
    `${count(enablings, "record")} live, but disabled: ${limited}. Enable ${it} in the service's console; until then an up refuses ${it} or fails`,
  ];
}

export function halfDoneNotes(steps: readonly Step[]): string[] {
  const unfinished = steps.filter(
    ({ halfDone, after, op }) => halfDone && after !== undefined && op !== "same",
  );
  return unfinished.map(
    ({ resource }) =>
      `${resource}: the last run of it ended with an error; an up reads the zone again, makes what is missing and says what is still to be mended`,
  );
}

/** What becomes of a resource that was replaced and is still to be deleted. @param replaced none where all of it is declared again */
export function pendingNotes(
  step: Step,
  replaced: Replaced | undefined,
  rules: Rules,
  gates: readonly GateNote[],
): string[] {
  if (replaced === undefined) return [];
  const { named, isGone, isRead } = replaced;
  const [first] = named;
  const what =
    first === undefined
      ? "what it was"
      : named.length === 1
        ? shortText(first.text)
        : `${shortText(first.text)} and ${named.length - 1} more`;
  const fates = {
    stays: "an up lets go of it, and leaves it in the zone",
    fails: `each up tries at its end, and fails as long as it is live and cannot be removed${isRead ? "" : ". This plan has not read its zone: it may be gone already"}`,
    goes: "an up removes it at its end",
    "may go": "an up removes it at its end, unless a safety gate refuses that (see the warnings)",
    "is kept": "an up tries to remove it at its end, and a safety gate refuses that (see the warnings)",
    gone: "it is not live any more, and an up lets go of it",
  };
  const isAmong = (among: (note: GateNote) => readonly Held[]): boolean =>
    gates.some((note) => among(note).some((held) => held.step === step));
  const gated = isAmong(({ refused }) => refused)
    ? "is kept"
    : isAmong(({ checked }) => checked)
      ? "may go"
      : "goes";
  const fate = isGone ? "gone" : (rules.outcomeOf({ step, isShare: first?.isShare === true }) ?? gated);
  return [`${step.resource}: ${what} was replaced, and is still to be deleted: ${fates[fate]}`];
}
