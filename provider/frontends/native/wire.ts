/** The engine's values and errors, with secrets by name. */
import * as grpc from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { CheckFailure, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { unknownValue, type Props } from "../../lifecycle/lifecycle";
import { mark, open, secretElements } from "../../support/secret-marks";
import { failureText } from "../../lifecycle/failures";
import { reason } from "../../problems";
import { Refusal } from "../../problems/refusal";

export interface MarkedProps {
  readonly props: Props;
  readonly secret: ReadonlySet<string>;
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

export function toStruct(props: Props, secret: ReadonlySet<string> = new Set()): Struct {
  const marked = Object.entries(props).flatMap(([name, value]) => {
    // A saved plan accepts that a property is missing only if it was plainly unknown.
    const isSealed = secret.has(name) && value !== unknownValue;
    const sealed = isSealed ? { [mark.key]: mark.secret, value } : value;
    return value === undefined ? [] : [[name, sealed] as const];
  });
  // JSON drops inner undefined values, which a Struct cannot have.
  return Struct.fromJavaScript(
    JSON.parse(JSON.stringify(Object.fromEntries(marked))) as Parameters<typeof Struct.fromJavaScript>[0],
  );
}

interface HalfDone {
  readonly id: string;
  readonly properties: Props;
  readonly reasons: readonly string[];
  readonly secret?: ReadonlySet<string>;
}

function isHalfDone(error: unknown): error is HalfDone {
  return error instanceof Error && "id" in error && "properties" in error && "reasons" in error;
}

function statusOf(error: unknown): Partial<grpc.StatusObject> {
  const details = failureText(error);
  const code = grpc.status.UNKNOWN;
  if (!isHalfDone(error)) return { code, details };
  const detail = new ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(toStruct(error.properties, error.secret));
  detail.setReasonsList([...error.reasons]);
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(code);
  status.setMessage(details);
  status.addDetails(any);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code, details, metadata };
}

/**
 * The entry of a name that the engine sends.
 * @throws Refusal if the table lacks the name
 */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  const hint = `write one of ${Object.keys(table).join(", ")}`;
  throw new Refusal([reason("word.unknown", { given: name, hint })]);
}

export function failureOf(text: string): CheckFailure {
  const failure = new CheckFailure();
  failure.setReason(text);
  return failure;
}

export function streaming<Request, Answer>(
  work: (request: Request) => Promise<readonly Answer[]>,
): grpc.handleServerStreamingCall<Request, Answer> {
  return (call) => {
    work(call.request).then(
      (answers) => {
        for (const answer of answers) call.write(answer);
        call.end();
      },
      (error: unknown) => call.emit("error", statusOf(error)),
    );
  };
}

export function answering<Request, Answer>(
  work: (request: Request) => Promise<Answer>,
): grpc.handleUnaryCall<Request, Answer> {
  return (call, callback) => {
    Promise.resolve()
      .then(() => work(call.request))
      .then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(statusOf(error)),
      );
  };
}
