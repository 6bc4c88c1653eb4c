/** Texts that must not be printed. */
import { inspect } from "node:util";

/** Not in a private `#` field: a compiler with an old target refuses one in the types of the package. */
const secretTexts = new WeakMap<Secret, string>();

/** A text that cannot be printed by accident: only `reveal` gives it away. */
export class Secret {
  constructor(value: string) {
    secretTexts.set(this, value);
  }

  /** The text itself, for the one place that sends it. */
  reveal(): string {
    return secretTexts.get(this) ?? "";
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [inspect.custom](): string {
    return "[secret]";
  }
}
