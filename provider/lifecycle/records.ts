/** The lifecycle of `Record` and `RecordBatch`, which differ in their form. */
import { renderAll, type Reason } from "../problems";
import { Refusal } from "../problems/refusal";
import { asFailed, hasUncertain, parseLedger, withoutMissing } from "../reconcile/memory/ledger";
import {
  answeredFor,
  declarationOf,
  declaredLast,
  withFindings,
  inputsOf,
  openNow,
  optionsOf,
  outputsOf,
  wantedOf,
} from "./declarations";
import type { Form } from "./form";
import type { Host, Operate } from "./host";
import { refusal, type Lifecycle, type Props } from "./lifecycle";
import { isPlan, planRequest } from "./plan-file";
import { writeHeld } from "./plan-lines";
import { reasonsOf } from "./preview";
import { check, previewChange, type Seen } from "./records-check";

export function recordsProvider(form: Form, operate: Operate): Lifecycle {
  const seen: Seen = { checked: new Map(), removals: new Map() };
  return {
    check: async (olds, news) => {
      try {
        return await operate((host) => check(form, host, seen, olds, news));
      } catch (error) {
        return refusal(news, renderAll(reasonsOf(error)));
      }
    },
    diff: (_id, olds, news) => operate((host) => diff(form, host, seen, olds, news)),
    create: (inputs) => operate((host) => create(form, host, inputs)),
    update: (id, given, news) => operate((host) => update(form, host, id, given, news)),
    read: (id, given) => operate((host) => read(form, host, id, given)),
    delete: (_id, given) => operate((host) => release(form, host, seen, given)),
  };
}

/** `changes` stays open: the inputs are canonical, so the engine's own comparison names the differences. */
async function diff(form: Form, host: Host, seen: Seen, olds: Props, news: Props) {
  const declared = declaredLast(olds);
  const inPlace = optionsOf(form, news, host).may.remove;
  // If the program now declares the data that a refresh found, the record is live already.
  const isAsFound = form.replaces(olds, news, inPlace).length === 0;
  const replaces = isAsFound ? [] : form.replaces(declared, news, inPlace);
  await previewChange(form, host, seen.checked, declared, news);
  // A resource that was checked earlier may have removed a record that this one declares as before.
  const isTouched = host.reconciler.writer.underWay.hasTouched(() => form.stored(news, host.settings));
  // A refresh may have kept an uncertain write.
  return isTouched || hasUncertain(olds["__ledger"]) ? { replaces, changes: true as const } : { replaces };
}

async function create(form: Form, host: Host, inputs: Props) {
  const declaration = wantedOf(form, inputs, host);
  const id = form.id(declaration.records, declaration.sensitive);
  const { ledger, failures } = await host.reconciler.apply(declaration, [], parseLedger(undefined));
  const outs = outputsOf(form, inputs, ledger, declaration);
  if (failures.length === 0) return { id, outs };
  const nothingDone = ledger.owned.size === 0 && ledger.uncertain.length === 0;
  throw nothingDone ? new Refusal(failures) : halfDone(id, outs, failures);
}

async function update(form: Form, host: Host, id: string, given: Props, news: Props) {
  const olds = declaredLast(given);
  // A former secret stays hidden in messages.
  const secret = olds["sensitive"] === true || news["sensitive"] === true;
  const declaration = { ...wantedOf(form, news, host), sensitive: secret };
  const [before, last] = [answeredFor(form, olds, host), parseLedger(olds["__ledger"])];
  const { ledger, failures } = await host.reconciler.apply(declaration, before, last);
  // A job that is still at work may yet create a former secret.
  const mayHold = ledger.stale.length + ledger.uncertain.length > 0;
  const inputs = secret && mayHold ? { ...openNow(news), sensitive: true } : news;
  const outs = outputsOf(form, inputs, ledger, declaration);
  if (failures.length > 0) throw halfDone(id, outs, failures);
  return { outs };
}

async function read(form: Form, host: Host, id: string, given: Props | undefined) {
  if (given === undefined) return {};
  const props = declaredLast(given);
  const declaration = declarationOf(form, props, host);
  const before = parseLedger(props["__ledger"]);
  if (isPlan()) {
    await writeHeld(host, { urn: before.urn, resource: undefined }, declaration, before, props["removal"]);
    // If there are no inputs, the engine finds no drift.
    if (!planRequest().drift) return { id, props: { ...given } };
  }
  const observed = await host.reconciler.observe(declaration, before);
  const inputs = form.live(inputsOf(props), observed);
  if (inputs === undefined) return {};
  // The resource no longer owns missing records, because others may declare or create them from now on.
  const missing = observed.findings.flatMap(({ state, record }) => (state === "missing" ? [record] : []));
  const ledger =
    missing.length === 0 || form.single
      ? observed.ledger
      : withoutMissing(observed.ledger, missing, observed.strays, declaration.sensitive);
  const shown = form.single ? withFindings(inputsOf(props), inputs) : inputs;
  return { id, props: outputsOf(form, shown, ledger, declaration), inputs: { ...inputs } };
}

async function release(form: Form, host: Host, seen: Seen, given: Props) {
  const props = declaredLast(given);
  const ledger = parseLedger(props["__ledger"]);
  const isReplaced = ledger.urn !== undefined && seen.removals.has(ledger.urn);
  const removal = isReplaced ? seen.removals.get(ledger.urn) : props["removal"];
  const declaration = declarationOf(form, { ...props, removal }, host);
  await host.reconciler.release({ ...declaration, isReplaced }, ledger);
}

/** The engine keeps `properties` and prints `reasons`. */
function halfDone(id: string, outs: Props, failures: readonly Reason[]): Error {
  const reasons = renderAll(failures);
  const properties = { ...outs, __ledger: asFailed(outs["__ledger"]) };
  return Object.assign(new Error(reasons.join("\n")), { id, properties, reasons });
}
