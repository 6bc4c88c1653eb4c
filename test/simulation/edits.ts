/**
 * Invariants 3, 4, 11 and 12 in full mode (docs/invariants.md): which records a process may touch, which must
 * stay, that each modification changes something, and that no call takes a name's last answer.
 */
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

const isAddress = ({ type, line }: { readonly type: string; readonly line?: string | undefined }): boolean =>
  (type === "A" || type === "CNAME") && line === undefined;

/** The names that one and the same resource gives addresses: with a live record of its ledger's, and in the program. */
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
    // A record that the console made equal to another resource's is in both ledgers (docs/invariants.md).
    // Either resource may change it.
    const others = ledgerIds(
      resources.filter((each) => each !== before),
      "+=-_!",
    );
    const ids = ledgerIds([before], "+=-_!");
    const live = new Set(
      [...service.world.domains.values()].flatMap(({ name: domain, records }) =>
        [...records.values()]
          .filter(({ id, enabled, type }) => ids.has(id) && !others.has(id) && enabled && isAddress({ type }))
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

/** The names that the DNS answers for. Names of a domain that the service does not serve are excluded. */
export function answered(service: Service, questions: readonly Question[]): Question[] {
  return questions.filter(
    ({ domain, name }) =>
      answerQuestion(service.world, name === "@" ? domain : `${name}.${domain}`, "A").answers.length > 0,
  );
}

/** The record ids in resources' ledgers. @param marks those of the lines: `+=-_` owned and stale, `!` unmanaged */
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
