import { deepEqual, equal, match, ok } from "node:assert/strict";
import dns from "node:dns";
import * as http from "node:http";
import * as net from "node:net";
import { gzipSync } from "node:zlib";
import { ProtocolError } from "../../provider/api";
import { userAgent } from "../../provider/api/transport";
import { closeAll, listen, request, transportFailure, transportOf, transportTo } from "./servers";
import { cleanUp, failureAs } from "./support";

afterEach(closeAll);
after(cleanUp);

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
    await closeAll();
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
      const refuse = (hostname: string, _options: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname }));
      // No query leaves the machine.
      Object.assign(dns, { lookup: refuse });
      try {
        const failure = await transportFailure(transportTo("https://nowhere.invalid"));
        deepEqual([failure.outcome, failure.code, failure.details.passing], ["not-sent", code, true]);
        match(failure.details.meaning, /name.*: nowhere\.invalid$/);
        match(failure.details.help.join(), /name servers/);
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
      const server = net.createServer((socket) => socket.once("data", () => end(socket)));
      equal((await transportFailure(await transportOf(server))).outcome, "uncertain");
    }
  });

  it("ends a request that takes too long", async () => {
    const silent = net.createServer((socket) => socket.resume());
    const failure = await transportFailure(await transportOf(silent), { timeoutMs: 500 });
    deepEqual([failure.outcome, failure.code], ["uncertain", "TIMEOUT"]);
    match(failure.message, /no answer came within 0\.5 s/);
    const dripping = http.createServer((_message, reply) => {
      reply.write("{");
      const timer = setInterval(() => reply.write(" "), 10);
      reply.on("close", () => {
        clearInterval(timer);
      });
    });
    equal((await transportFailure(await transportOf(dripping), { timeoutMs: 100 })).code, "TIMEOUT");
  });

  it("reads an answer up to its limit", async () => {
    const server = http.createServer((_message, reply) => reply.end("x".repeat(3 * 1024 * 1024)));
    const transport = await transportOf(server, { maxBodyBytes: 2 * 1024 * 1024 });
    const failure = await failureAs(ProtocolError, transport.send(request));
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
    equal((await transportFailure(await transportOf(endless))).outcome, "uncertain");
  });
});
