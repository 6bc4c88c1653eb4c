/**
 * A plugin that does nothing: the cost of the engine, the SDK and Node.js. bench/idle.ts makes it a
 * program.
 */
import * as grpc from "@grpc/grpc-js";

/**
 * The fields of a message by number. These messages use only variable-length fields of the protocol
 * buffers' wire format.
 */
function* fieldsOf(message: Buffer): Iterable<{ readonly number: number; readonly value: Buffer }> {
  for (let at = 0; at < message.length;) {
    const tag = varint(message, at);
    if ((tag.value & 7) !== 2) {
      at = varint(message, tag.next).next;
      continue;
    }
    const length = varint(message, tag.next);
    at = length.next + length.value;
    yield { number: tag.value >> 3, value: message.subarray(length.next, at) };
  }
}

function varint(message: Buffer, from: number): { readonly value: number; readonly next: number } {
  let [value, shift, at] = [0, 0, from];
  for (; (message[at] ?? 0) >= 0x80; at += 1, shift += 7) value |= ((message[at] ?? 0) & 0x7f) << shift;
  return { value: value | ((message[at] ?? 0) << shift), next: at + 1 };
}

function field(number: number, value: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = value.length; ; rest >>= 7) {
    length.push(rest >= 0x80 ? (rest & 0x7f) | 0x80 : rest);
    if (rest < 0x80) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value]);
}

function echo(request: Buffer, from: number, to: number): Buffer {
  for (const { number, value } of fieldsOf(request)) if (number === from) return field(to, value);
  return Buffer.alloc(0);
}

const nothing = Buffer.alloc(0);
/** `changes: DIFF_NONE` (provider.proto, DiffResponse). */
const noDifference = Buffer.from([0x20, 1]);

/** By the methods' names; the numbers are those of provider.proto. */
const answers: Readonly<Record<string, (request: Buffer) => Buffer>> = {
  GetPluginInfo: () => field(1, Buffer.from("1.0.0")),
  CheckConfig: (request) => echo(request, 3, 1),
  DiffConfig: () => noDifference,
  // acceptSecrets, supportsPreview
  Configure: () => Buffer.from([0x08, 1, 0x10, 1]),
  Check: (request) => echo(request, 3, 1),
  Diff: () => noDifference,
  Create: (request) => Buffer.concat([field(1, Buffer.from("idle")), echo(request, 2, 2)]),
  Delete: () => nothing,
  Cancel: () => nothing,
};

const asIs = (bytes: Buffer): Buffer => bytes;
const server = new grpc.Server({
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.enable_channelz": 0,
});
const methods = Object.keys(answers).map((name) => [
  name,
  {
    path: `/pulumirpc.ResourceProvider/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  },
]);
const handlers = Object.entries(answers).map(
  ([name, answer]): [string, grpc.handleUnaryCall<Buffer, Buffer>] => [
    name,
    ({ request }, callback) => callback(null, answer(request)),
  ],
);
server.addService(Object.fromEntries(methods) as grpc.ServiceDefinition, Object.fromEntries(handlers));
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
