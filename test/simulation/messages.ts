/** The records that a stack's messages name. Only laws about messages use this. */
import type { ZoneRecord } from "./facts";
import type { Observer } from "./observer";
import { secretMark } from "./program";

/** A message names a record by its id, or by its text if no listing showed the id. */
export function isNamed(world: Observer, { id, now: { identity = "" } }: ZoneRecord, stack: string): boolean {
  const [host = "", type = "", ...rest] = identity.split(" ");
  const [, data = "", line = ""] = /^(.*?)( \[[^\]]*\])?$/s.exec(rest.join(" ")) ?? [];
  const forms = data.includes(secretMark) ? ["(secret)"] : [data + line, JSON.stringify(data) + line];
  const isOf = new RegExp(`\\b${id}\\b`);
  return world.messages.some(
    ({ process, level, text }) =>
      process.stack === stack &&
      level !== "progress" &&
      (isOf.test(text) ||
        (/\[(?:live\.unknown|job\.pending)\]/.test(text) &&
          forms.some((form) => text.includes(`${host}. ${type} ${form}`)))),
  );
}

export function textsOf(world: Observer, stack: string, since: number): string {
  const heard = world.messages.filter(({ process, at }) => process.stack === stack && at >= since);
  return heard.map(({ text }) => text).join("\n");
}
