import { isNamedToGo, isOwn } from "../ownership";
import type { Law } from "./law";

export const ownOnly = {
  name: "own-only",
  sentence:
    'A record is changed or deleted only if this stack created it, owns it by id after an adoption that the mode allows, or `undeclared: "remove"` or `absent` names it and no `ignore` does.',
  row: "Other people's records stay as they are.",
  *changed(world, { record, before, after, call }) {
    const { process, operation, seen, sentAt } = call;
    if (isOwn(world, { record, before, after, call })) return;
    const shown = seen.get(record.domain)?.shown.get(record.id)?.identity ?? "";
    if (isNamedToGo(world, process, record.domain, shown, sentAt)) return;
    yield `${operation} of ${process.name} makes ${after.identity ?? "nothing"} of record ${record.id} (${before.identity ?? ""}), which its stack does not own`;
  },
} as const satisfies Law;
