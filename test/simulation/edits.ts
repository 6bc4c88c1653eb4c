/**
 * What must hold where records may be changed and removed (docs/invariants.md, 3, 4, 11 and 12): which records a process
 * may touch, which must stay, that no modification changes nothing, and that no call takes a name's last answer.
 */
import { answerQuestion } from "../../emulator/dnsAnswer";
import type { Service } from "../../emulator";
import { recordForm } from "../../provider/lifecycle/record";
import { recordBatchForm } from "../../provider/lifecycle/record-batch";
import type { Stack } from "./engine";
import type { Process } from "./process";
import { declaredIn, type Program } from "./program";

/** The operations that change or remove live records. */
export const editing: ReadonlySet<string> = new Set([
  "Record.Modify",
  "Record.Remove",
  "Batch.Record.Modify",
]);

/** A name whose addresses are declared by one resource before and after an operation. */
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
    const old = new Set(
      stored.filter((record) => isAddress(record)).map(({ domain, name }) => `${domain} ${name}`),
    );
    const places = new Set(
      declaredIn(declared)
        .filter(({ spec }) => isAddress(spec))
        .map(({ domain, spec }) => `${domain} ${spec.name}`),
    );
    // What the console has made equal to another resource's record is in both ledgers (docs/invariants.md): either may change it.
    const others = idsIn({ resources: resources.filter((each) => each !== before) });
    const ids = new Set([...idsIn({ resources: [before] })].filter((id) => !others.has(id)));
    const live = new Set(
      [...service.world.domains.values()].flatMap(({ name: domain, records }) =>
        [...records.values()]
          .filter(({ id, enabled, type }) => ids.has(id) && enabled && isAddress({ type }))
          .map(({ name }) => `${domain} ${name}`),
      ),
    );
    return [...places]
      .filter((place) => old.has(place) && live.has(place))
      .map((place) => ({ domain: place.split(" ")[0] ?? "", name: place.split(" ")[1] ?? "" }));
  });
}

/** Of these names, those that the DNS has an answer for; all of a domain that the service does not serve are left out. */
export function answered(service: Service, questions: readonly Question[]): Question[] {
  return questions.filter(
    ({ domain, name }) =>
      answerQuestion(service.world, name === "@" ? domain : `${name}.${domain}`, "A").answers.length > 0,
  );
}

/** Every record id that a stack's ledgers name: answered for, left over, found declared by nobody. */
export function idsIn({ resources }: Stack): Set<number> {
  const lines = resources.flatMap(({ outputs }) => String(outputs["__ledger"] ?? "").split("\n"));
  return new Set(
    lines.flatMap((line) => {
      const words = line.split(" ").slice(2);
      if (/^[+=] /.test(line)) return words.map((entry) => Number(entry.slice(entry.indexOf(":") + 1)));
      return /^[-_!] /.test(line) ? words.map((entry) => Number(entry.replace(/:.*/, ""))) : [];
    }),
  );
}
