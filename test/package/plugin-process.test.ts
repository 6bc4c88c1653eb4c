import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { inFolder } from "../cli/run";
import { root } from "../support/page";

const callsOf = (client: ResourceProviderClient) => ({
  configure: (args: Record<string, JavaScriptValue>) =>
    new Promise<string | undefined>((done) => {
      const request = new ConfigureRequest();
      request.setArgs(Struct.fromJavaScript(args));
      client.configure(request, (error) => done(error?.details));
    }),
  check: (urn: string, news: Record<string, JavaScriptValue>) =>
    new Promise<readonly string[]>((done, failed) => {
      const request = new CheckRequest();
      request.setUrn(urn);
      request.setNews(Struct.fromJavaScript(news));
      client.check(request, (error, answer) =>
        error === null ? done(answer.getFailuresList().map((each) => each.getReason())) : failed(error),
      );
    }),
});

interface Plugin extends ReturnType<typeof callsOf> {
  /** The milliseconds that the plugin lives longer than its engine. */
  readonly endEngine: () => Promise<number>;
}

/** A process of the plugin, which prints its port. */
function startPlugin(state: string, engine: string) {
  const program = `
    const server = require("node:net").createServer({ noDelay: true });
    require("./provider/frontends/native/service").serveOn(server, "provider/frontends/native", process.argv);
    server.listen(0, "127.0.0.1", () => process.stdout.write(server.address().port + "\\n"));`;
  return spawn(process.execPath, ["-r", "./tools/support/typescript.cjs", "-e", program, "plugin", engine], {
    cwd: root,
    env: { ...process.env, LEGACYDNS_LOGIN_TOKEN: "1,a", LEGACYDNS_STATE_DIR: state },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

const withPlugin = (work: (plugin: Plugin) => Promise<void>) =>
  inFolder(async (state) => {
    const engine = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(engine, "listening");
    const plugin = startPlugin(state, `127.0.0.1:${(engine.address() as AddressInfo).port}`);
    const ended = once(plugin, "exit");
    try {
      const [port] = (await once(plugin.stdout, "data")) as [Buffer];
      const client = new ResourceProviderClient(
        `127.0.0.1:${port.toString().trim()}`,
        grpc.credentials.createInsecure(),
      );
      await work({
        ...callsOf(client),
        endEngine: async () => {
          const begun = Date.now();
          engine.close();
          await Promise.race([ended, setTimeout(10_000, undefined, { ref: false })]);
          return Date.now() - begun;
        },
      });
      client.close();
    } finally {
      plugin.kill("SIGKILL");
      engine.close();
      await ended;
    }
  });

describe("the native plugin's process", () => {
  it("refuses another configuration than its first, and takes the same one again", () =>
    withPlugin(async ({ configure }) => {
      const own = { baseUrl: "https://dns.example" };
      equal(await configure(own), undefined);
      equal(await configure(own), undefined);
      match((await configure({ baseUrl: "https://elsewhere.example" })) ?? "", /configured before/);
    }));

  it("reports each wrong setting as a failure of its own, so that the engine prints a message for each", () =>
    withPlugin(async ({ configure, check }) => {
      await configure({ removal: "retian", timeout: "5" });
      const urn = "urn:pulumi:test::zones::legacydns:index:Record::www";
      const failures = await check(urn, {
        domain: "example.com",
        name: "www",
        type: "A",
        value: "192.0.2.1",
      });
      const codes = failures.map((text) => text.match(/\[[\w.-]+\]$/gm)?.join(" "));
      deepEqual(codes, Array(3).fill("[setting.wrong]"));
    }));

  it("ends within five seconds after an engine that is killed before it configures the plugin", () =>
    withPlugin(async ({ endEngine }) => {
      const lived = await endEngine();
      ok(lived < 5_000, `${lived} ms`);
    }));
});
