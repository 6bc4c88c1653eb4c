/** The engine's ResourceProvider service, without the SDK. */
import { readFileSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { unknownValue, type Props } from "../../lifecycle/lifecycle";
import { isSensitive, withoutProvider } from "../../lifecycle/state";
import { digest } from "../../dns";
import { idleInputs } from "../../lifecycle/checked";
import { reason, renderAll } from "../../problems";
import { Refusal } from "../../problems/refusal";
import { engineAddress, EngineLine } from "../../support/engine-line";
import { asOneMessage, failureTexts } from "../../lifecycle/failures";
import { lists } from "./list";
import { Plugin } from "./plugin";
import { useNativeStrings } from "./strings";
import { withUrn, type NativeType } from "./types";
import { answering, entryOf, failureOf, fromStruct, streaming, toStruct, type MarkedProps } from "./wire";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the SDK has no types for this one
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb") as {
  ResourceProviderService: grpc.ServiceDefinition;
};

interface Identity {
  readonly version: string;
  readonly schema: string;
  readonly resources: Readonly<
    Record<string, { readonly inputProperties: Readonly<Record<string, unknown>> }>
  >;
}

interface Subject {
  readonly urn: string;
  readonly type: NativeType;
  readonly token: string;
  readonly label: string;
}

function subjectIn(plugin: Plugin, urn: string): Subject {
  const [, , types = "", ...name] = urn.split("::");
  const token = types.split("$").at(-1) ?? "";
  const type = entryOf(plugin.types, token);
  return { urn, type, token, label: `${token.split(":").at(-1) ?? ""} ${JSON.stringify(name.join("::"))}` };
}

function filled<Message>(message: Message, fill: (message: Message) => void): Message {
  fill(message);
  return message;
}

function pluginMethods(plugin: Plugin, { schema, version }: Identity): grpc.UntypedServiceImplementation {
  return {
    handshake: answering(async () =>
      filled(new pb.ProviderHandshakeResponse(), (answer) => answer.setAcceptSecrets(true)),
    ),
    getSchema: answering(async () =>
      filled(new pb.GetSchemaResponse(), (answer) => answer.setSchema(schema)),
    ),
    getPluginInfo: answering(async () => filled(new PluginInfo(), (answer) => answer.setVersion(version))),
    attach: answering(async () => new Empty()),
    cancel: answering(async () => {
      plugin.cancel();
      return new Empty();
    }),
    checkConfig: answering(async (request: pb.CheckRequest) => {
      const { props, secret } = fromStruct(request.getNews());
      const answer = new pb.CheckResponse();
      // The state never contains the token in plain text.
      answer.setInputs(toStruct(props, new Set([...secret, "loginToken"])));
      const problems = plugin.problemsOf(props, isExplicit(request.getUrn()));
      answer.setFailuresList(problems.map(failureOf));
      return answer;
    }),
    diffConfig: answering(async () =>
      // A replacement would replace every resource of the provider.
      filled(new pb.DiffResponse(), (answer) => answer.setChanges(pb.DiffResponse.DiffChanges.DIFF_UNKNOWN)),
    ),
    configure: answering(async (request: pb.ConfigureRequest) => {
      const urn = request.getUrn() ?? "";
      plugin.isDirect = urn.endsWith("::");
      plugin.configure(fromStruct(request.getArgs()).props, isExplicit(urn));
      return filled(new pb.ConfigureResponse(), (answer) => {
        answer.setAcceptsecrets(true);
        answer.setSupportspreview(true);
      });
    }),
    invoke: answering(async (request: pb.InvokeRequest) => {
      const { props, secret } = fromStruct(request.getArgs());
      const secrets = [...secret].map((name) => String(props[name])).filter((text) => text.length > 2);
      const result = await plugin.lookUp(request.getTok(), props, secrets);
      return filled(new pb.InvokeResponse(), (answer) => answer.setReturn(toStruct({ ...result })));
    }),
  };
}

function serviceOf(plugin: Plugin, identity: Identity): grpc.UntypedServiceImplementation {
  const inOneMessage = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    work.catch((error: unknown) => {
      throw asOneMessage(error, plugin.line.reporter());
    });
  const about = <Request extends { getUrn(): string }, Answer>(
    work: (subject: Subject, request: Request) => Promise<Answer>,
  ): grpc.handleUnaryCall<Request, Answer> =>
    answering((request) => {
      const subject = subjectIn(plugin, request.getUrn());
      return plugin.line.forResource(subject.urn, () => inOneMessage(work(subject, request)));
    });
  return {
    ...pluginMethods(plugin, identity),
    check: about((subject, request: pb.CheckRequest) => check(plugin, identity, subject, request)),
    diff: about(diff),
    create: about(create),
    read: about((subject, request: pb.ReadRequest) => read(plugin, subject, request)),
    update: about(update),
    list: streaming((request: pb.ListRequest) => inOneMessage(list(plugin, request))),
    delete: about(async ({ type, urn }, request: pb.DeleteRequest) => {
      if (plugin.isDirect) throw new Refusal([reason("delete.stateless", { id: request.getId() })]);
      await type.lifecycle.delete(request.getId(), plain(request.getProperties()), digest(urn));
      return new Empty();
    }),
  };
}

async function check(
  plugin: Plugin,
  identity: Identity,
  { urn, type, token, label }: Subject,
  request: pb.CheckRequest,
): Promise<pb.CheckResponse> {
  const given = fromStruct(request.getNews());
  const olds = plain(request.getOlds());
  const answer = new pb.CheckResponse();
  const failed = (reasons: readonly string[]): pb.CheckResponse => {
    answer.setInputs(request.getNews());
    answer.setFailuresList(reasons.map(failureOf));
    return answer;
  };
  let prepared;
  let report;
  try {
    const run = await plugin.run();
    ({ report } = run.host);
    const names = Object.keys(identity.resources[token]?.inputProperties ?? {});
    prepared = type.prepare({ label, given, olds, names }, run);
  } catch (error) {
    return failed(failureTexts(error));
  }
  if ("problems" in prepared) {
    const { problems } = prepared;
    if (report === undefined) return failed(renderAll(problems));
    report.refused({ urn: digest(urn), resource: label }, new Refusal(problems));
    const planned = idleInputs(olds, given.props);
    answer.setInputs(planned === olds ? request.getOlds() : toStruct(planned, given.secret));
    return answer;
  }
  const { inputs = prepared.news, failures = [] } = await type.lifecycle.check(
    olds,
    withUrn(prepared.news, urn),
  );
  if (failures.length > 0) return failed(failures.map(({ reason }) => reason));
  const secret = [...given.secret].filter((name) => type.open?.includes(name) !== true);
  answer.setInputs(toStruct(inputs, new Set([...secret, ...(type.closed ?? [])])));
  return answer;
}

async function diff({ type }: Subject, request: pb.DiffRequest): Promise<pb.DiffResponse> {
  const news = plain(request.getNews());
  const olds = plain(request.getOlds());
  const { replaces = [], changes = false } = await type.lifecycle.diff(request.getId(), olds, news);
  const answer = new pb.DiffResponse();
  // A dynamic provider's text leaves the state with the resource's next update.
  const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = pb.DiffResponse.DiffChanges;
  const isSame = isDeepStrictEqual(plain(request.getOldInputs()), news);
  answer.setChanges(!isSame ? DIFF_UNKNOWN : changes ? DIFF_SOME : DIFF_NONE);
  answer.setReplacesList(replaces);
  return answer;
}

async function create({ type, urn }: Subject, request: pb.CreateRequest): Promise<pb.CreateResponse> {
  const inputs = fromStruct(request.getProperties());
  const secret = secretsOf(type, inputs);
  const answer = new pb.CreateResponse();
  if (request.getPreview()) {
    const unknown = type.computed === undefined ? {} : { [type.computed]: unknownValue };
    const outputs = { ...inputs.props, ...unknown, ...type.previewed?.(inputs.props) };
    answer.setProperties(toStruct(outputs, secret));
    return answer;
  }
  const { id, outs } = await marking(secret, () => type.lifecycle.create(inputs.props, digest(urn)));
  answer.setId(id);
  answer.setProperties(toStruct(outs, secret));
  return answer;
}

async function update({ type, urn }: Subject, request: pb.UpdateRequest): Promise<pb.UpdateResponse> {
  const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
  const before = withoutProvider(olds.props);
  const either = secretsOf(type, olds, news);
  const answer = new pb.UpdateResponse();
  if (request.getPreview()) {
    const { __declared: _declared, ...rest } = before;
    answer.setProperties(toStruct({ ...rest, ...news.props, ...type.previewed?.(news.props) }, either));
    return answer;
  }
  const { outs } = await marking(either, () =>
    type.lifecycle.update(request.getId(), before, news.props, digest(urn)),
  );
  // It may contain digests of values that were secret.
  const secret = secretsOf(type, news);
  if (either.has("__ledger")) secret.add("__ledger");
  answer.setProperties(toStruct(outs, secret));
  return answer;
}

async function read(plugin: Plugin, { type }: Subject, request: pb.ReadRequest): Promise<pb.ReadResponse> {
  const [outputs, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
  const answer = new pb.ReadResponse();
  const stored = withoutProvider(outputs.props);
  // An import has only the id.
  const props =
    Object.keys(stored).length > 0
      ? stored
      : await plugin.operation((host) => type.imported(request.getId(), host));
  const found = await type.lifecycle.read(request.getId(), props);
  if (found.id === undefined) return answer;
  const secret = secretsOf(type, outputs, inputs);
  answer.setId(found.id);
  if (found.props !== undefined) answer.setProperties(toStruct(found.props, secret));
  if (found.inputs !== undefined) answer.setInputs(toStruct(found.inputs, secret));
  return answer;
}

/** One page. */
async function list(plugin: Plugin, request: pb.ListRequest): Promise<pb.ListResponse[]> {
  const found = await entryOf(lists, request.getToken())(plugin, fromStruct(request.getQuery()).props);
  return found.slice(0, request.getLimit() || undefined).map(({ id, name }) => {
    const result = new pb.ListResponse.Result();
    result.setId(id);
    result.setName(name);
    return filled(new pb.ListResponse(), (answer) => answer.setResult(result));
  });
}

/** Guesses could be tried on the ledger's digests. */
function secretsOf(type: NativeType, ...given: readonly MarkedProps[]): Set<string> {
  const secret = new Set(given.flatMap((each) => [...each.secret]));
  for (const name of type.closed ?? []) secret.add(name);
  if (secret.has("records")) secret.add("zoneText");
  if (given.some(({ props, secret: own }) => own.size > 0 || isSensitive(props))) secret.add("__ledger");
  return secret;
}

async function marking<T>(secret: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { secret });
    throw error;
  }
}

function plain(struct: Parameters<typeof fromStruct>[0]): Props {
  return withoutProvider(fromStruct(struct).props);
}

/** The engine's own are `default` or `default_VERSION`. That of `pulumi do` has no name. */
function isExplicit(urn: string): boolean {
  const name = urn.split("::").slice(3).join("::");
  return name !== "" && !/^default(_|$)/.test(name);
}

/** A zone with 100,000 records is one message. */
const options = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.enable_channelz": 0,
};

export function serveOn(listening: Server, folder: string, args: readonly string[]): void {
  useNativeStrings();
  const address = engineAddress(args);
  const credentials = grpc.credentials.createInsecure();
  const engine = address === undefined ? undefined : new EngineClient(address, credentials);
  const plugin = new Plugin(new EngineLine(address, engine));
  const schema = readFileSync(join(folder, "schema.json"), "utf8");
  const identity = { ...(JSON.parse(schema) as Omit<Identity, "schema">), schema };
  const service = new grpc.Server(options);
  service.addService(ResourceProviderService, serviceOf(plugin, identity));
  const injector = service.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  listening.on("connection", (socket) => injector.injectConnection(socket));
}
