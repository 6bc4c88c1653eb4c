/**
 * The end of the SDK's provider process while it sends messages: the engine ends it right after a refusal. A
 * stand-in for the engine answers each message late, so that this moment always comes.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, type CheckResponse, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { manifestInput, type Manifest } from "../../provider/lifecycle/manifest";
import { providerText } from "../../provider/resources/front-end";

const root = resolve(__dirname, "../..");
const local = grpc.credentials.createInsecure();
const slowly = 150;

describe("a provider's process that the engine ends", () => {
  it("has delivered its messages before it answers, and prints nothing else", async () => {
    const arrived: string[] = [];
    const engine = new grpc.Server();
    engine.addService(EngineService as unknown as grpc.ServiceDefinition, {
      log: (call: { request: LogRequest }, answer: grpc.sendUnaryData<Empty>) => {
        setTimeout(() => {
          arrived.push(call.request.getMessage());
          answer(null, new Empty());
        }, slowly);
      },
    });
    const port = await new Promise<number>((done, failed) =>
      engine.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? failed(error) : done(bound),
      ),
    );
    const state = mkdtempSync(join(tmpdir(), "host-ends-"));
    const env = {
      ...process.env,
      LEGACYDNS_BASE_URL: "http://127.0.0.1:1",
      LEGACYDNS_LOGIN_TOKEN: "1,a",
      LEGACYDNS_CONTACT: "tests@example.com",
      LEGACYDNS_STATE_DIR: state,
    };
    const host = spawn(
      process.execPath,
      [resolve(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"), `127.0.0.1:${port}`],
      { cwd: root, env },
    );
    let printed = "";
    host.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    try {
      const [first] = (await once(host.stdout, "data")) as [Buffer];
      const client = new ResourceProviderClient(`127.0.0.1:${first.toString().trim()}`, local);
      await new Promise((done) => client.configure(configuration(), done));
      const answer = await new Promise<CheckResponse>((done, failed) =>
        client.check(refused(), (error, response) => (error ? failed(error) : done(response))),
      );
      host.kill("SIGINT");
      await once(host, "exit");
      assert.equal(printed, "");
      assert.match(answer.getFailuresList()[0]?.getReason() ?? "", /wrong/);
      assert.deepEqual(arrived, ["the first", "the second"]);
      client.close();
    } finally {
      host.kill("SIGKILL");
      engine.forceShutdown();
      rmSync(state, { recursive: true, force: true });
    }
  });
});

function configuration(): ConfigureRequest {
  const request = new ConfigureRequest();
  request.setArgs(Struct.fromJavaScript({}));
  return request;
}

function refused(): CheckRequest {
  const manifest: Manifest = {
    resource: 'RecordBatch "b"',
    problems: { errors: "records[2]: wrong", warnings: ["the first", "the second"] },
  };
  const request = new CheckRequest();
  request.setOlds(Struct.fromJavaScript({}));
  request.setNews(
    Struct.fromJavaScript({
      __provider: providerText("RecordBatch"),
      domains: [],
      records: "",
      [manifestInput]: manifest,
    }),
  );
  return request;
}
