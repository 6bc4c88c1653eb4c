import * as grpc from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { CheckFailure, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { errorText } from "../provider/support/text";
import { toStruct } from "./values";

interface HalfDone {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly reasons: readonly string[];
  /** Names of the properties that are secret. */
  readonly secret?: ReadonlySet<string>;
}

function isHalfDone(error: unknown): error is HalfDone {
  return (
    typeof error === "object" &&
    error !== null &&
    "id" in error &&
    "properties" in error &&
    "reasons" in error
  );
}

function statusOf(error: unknown): Partial<grpc.StatusObject> {
  const details = errorText(error);
  if (!isHalfDone(error)) return { code: grpc.status.UNKNOWN, details };
  const detail = new ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(toStruct(error.properties, error.secret));
  detail.setReasonsList([...error.reasons]);
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(grpc.status.UNKNOWN);
  status.setMessage(details);
  status.addDetails(any);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details, metadata };
}

/** Of no property: the engine would print a named property's whole value. */
export function failureOf(reason: string): CheckFailure {
  const failure = new CheckFailure();
  failure.setReason(reason);
  return failure;
}

export function answering<Request, Answer>(
  work: (request: Request) => Promise<Answer>,
): grpc.handleUnaryCall<Request, Answer> {
  return (call, callback) => {
    // A method may throw before it returns a promise.
    Promise.resolve()
      .then(() => work(call.request))
      .then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(statusOf(error)),
      );
  };
}
