/** The marks of secrets within values, as the SDK and the engine send them. */

/** `SigKey` and `SecretSig` of pulumi, sdk/go/common/resource. The plugin does not load the SDK. */
export const mark = {
  key: "4dabf18193072939515e22adb298388d",
  secret: "1b47061264138c4ac30d75fd1eb44270",
} as const;

export interface Opened {
  readonly value: unknown;
  readonly secret: boolean;
}

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

export function secretElements(list: unknown): ReadonlySet<number> {
  if (Array.isArray(list))
    return new Set(list.flatMap((each, index) => (open(each, "left out").secret ? [index] : [])));
  const { value, secret } = open(list, "left out");
  return new Set(secret ? (Array.isArray(value) ? value.keys() : [0]) : []);
}
