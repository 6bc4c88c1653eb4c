import { inspect } from "node:util";

/** Stands for a secret in every message, file and page. */
export const hiddenText = "(secret)";

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
    return hiddenText;
  }

  toJSON(): string {
    return hiddenText;
  }

  [inspect.custom](): string {
    return hiddenText;
  }
}
