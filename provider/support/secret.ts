import { inspect } from "node:util";

/** A `#` field would need a newer compiler target in users' programs. */
const secretTexts = new WeakMap<Secret, string>();

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
