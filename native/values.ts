/**
 * Values as the engine sends them, and as the lifecycle takes them: plain, with the marks of secrets told apart. What the
 * lifecycle answers is marked again by the name of its property, as the engine does it for a dynamic provider.
 */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../provider/lifecycle/lifecycle";
import { mark, open, type Opened } from "../provider/lifecycle/marks";

/** What the engine sent. */
export interface Received {
  readonly props: Props;
  /** Names of the properties that are secret, or hold what is. */
  readonly secret: ReadonlySet<string>;
  /** Of a property that is a list: the places of elements that are secret, or hold what is; all where it is so as a whole. */
  secretElements(name: string): ReadonlySet<number>;
}

/** A null is how some languages leave an input out. */
const opened = (value: unknown): Opened => open(value, "left out");

export function received(struct: Struct | undefined): Received {
  const raw: Readonly<Record<string, unknown>> = struct?.toJavaScript() ?? {};
  const secret = new Set<string>();
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === null) continue;
    const { value: plain, secret: isSecret } = opened(value);
    props[name] = plain;
    if (isSecret) secret.add(name);
  }
  const secretElements = (name: string): ReadonlySet<number> => {
    const list = raw[name];
    if (Array.isArray(list))
      return new Set(list.flatMap((each, index) => (opened(each).secret ? [index] : [])));
    if (!secret.has(name)) return new Set();
    const inner = props[name];
    return new Set(Array.isArray(inner) ? inner.keys() : [0]);
  };
  return { props, secret, secretElements };
}

/** Properties for the engine. @param secret names of those that are marked as secret */
export function toStruct(props: Props, secret: ReadonlySet<string> = new Set()): Struct {
  const marked = Object.entries(props).map(([name, value]) => [
    name,
    secret.has(name) ? sealed(value) : value,
  ]);
  // Through JSON: what is undefined has no place in a Struct.
  return Struct.fromJavaScript(
    JSON.parse(JSON.stringify(Object.fromEntries(marked))) as Parameters<typeof Struct.fromJavaScript>[0],
  );
}

export function sealed(value: unknown): unknown {
  return value === undefined ? undefined : { [mark.key]: mark.secret, value };
}
