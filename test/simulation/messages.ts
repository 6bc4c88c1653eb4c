/** The records that a stack's messages name. Only laws about messages use this. */
import type { Version } from "./facts";
import type { Observer } from "./observer";
import { secretMark } from "./program";

/** These name records that no state has, or that it soon forgets. */
const naming =
  /\[(?:live\.(?:retained|adopted|unknown|twin|twice|beside|undeclared|undeclared-goes|unwanted|exists|in-the-way|left-over)|zone\.released|job\.\w+)\]|taken over by/;

/** Since its last write, a message names the record by its id, or by its text if no listing showed the id. */
export function isNamed(world: Observer, { by, identity = "", record }: Version, stack: string): boolean {
  const [host = "", type = "", ...rest] = identity.split(" ");
  const [, data = "", line = ""] = /^(.*?)( \[[^\]]*\])?$/s.exec(rest.join(" ")) ?? [];
  const forms = data.includes(secretMark) ? ["(secret)"] : [data + line, JSON.stringify(data) + line];
  return world.messages.some(
    ({ at, process, text }) =>
      process.stack === stack &&
      at >= (by?.sentAt ?? 0) &&
      naming.test(text) &&
      (hasNumber(text, record.id) ||
        (/\[(?:live\.unknown|job\.pending)\]/.test(text) &&
          forms.some((form) => text.includes(`${host}. ${type} ${form}`)))),
  );
}

export function hasNumber(text: string, id: number): boolean {
  return new RegExp(`\\b${id}\\b`).test(text);
}

export function textsOf(world: Observer, stack: string, since: number): string {
  const heard = world.messages.filter(({ process, at }) => process.stack === stack && at >= since);
  return heard.map(({ text }) => text).join("\n");
}
