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
  const variables = [
    ...["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"],
    "NODE_TLS_REJECT_UNAUTHORIZED",
  ];
  const before = { ...process.env };
  const clear = () => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
  };
  beforeEach(clear);
  after(() => {
    clear();
    Object.assign(process.env, before);
  });

  function tunnel(socket: net.Socket, target: number) {
    const onward = net.connect(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.on("close", () => onward.destroy());
  }

  /** Sets HTTPS_PROXY to a proxy, which opens a tunnel to the target unless it answers in another way. */
  async function useProxy(target: number, answer?: (socket: net.Socket) => unknown) {
    const asked: string[] = [];
    const server = http.createServer((message, reply) => {
      asked.push(`${message.method ?? ""} ${message.url ?? ""}`);
      reply.writeHead(500).end();
    });
    server.on("connect", (message: http.IncomingMessage, socket: net.Socket) => {
      asked.push(`CONNECT ${message.url ?? ""}`);
      if (answer === undefined) tunnel(socket, target);
      else answer(socket);
    });
    process.env["HTTPS_PROXY"] = `http://127.0.0.1:${await listen(server)}`;
    return asked;
  }

  /** Sends a request, which must fail before it is sent. */
  async function unsent(baseUrl: string, options?: HttpTransportOptions, changes?: Partial<typeof request>) {
    const failure = await transportFailure(transportTo(baseUrl, options), changes);
    equal(failure.outcome, "not-sent");
    return failure;
  }

  async function secure(cert: string, more: https.ServerOptions = {}) {
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
    const asked = await useProxy(port);
    const got = await transportTo("https://dns.example/api", { ca: CERTIFICATE }).send(request);
    equal(got.body, "{}");
    deepEqual(asked, ["CONNECT dns.example:443"]);
    deepEqual(hits, ["/api/Record.List"]);
  });

  it("obeys NO_PROXY", async () => {
    const asked = await useProxy(1);
    process.env["NO_PROXY"] = "other.example,.invalid";
    await unsent("https://nowhere.invalid");
    deepEqual(asked, []);
  });

  it("never shows the token to a proxy on the way to a loopback address", async () => {
    const server = http.createServer((_message, reply) => reply.end("{}"));
    const port = await listen(server);
    const asked = await useProxy(port);
    process.env["HTTP_PROXY"] = process.env["HTTPS_PROXY"];
    await transportTo(`http://127.0.0.1:${port}`).send(request);
    deepEqual(asked, []);
  });

  it("reports not-sent for a proxy that refuses or is invalid", async () => {
    await useProxy(1, (socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const refused = await unsent("https://dns.example");
    equal(refused.details.passing, false);
    match(refused.message, /the proxy refused the tunnel.*HTTPS_PROXY/);
    process.env["HTTPS_PROXY"] = "http://user:pass word@@:x";
    const broken = await unsent("https://dns.example");
    equal(broken.details.passing, false);
    ok(!inspect(broken).includes("pass word"));
  });

  it("sends nothing after a timeout before the connection", async () => {
    const { port, hits } = await secure(CERTIFICATE);
    let goOn = (): void => undefined;
    await useProxy(port, (socket) => (goOn = () => tunnel(socket, port)));
    const failure = await unsent("https://dns.example", { ca: CERTIFICATE }, { timeoutMs: 100 });
    equal(failure.code, "TIMEOUT");
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 150));
    deepEqual(hits, []);
  });

  it("ignores NODE_TLS_REJECT_UNAUTHORIZED, and explains that in the error", async () => {
    const { port, hits } = await secure(CERTIFICATE);
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    const direct = await unsent(`https://127.0.0.1:${port}`);
    await useProxy(port);
    const tunnelled = await unsent("https://dns.example");
    process.env["HTTPS_PROXY"] = `https://localhost:${port}`;
    const proxied = await unsent("https://dns.example");
    for (const { code, details, message } of [direct, tunnelled, proxied]) {
      deepEqual([code, details.passing], ["DEPTH_ZERO_SELF_SIGNED_CERT", false]);
      match(message, /NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect here/);
    }
    deepEqual(hits, []);
  });

  it("refuses TLS before 1.2 against every setting of Node, and sends nothing", async () => {
    const { DEFAULT_MIN_VERSION: version, DEFAULT_CIPHERS: ciphers } = tls;
    const old = "DEFAULT@SECLEVEL=0";
    const { port, hits } = await secure(CERTIFICATE, {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: old,
    });
    await useProxy(port);
    try {
      Object.assign(tls, { DEFAULT_MIN_VERSION: "TLSv1", DEFAULT_CIPHERS: old });
      await unsent("https://dns.example", { ca: CERTIFICATE });
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
      await useProxy(port);
      const { message, details } = await unsent(baseUrl, options);
      match(message, expected);
      doesNotMatch(message, /NODE_TLS_REJECT_UNAUTHORIZED/);
      equal(details.passing, false);
      deepEqual(hits, []);
    });
  }

  it("explains a server without TLS, and one that closes during the handshake", async () => {
    const plain = await listen(http.createServer((_message, reply) => reply.end()));
    await unsent(`https://127.0.0.1:${plain}`);
    const silent = await listen(net.createServer((socket) => socket.destroy()));
    equal((await unsent(`https://127.0.0.1:${silent}`)).details.passing, true);
  });
});
