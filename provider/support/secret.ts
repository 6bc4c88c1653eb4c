import { inspect } from "node:util";

/** Not a private `#` field, because a compiler with an old target refuses it in the package's types. */
const secretTexts = new WeakMap<Secret, string>();

/** A text that cannot be printed by accident. Only `reveal` returns it. */
export class Secret {
  constructor(value: string) {
    secretTexts.set(this, value);
  }

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
