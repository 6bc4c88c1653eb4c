/** Proxies, certificates and TLS. */
import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import tls from "node:tls";
import { inspect } from "node:util";
import { type HttpTransportOptions } from "../../provider/api";
import { CERTIFICATE, EXPIRED, KEY } from "./certificates";
import { closeAll, listen, request, transportFailure, transportTo } from "./servers";
import { cleanUp } from "./support";

afterEach(closeAll);
after(cleanUp);

describe("Proxies and TLS", () => {
  const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
  const before = new Map(variables.map((name) => [name, process.env[name]]));
  beforeEach(() => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
  });
  after(() => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  function tunnel(socket: net.Socket, target: number): void {
    const onward = net.connect(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.on("close", () => onward.destroy());
  }

  async function proxy(
    target: number,
    answer: (asked: string, socket: net.Socket) => boolean = () => true,
  ): Promise<{ asked: string[]; url: string }> {
    const asked: string[] = [];
    const server = http.createServer((message, reply) => {
      asked.push(`${message.method ?? ""} ${message.url ?? ""}`);
      reply.writeHead(500).end();
    });
    server.on("connect", (message: http.IncomingMessage, socket: net.Socket) => {
      asked.push(`CONNECT ${message.url ?? ""}`);
      if (answer(message.url ?? "", socket)) tunnel(socket, target);
    });
    return { asked, url: `http://127.0.0.1:${await listen(server)}` };
  }

  async function secure(
    cert: string,
    more: https.ServerOptions = {},
  ): Promise<{ port: number; hits: string[] }> {
    const hits: string[] = [];
    const server = https.createServer({ key: KEY, cert, ...more }, (message, reply) => {
      hits.push(message.url ?? "");
      reply.end("{}");
    });
    server.on("tlsClientError", () => undefined);
    return { port: await listen(server), hits };
  }

  it("uses the environment's proxy for HTTPS, as a tunnel", async () => {
    const { port, hits } = await secure(CERTIFICATE);
    const { asked, url } = await proxy(port);
    process.env["HTTPS_PROXY"] = url;
    const got = await transportTo("https://dns.example/api", { ca: CERTIFICATE }).send(request);
    equal(got.body, "{}");
    deepEqual(asked, ["CONNECT dns.example:443"]);
    deepEqual(hits, ["/api/Record.List"]);
  });

  it("obeys NO_PROXY", async () => {
    const { asked, url } = await proxy(1);
    process.env["HTTPS_PROXY"] = url;
    process.env["NO_PROXY"] = "other.example,.invalid";
    await transportFailure(transportTo("https://nowhere.invalid"));
    deepEqual(asked, []);
  });

  it("never shows the token to a proxy on the way to a loopback address", async () => {
    const server = http.createServer((_message, reply) => reply.end("{}"));
    const port = await listen(server);
    const { asked, url } = await proxy(port);
    process.env["HTTP_PROXY"] = url;
    process.env["HTTPS_PROXY"] = url;
    await transportTo(`http://127.0.0.1:${port}`).send(request);
    deepEqual(asked, []);
  });

  it("reports not-sent for a proxy that refuses or is invalid", async () => {
    const { url } = await proxy(1, (_asked, socket) => {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return false;
    });
    process.env["HTTPS_PROXY"] = url;
    const refused = await transportFailure(transportTo("https://dns.example"));
    deepEqual([refused.outcome, refused.details.passing], ["not-sent", false]);
    match(refused.message, /the proxy refused the tunnel.*HTTPS_PROXY/);
    process.env["HTTPS_PROXY"] = "http://user:pass word@@:x";
    const broken = await transportFailure(transportTo("https://dns.example"));
    deepEqual([broken.outcome, broken.details.passing], ["not-sent", false]);
    ok(!inspect(broken).includes("pass word"));
  });

  it("sends nothing after a timeout before the connection", async () => {
    const { port, hits } = await secure(CERTIFICATE);
    let goOn = (): void => undefined;
    const { url } = await proxy(port, (_asked, socket) => {
      goOn = () => tunnel(socket, port);
      return false;
    });
    process.env["HTTPS_PROXY"] = url;
    const failure = await transportFailure(transportTo("https://dns.example", { ca: CERTIFICATE }), {
      timeoutMs: 100,
    });
    deepEqual([failure.outcome, failure.code], ["not-sent", "TIMEOUT"]);
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 150));
    deepEqual(hits, []);
  });

  it("ignores NODE_TLS_REJECT_UNAUTHORIZED, and explains that in the error", async () => {
    const { port, hits } = await secure(CERTIFICATE);
    const way = (await proxy(port)).url;
    const was = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const direct = await transportFailure(transportTo(`https://127.0.0.1:${port}`));
      process.env["HTTPS_PROXY"] = way;
      const tunnelled = await transportFailure(transportTo("https://dns.example"));
      process.env["HTTPS_PROXY"] = `https://localhost:${port}`;
      const proxied = await transportFailure(transportTo("https://dns.example"));
      for (const failure of [direct, tunnelled, proxied]) {
        deepEqual(
          [failure.code, failure.outcome, failure.details.passing],
          ["DEPTH_ZERO_SELF_SIGNED_CERT", "not-sent", false],
        );
        match(failure.message, /NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here/);
      }
      deepEqual(hits, []);
    } finally {
      if (was === undefined) Reflect.deleteProperty(process.env, "NODE_TLS_REJECT_UNAUTHORIZED");
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = was;
    }
  });

  it("refuses TLS before 1.2 against every setting of Node, and sends nothing", async () => {
    const { DEFAULT_MIN_VERSION: version, DEFAULT_CIPHERS: ciphers } = tls;
    const old = "DEFAULT@SECLEVEL=0";
    const { port, hits } = await secure(CERTIFICATE, {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: old,
    });
    process.env["HTTPS_PROXY"] = (await proxy(port)).url;
    try {
      Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: old });
      const failure = await transportFailure(transportTo("https://dns.example", { ca: CERTIFICATE }));
      equal(failure.outcome, "not-sent");
      deepEqual(hits, []);
    } finally {
      Object.assign(tls, { DEFAULT_MIN_VERSION: version, DEFAULT_CIPHERS: ciphers });
    }
  });

  const badCertificates: [string, string, string, HttpTransportOptions, RegExp][] = [
    ["self-signed", CERTIFICATE, "https://dns.example", {}, /self-signed.*NODE_EXTRA_CA_CERTS/],
    ["expired", EXPIRED, "https://dns.example", { ca: EXPIRED }, /expired.*clock/],
    ["another host's", CERTIFICATE, "https://other.example", { ca: CERTIFICATE }, /belongs to another host/],
  ];
  for (const [name, cert, baseUrl, options, expected] of badCertificates) {
    it(`explains a certificate that is ${name}, and reports not-sent`, async () => {
      const { port, hits } = await secure(cert);
      process.env["HTTPS_PROXY"] = (await proxy(port)).url;
      const failure = await transportFailure(transportTo(baseUrl, options));
      match(failure.message, expected);
      doesNotMatch(failure.message, /NODE_TLS_REJECT_UNAUTHORIZED/);
      deepEqual([failure.outcome, failure.details.passing], ["not-sent", false]);
      deepEqual(hits, []);
    });
  }

  it("explains a server without TLS, and one that closes during the handshake", async () => {
    const plain = await listen(http.createServer((_message, reply) => reply.end()));
    const spoken = await transportFailure(transportTo(`https://127.0.0.1:${plain}`));
    equal(spoken.outcome, "not-sent");
    const silent = await listen(net.createServer((socket) => socket.destroy()));
    const cut = await transportFailure(transportTo(`https://127.0.0.1:${silent}`));
    deepEqual([cut.outcome, cut.details.passing], ["not-sent", true]);
  });
});
