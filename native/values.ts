/**
 * Values as the engine sends them, and as the lifecycle takes them: plain, with the marks of secrets told apart. What the
 * lifecycle answers is marked again by the name of its property, as the engine does it for a dynamic provider.
 */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../provider/lifecycle/lifecycle";

/** The engine's mark of a secret (pulumi, sdk/go/common/resource: `SigKey`, `SecretSig`). */
const mark = { key: "4dabf18193072939515e22adb298388d", secret: "1b47061264138c4ac30d75fd1eb44270" } as const;

/** A property's value, or an element of one, without the engine's marks. */
export interface Opened {
  readonly value: unknown;
  /** Whether it is secret, or holds what is. */
  readonly secret: boolean;
}

/** What the engine sent. */
export interface Received {
  readonly props: Props;
  /** Names of the properties that are secret, or hold what is. */
  readonly secret: ReadonlySet<string>;
  /** Of a property that is a list: the places of elements that are secret, or hold what is; all where it is so as a whole. */
  secretElements(name: string): ReadonlySet<number>;
}

export function open(value: unknown): Opened {
  if (typeof value !== "object" || value === null) return { value, secret: false };
  if (mark.key in value && value[mark.key] === mark.secret) return { value: open("value" in value ? value.value : undefined).value, secret: true };
  let secret = false;
  const plain = (inner: unknown): unknown => {
    const opened = open(inner);
    secret ||= opened.secret;
    return opened.value;
  };
  if (Array.isArray(value)) return { value: value.map(plain), secret };
  // A null is how some languages leave an input out.
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return { value: Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)])), secret };
}

export function received(struct: Struct | undefined): Received {
  const raw: Readonly<Record<string, unknown>> = struct?.toJavaScript() ?? {};
  const secret = new Set<string>();
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === null) continue;
    const opened = open(value);
    props[name] = opened.value;
    if (opened.secret) secret.add(name);
  }
  const secretElements = (name: string): ReadonlySet<number> => {
    const list = raw[name];
    if (Array.isArray(list)) return new Set(list.flatMap((each, index) => (open(each).secret ? [index] : [])));
    if (!secret.has(name)) return new Set();
    const inner = props[name];
    return new Set(Array.isArray(inner) ? inner.keys() : [0]);
  };
  return { props, secret, secretElements };
}

/** Properties for the engine. @param secret names of those that are marked as secret */
export function toStruct(props: Props, secret: ReadonlySet<string> = new Set()): Struct {
  const marked = Object.entries(props).map(([name, value]) => [name, secret.has(name) ? sealed(value) : value]);
  // Through JSON: what is undefined has no place in a Struct.
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(Object.fromEntries(marked))) as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function sealed(value: unknown): unknown {
  return value === undefined ? undefined : { [mark.key]: mark.secret, value };
}
