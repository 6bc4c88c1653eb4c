import { answerQuestion } from "../../emulator/dnsAnswer";
import type { Service } from "../../emulator";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import type { Resource, Stack } from "./engine";
import type { Process } from "./process";
import { declaredIn, type Program } from "./program";

export interface Question {
  readonly domain: string;
  readonly name: string;
}

const isAddress = ({ type, line }: { readonly type: string; readonly line?: string | undefined }) =>
  (type === "A" || type === "CNAME") && line === undefined;

export function questionsOf(
  program: Program,
  { resources }: Stack,
  { settings }: Process,
  service: Service,
): Question[] {
  return program.flatMap((declared) => {
    const before = resources.find(
      ({ name, type, deleting }) => name === declared.name && type === declared.type && !deleting,
    );
    if (before === undefined) return [];
    const stored = (before.type === "Record" ? recordForm : recordBatchForm).stored(before.outputs, settings);
    const old = new Set(stored.filter(isAddress).map(({ domain, name }) => `${domain} ${name}`));
    // A record may be in two ledgers. Either resource may then change it (docs/invariants.md).
    const ids = ledgerIds([before], "+=-_!");
    for (const id of ledgerIds(
      resources.filter((each) => each !== before),
      "+=-_!",
    ))
      ids.delete(id);
    const live = new Set(
      [...service.world.domains.values()].flatMap(({ name: domain, records }) =>
        [...records.values()]
          .filter(({ id, enabled, type, lineId: line }) => {
            return ids.has(id) && enabled && isAddress({ type, line: line === "0" ? undefined : line });
          })
          .map(({ name }) => `${domain} ${name}`),
      ),
    );
    const places = new Map(
      declaredIn(declared)
        .filter(({ spec }) => isAddress(spec))
        .map(({ domain, spec: { name } }) => [`${domain} ${name}`, { domain, name }]),
    );
    return [...places].flatMap(([place, question]) => (old.has(place) && live.has(place) ? [question] : []));
  });
}

export function answered(service: Service, questions: readonly Question[]): Question[] {
  return questions.filter(
    ({ domain, name }) =>
      answerQuestion(service.world, name === "@" ? domain : `${name}.${domain}`, "A").answers.length > 0,
  );
}

/** @param marks of the lines: `+=-_` owned and stale, `!` unmanaged */
export function ledgerIds(resources: readonly Resource[], marks: string): Set<number> {
  const lines = resources.flatMap(({ outputs }) => String(outputs["__ledger"] ?? "").split("\n"));
  return new Set(
    lines.flatMap((line) => {
      const mark = line.charAt(0);
      if (mark === "" || line.charAt(1) !== " " || !marks.includes(mark)) return [];
      const entries = line.split(" ").slice(2);
      return entries.map((entry) =>
        Number("+=".includes(mark) ? entry.slice(entry.indexOf(":") + 1) : entry.replace(/:.*/, "")),
      );
    }),
  );
}
