import { answerQuestion } from "../../emulator/dnsAnswer";
import type { Service } from "../../emulator";
import { split } from "../../provider/support/collections";
import type { Resource } from "./engine";
import type { ZoneRecord } from "./facts";
import { declaredIn, keyOf, type Program } from "./program";

export interface Question {
  readonly domain: string;
  readonly name: string;
}

export const isAddress = ({ type, line }: { readonly type: string; readonly line?: string | undefined }) =>
  (type === "A" || type === "CNAME") && line === undefined;

/** Names with an address that a resource owns and declares, before and after. */
export function questionsOf(program: Program, resources: readonly Resource[], service: Service): Question[] {
  const all = [...service.world.domains.values()];
  return program.flatMap((declared) => {
    const [before, others] = split(
      resources,
      ({ name, type, deleting }) => name === declared.name && type === declared.type && !deleting,
    );
    // A record may be in two ledgers. Either resource may then change it (tools/simulate/README.md).
    const shared = ledgerIds(others, "+=");
    const ids = new Set([...ledgerIds(before, "+=")].filter((id) => !shared.has(id)));
    const live = all.flatMap(({ name: domain, records }) =>
      [...records.values()].flatMap(({ id, enabled, type, lineId, name }) => {
        const line = lineId === "0" ? undefined : lineId;
        return ids.has(id) && enabled && isAddress({ type, line }) ? [`${domain} ${name}`] : [];
      }),
    );
    const places = new Map(
      declaredIn(declared)
        .filter(({ spec }) => isAddress(spec))
        .map(({ domain, spec: { name } }) => [`${domain} ${name}`, { domain, name }]),
    );
    return [...places].flatMap(([place, question]) => (live.includes(place) ? [question] : []));
  });
}

export function answered(service: Service, questions: readonly Question[]): Question[] {
  return questions.filter(
    ({ domain, name }) =>
      answerQuestion(service.world, name === "@" ? domain : `${name}.${domain}`, "A").answers.length > 0,
  );
}

/** The writes that the state has as open: the number of a job, or else the resource and the domain. */
export function openWritesOf(resources: readonly Resource[]): ReadonlySet<string> {
  const open = resources.flatMap((resource) => {
    const lines = String(resource.outputs["__ledger"] ?? "").matchAll(/^([@?]) (\S+) (\S+) /gm);
    return [...lines].map(([, mark, first = "", domain = ""]) =>
      mark === "@" ? first : `${keyOf(resource)} ${domain}`,
    );
  });
  return new Set(open);
}

/** The state owns the record, or has the write that created it as open. */
export function isTracked(state: readonly Resource[], { domain, id, versions: [made] }: ZoneRecord): boolean {
  const open = openWritesOf(state);
  const isLost = made?.by?.wasNumbered === false && [...open].some((each) => each.endsWith(` ${domain}`));
  return ledgerIds(state, "+=").has(id) || open.has(String(made?.by?.job)) || isLost;
}

/** @param marks of the lines: `+` created, `=` adopted */
export function ledgerIds(resources: readonly Resource[], marks: string): Set<number> {
  const lines = resources.flatMap(({ outputs }) => String(outputs["__ledger"] ?? "").split("\n"));
  return new Set(
    lines.flatMap((line) => {
      const mark = line.charAt(0);
      if (mark === "" || line.charAt(1) !== " " || !marks.includes(mark)) return [];
      const entries = line.split(" ").slice(3);
      return entries.map((entry) => Number(entry.split(":")[1]));
    }),
  );
}
