/**
 * Invariants 3, 4, 11 and 12 in full mode (docs/invariants.md): which records a process may touch, which must
 * stay, that each modification changes something, and that no call takes a name's last answer.
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
    // A record that the console made equal to another resource's is in both ledgers (docs/invariants.md).
    // Either resource may change it.
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

/** The names that the DNS answers for. Names of a domain that the service does not serve are excluded. */
export function answered(service: Service, questions: readonly Question[]): Question[] {
  return questions.filter(
    ({ domain, name }) =>
      answerQuestion(service.world, name === "@" ? domain : `${name}.${domain}`, "A").answers.length > 0,
  );
}

/** Every record id in a stack's ledgers: owned, stale or unmanaged. */
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
