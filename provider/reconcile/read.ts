/**
 * Lists the zones of a task. A domain that has left the account is data: what the task has there is set aside, and its
 * part of the ledger stays as it is.
 */
import { failureReason, ServiceError } from "../api";
import type { DeclaredRecord } from "../dns";
import { commandsOf, reason, type Command, type Reason, type RecordLine } from "../problems";
import { Refusal } from "../problems/refusal";
import { domainsOf } from "../support/collections";
import { howOf, type Declaration } from "./declaration";
import { byDigest, partOf, type Ledger } from "./memory/ledger";
import type { Task } from "./plan/plan";
import type { Run } from "./run";
import { declaredLine, type Hides } from "./wording";
import { DomainNotInAccount } from "./zones/listing";

/** What a task has in domains that have left the account. */
export interface GonePart extends Task {
  readonly domains: ReadonlySet<string>;
}

/** A declared domain, one that was dropped from the state, or one that a failed destroy keeps. */
type GoneFate = "gone" | "released" | "kept";

/**
 * Under `retain`, zones with former or stale records only need not be readable.
 * @returns the task without the domains that have left the account
 * @throws Refusal, or LegacyDnsError if a zone cannot be read
 */
export async function read(
  { zones }: Run,
  task: Task,
  command: Command = "up",
): Promise<{ readonly task: Task; readonly aside: GonePart }> {
  const { declaration, ledger } = task;
  const { domains: all, isUnwanted, records, removal, undeclared } = declaration;
  const former = domainsOf([...task.before, ...ledger.held]);
  const left = removal === "retain" ? [] : former;
  const watched = undeclared === undefined && isUnwanted === undefined ? [] : all;
  const { failures } = await zones.readable([...domainsOf(records), ...watched, ...left]);
  const held = new Set(former);
  const domains = new Set(goneIn(failures).filter((domain) => held.has(domain)));
  const others = failures.filter(
    (failure) => !(failure instanceof DomainNotInAccount && domains.has(failure.domain)),
  );
  if (others.length > 0) throw unreadable(others, declaration, command);
  const isHere = (domain: string): boolean => !domains.has(domain);
  return { task: partOfTask(task, isHere), aside: { ...partOfTask(task, (each) => !isHere(each)), domains } };
}

export function goneIn(failures: readonly unknown[]): string[] {
  return failures.flatMap((each) => (each instanceof DomainNotInAccount ? each.domain : []));
}

function partOfTask(task: Task, isIn: (domain: string) => boolean): Task {
  const { before, declaration, ledger } = task;
  const { domains, records } = declaration;
  const is = ({ domain }: DeclaredRecord): boolean => isIn(domain);
  return {
    before: before.filter(is),
    ledger: partOf(ledger, isIn),
    declaration: {
      ...declaration,
      records: records.filter(is),
      domains: domains.filter(isIn),
    },
  };
}

/** A refused zone that nothing declares any more can be released. */
function unreadable(failures: readonly unknown[], declaration: Declaration, command: Command): unknown {
  const [first] = failures;
  const areRefused = failures.every((each) => each instanceof ServiceError && each.about === "domain");
  const named = areRefused ? failures : [first];
  const declared = new Set(command === "up" ? domainsOf(declaration.records) : []);
  const commands = commandsOf(howOf(declaration), command);
  const reasons = named.flatMap((failure): Reason[] => {
    if (!(failure instanceof ServiceError) || failure.target === undefined) return [];
    const { happened, target: domain } = failure;
    if (!declared.has(domain))
      return [reason("zone.unreadable", { domain, ...commands }, undefined, happened)];
    return named.length > 1 ? [failureReason(failure)] : [];
  });
  return reasons.length === 0 ? first : new Refusal(reasons);
}

/** @param fate of the records there. Default: by their declaration */
export function goneReasons(
  { before, declaration, domains, ledger }: GonePart,
  wording: Hides,
  fate?: GoneFate,
): Reason<`zone.${GoneFate}`>[] {
  const declared = new Set(domainsOf(declaration.records));
  const commands = commandsOf(howOf(declaration), "destroy");
  const records = byDigest([...declaration.records, ...before]);
  return [...domains].map((domain) => {
    const code = fate ?? (declared.has(domain) ? "gone" : "released");
    const lines =
      code === "released"
        ? heldLines(
            partOf(ledger, (each) => each === domain),
            records,
            wording,
          )
        : undefined;
    return reason(`zone.${code}`, { domain, ...commands }, lines);
  });
}

function heldLines(
  { held }: Ledger,
  records: ReadonlyMap<string, DeclaredRecord>,
  wording: Hides,
): RecordLine[] {
  return held.map(({ digest, id }) => {
    const record = records.get(digest);
    return record === undefined ? { text: `record ${id}` } : declaredLine(record, wording, `record ${id}`);
  });
}
