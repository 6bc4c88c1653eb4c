/** The engine's marks of secrets within values: the SDK and the engine both send them to whoever keeps secrets apart himself. */

/** pulumi, sdk/go/common/resource: `SigKey`, `SecretSig`. The SDK's constants are these; the native plugin runs without it. */
export const mark = {
  key: "4dabf18193072939515e22adb298388d",
  secret: "1b47061264138c4ac30d75fd1eb44270",
} as const;

/** A property's value, or an element of one, without the engine's marks. */
export interface Opened {
  readonly value: unknown;
  /** Whether it is secret, or holds what is. */
  readonly secret: boolean;
}

/** @param nulls what becomes of a field that is null. */
export function open(value: unknown, nulls: "kept" | "left out"): Opened {
  if (typeof value !== "object" || value === null) return { value, secret: false };
  if (mark.key in value && value[mark.key] === mark.secret)
    return { value: open("value" in value ? value.value : undefined, nulls).value, secret: true };
  let secret = false;
  const plain = (inner: unknown): unknown => {
    const opened = open(inner, nulls);
    secret ||= opened.secret;
    return opened.value;
  };
  if (Array.isArray(value)) return { value: value.map(plain), secret };
  const entries = Object.entries(value).filter(([, inner]) => inner !== null || nulls === "kept");
  return { value: Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)])), secret };
}
