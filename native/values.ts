/**
 * The engine's values, where secrets have marks, and the lifecycle's plain values. Answers get their marks by
 * property name.
 */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../provider/lifecycle/lifecycle";
import { mark, open, secretElements } from "../provider/lifecycle/marks";

export interface MarkedProps {
  readonly props: Props;
  /** Names of properties that are or contain secrets. */
  readonly secret: ReadonlySet<string>;
  /** Indexes of secret elements of a list. */
  secretElements(name: string): ReadonlySet<number>;
}

export function fromStruct(struct: Struct | undefined): MarkedProps {
  const raw: Readonly<Record<string, unknown>> = struct?.toJavaScript() ?? {};
  const secret = new Set<string>();
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    // Some languages send null for a missing input.
    if (value === null) continue;
    const { value: plain, secret: isSecret } = open(value, "left out");
    props[name] = plain;
    if (isSecret) secret.add(name);
  }
  return { props, secret, secretElements: (name) => secretElements(raw[name]) };
}

/** @param secret names of the secret properties */
export function toStruct(props: Props, secret: ReadonlySet<string> = new Set()): Struct {
  const marked = Object.entries(props).map(([name, value]) => [
    name,
    secret.has(name) ? sealed(value) : value,
  ]);
  // JSON drops undefined values, which a Struct cannot have.
  return Struct.fromJavaScript(
    JSON.parse(JSON.stringify(Object.fromEntries(marked))) as Parameters<typeof Struct.fromJavaScript>[0],
  );
}

export function sealed(value: unknown): unknown {
  return value === undefined ? undefined : { [mark.key]: mark.secret, value };
}
