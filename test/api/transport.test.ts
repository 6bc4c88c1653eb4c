import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import dns from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import * as net from "node:net";
import tls from "node:tls";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import {
  createHttpTransport,
  type HttpTransportOptions,
  ProtocolError,
  type Transport,
  TransportError,
} from "../../provider/api";
import { userAgent } from "../../provider/api/transport";
import { CERTIFICATE, EXPIRED, KEY } from "./certificates";
import { cleanUp, failureOf, settingsFor } from "./support";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
after(cleanUp);

function listen(server: net.Server, port = 0): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function transportTo(baseUrl: string, options: HttpTransportOptions = {}): Transport {
  const transport = createHttpTransport(settingsFor({ baseUrl, contact: "ops@example.com" }), options);
  open.push(transport);
  return transport;
}

async function transportOf(server: net.Server, options?: HttpTransportOptions): Promise<Transport> {
  return transportTo(`http://127.0.0.1:${await listen(server)}`, options);
}

const request = { operation: "Record.List", body: "login_token=x&format=json", timeoutMs: 3000 };

async function transportFailure(
  transport: Transport,
  changes: Partial<typeof request> = {},
): Promise<TransportError> {
  const failure = await failureOf(transport.send({ ...request, ...changes }));
  ok(failure instanceof TransportError, String(failure));
  return failure;
}

describe("The HTTP transport", () => {
  it("posts the form below the base address, with its User-Agent, and reuses its connection", async () => {
    const seen: (Pick<http.IncomingMessage, "url" | "method" | "headers"> & { body: string })[] = [];
    let connections = 0;
    const server = http.createServer((message, reply) => {
      let body = "";
      message.on("data", (chunk: Buffer) => (body += chunk.toString()));
      message.on("end", () => {
        seen.push({ url: message.url, method: message.method, headers: message.headers, body });
        reply.writeHead(200, { "content-type": "text/html;charset=UTF-8" }).end("{}");
      });
    });
    server.on("connection", () => (connections += 1));
    const transport = transportTo(`http://127.0.0.1:${await listen(server)}/base/path`);
    for (let n = 0; n < 5; n += 1) equal((await transport.send(request)).body, "{}");
    ok(connections <= 2, `${connections} connections`);
    const { url, method, body, headers = {} } = seen[0] ?? {};
    deepEqual(
      [url, method, body, headers["content-type"]],
      ["/base/path/Record.List", "POST", request.body, "application/x-www-form-urlencoded"],
    );
    match(headers["user-agent"] ?? "", /^pulumi-legacydns\/\d+\.\d+\.\d+\S* \(ops@example\.com\)$/);
    match(userAgent(undefined), /\(no-contact\)$/);
  });

  it("follows no redirect, and the token goes to no other host", async () => {
    let elsewhere = 0;
    const location = `http://127.0.0.1:${await listen(http.createServer(() => (elsewhere += 1)))}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = http.createServer((_message, reply) =>
        reply.writeHead(status, { location }).end("moved"),
      );
      const got = await (await transportOf(server)).send(request);
      deepEqual([got.status, got.headers["location"], got.body], [status, location, "moved"]);
    }
    equal(elsewhere, 0);
  });

  it("reports not-sent if the connection is refused", async () => {
    const port = await listen(net.createServer());
    open.pop()?.close();
    const failure = await transportFailure(transportTo(`http://127.0.0.1:${port}`));
    deepEqual([failure.outcome, failure.code, failure.details.passing], ["not-sent", "ECONNREFUSED", true]);
    match(
      failure.message,
      /^Record\.List: the connection was refused at 127\.0\.0\.1:\d+ \(ECONNREFUSED\); check baseUrl/,
    );
  });

  for (const code of ["ENOTFOUND", "EAI_AGAIN"])
    it(`reports not-sent if the host's name is not found: ${code}`, async () => {
      const { lookup } = dns;
      const refuse = (hostname: string, _options: unknown, done: (error: Error) => void): void =>
        done(Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname }));
      // No query leaves the machine.
      Object.assign(dns, { lookup: refuse });
      try {
        const failure = await transportFailure(transportTo("https://nowhere.invalid"));
        deepEqual([failure.outcome, failure.code, failure.details.passing], ["not-sent", code, true]);
        match(failure.meaning, /name.*: nowhere\.invalid$/);
        match(failure.help.join(), /name servers/);
      } finally {
        Object.assign(dns, { lookup });
      }
    });

  it("reports uncertain if the connection breaks before or in the answer", async () => {
    const ends: ((socket: net.Socket) => unknown)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"),
      (socket) => socket.end("SSH-2.0-nonsense\r\n"),
    ];
    for (const end of ends) {
      const port = await listen(net.createServer((socket) => socket.once("data", () => end(socket))));
      equal((await transportFailure(transportTo(`http://127.0.0.1:${port}`))).outcome, "uncertain");
    }
  });

  it("ends a request that takes too long", async () => {
    const port = await listen(net.createServer((socket) => socket.resume()));
    const failure = await transportFailure(transportTo(`http://127.0.0.1:${port}`), { timeoutMs: 500 });
    deepEqual([failure.outcome, failure.code], ["uncertain", "TIMEOUT"]);
    match(failure.message, /no answer came within 0\.5 s/);
    const dripping = await listen(
      http.createServer((_message, reply) => {
        reply.write("{");
        const timer = setInterval(() => reply.write(" "), 10);
        reply.on("close", () => {
          clearInterval(timer);
        });
      }),
    );
    equal(
      (await transportFailure(transportTo(`http://127.0.0.1:${dripping}`), { timeoutMs: 100 })).code,
      "TIMEOUT",
    );
  });

  it("reads an answer up to its limit", async () => {
    const server = http.createServer((_message, reply) => reply.end("x".repeat(3 * 1024 * 1024)));
    const failure = await failureOf(
      (await transportOf(server, { maxBodyBytes: 2 * 1024 * 1024 })).send(request),
    );
    ok(failure instanceof ProtocolError);
    match(failure.message, /larger than 2 MiB/);
    equal(failure.outcome, "uncertain");
  });

  it("decompresses no answer, and ends at endless headers", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const zipped = http.createServer((_message, reply) =>
      reply.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    const { body } = await (await transportOf(zipped)).send(request);
    ok(body.length <= bomb.length);
    const headers = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, "x".repeat(1_000)]));
    const endless = http.createServer((_message, reply) => reply.writeHead(200, headers).end("{}"));
    const failure = await transportFailure(await transportOf(endless));
    equal(failure.outcome, "uncertain");
  });
});

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
