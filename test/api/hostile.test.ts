/** A service that turns against its caller: whatever it answers, there is one clear error, or what is documented, and no more. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  type Client,
  createClient,
  LegacyDnsError,
  listRecords,
  operations,
  ProtocolError,
} from "../../provider/api";
import {
  answer,
  cleanUp,
  clientOn,
  enveloped,
  failureOf,
  freshFolder,
  scripted,
  settingsFor,
  skippingClock,
} from "./support";

after(cleanUp);

// A state folder that cannot be: an answer that is taken for a failed login must not speak for the next one.
const file = join(freshFolder(), "file");
writeFileSync(file, "");
const settings = settingsFor({ stateDir: join(file, "state") });

const record = {
  id: "1",
  name: "www",
  line: "默认",
  line_id: "0",
  type: "A",
  ttl: "600",
  value: "192.0.2.1",
  weight: null,
  mx: "0",
  enabled: "1",
  status: "enabled",
  monitor_status: "",
  remark: "",
  updated_on: "2015-01-18 12:00:00",
  hold: "",
};
const domain = {
  id: "1",
  name: "example.com",
  punycode: "example.com",
  grade: "DP_Free",
  grade_title: "x",
  status: "enable",
  ext_status: "",
  records: "3",
  group_id: "9",
  is_mark: "no",
  remark: "",
  is_vip: "no",
  searchengine_push: "yes",
  user_id: "7",
  created_on: "2015-01-18 12:00:00",
  updated_on: "2015-01-18 12:00:00",
  ttl: "600",
  cname_speedup: "disable",
  owner: "o",
  service_ns: ["ns1.example.net"],
};

/** A good answer of every documented operation, and a call that asks for it. */
const good: Readonly<Record<string, { readonly reply: object; call(client: Client): Promise<unknown> }>> = {
  "Domain.Info": { reply: { domain }, call: (c) => c.call("Domain.Info", { domain: "example.com" }) },
  "Domain.List": {
    reply: { info: { domain_total: 1, all_total: 1 }, domains: [domain] },
    call: (c) => c.call("Domain.List", {}),
  },
  "Domain.Purview": {
    reply: { purview: [{ name: "x", value: 2 }] },
    call: (c) => c.call("Domain.Purview", { domain: "example.com" }),
  },
  "Domainshare.Modify": {
    reply: {},
    call: (c) => c.call("Domainshare.Modify", { domain: "example.com", email: "a@example.org", mode: "r" }),
  },
  "Record.List": {
    reply: {
      domain: { ...domain, owner: "o", min_ttl: 1 },
      info: { sub_domains: "1", record_total: "1", records_num: "1" },
      records: [record],
    },
    call: (c) => c.call("Record.List", { domain: "example.com", length: 3000 }),
  },
  "Record.Info": {
    reply: {
      domain: { id: "1", domain: "example.com", domain_grade: "x" },
      record: { ...record, sub_domain: "www", record_type: "A", record_line: "默认", record_line_id: "0" },
    },
    call: (c) => c.call("Record.Info", { domain: "example.com", recordId: "1" }),
  },
  "Batch.Record.Create": {
    reply: { job_id: 1, detail: [] },
    call: (c) =>
      c.call("Batch.Record.Create", {
        domainIds: ["1"],
        records: [{ subDomains: ["www"], type: "A", line: "默认", value: "192.0.2.1", ttl: 1 }],
      }),
  },
  "Batch.Detail": {
    reply: {
      type: "record_add",
      total: 2,
      success: 2,
      fail: 0,
      created_at: "2015-01-18 12:00:00",
      detail: [
        {
          domain: "example.com",
          domain_id: "1",
          domain_grade: "x",
          status: "ok",
          err_msg: null,
          records: [
            {
              sub_domain: "www",
              record_type: "A",
              area: "默认",
              value: "192.0.2.1",
              ttl: "600",
              mx: null,
              err_msg: null,
              status: "ok",
              record_id: 1,
            },
          ],
        },
      ],
    },
    call: (c) => c.call("Batch.Detail", { jobId: "1" }),
  },
  "Monitor.Gethistory": {
    reply: {
      domain: { id: "1", domain: "example.com", domain_grade: "x" },
      record: { id: "1", sub_domain: "www", ip: "192.0.2.1" },
      monitor_history: [
        {
          point: "p",
          data: {
            message: "m",
            code: 1,
            data: [{ status: "Ok", status_code: 200, createtime: "2015-01-18 12:00:00", responsetime: 5 }],
          },
        },
      ],
    },
    call: (c) => c.call("Monitor.Gethistory", { monitorId: "1" }),
  },
  "Custom.Line.List": {
    reply: {
      data: {
        areas: [{ domain_id: "1", name: "x", area: "192.0.2.0/24", use_count: 1, max_count: 2 }],
        available_count: 1,
      },
    },
    call: (c) => c.call("Custom.Line.List", { domain: "example.com" }),
  },
};

/** Raw JSON, since much of it cannot be written as a value. */
const hostile = [
  "1e400",
  "-1e400",
  "18446744073709551616",
  "-1",
  "1.5",
  "1e308",
  "0.1e-400",
  '"18446744073709551616"',
  `"${"9".repeat(10_000)}"`,
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  '[{"__proto__":{"polluted":1}}]',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '""',
  '"\\u0000\\u001b[2J\\u202e"',
  '"\\ud800"',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `"${"x".repeat(100_000)}"`,
];

/** The value as JSON, once for each of its leaves and branches, with that place taken by a marker. */
function* spoilt(value: unknown): Generator<unknown> {
  yield "HERE";
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries())
      for (const inner of spoilt(each)) yield value.map((other: unknown, j) => (i === j ? inner : other));
  } else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value))
      for (const inner of spoilt(each)) yield { ...value, [key]: inner };
  }
}

/** A text as a terminal and a log can bear it. */
function assertPresentable(error: unknown): void {
  assert.ok(error instanceof LegacyDnsError, String(error));
  assert.ok(error.message.length < 1_000, `${error.message.length} characters`);
  assert.doesNotMatch(
    error.message,
    /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\[object|x{1000}/,
    error.message,
  );
}

async function survives(name: string, body: string): Promise<void> {
  const { call } = good[name] ?? assert.fail();
  try {
    const result = JSON.stringify(await call(clientOn(scripted(answer(body)), { settings })));
    // What is understood is what is documented: nothing of a prototype, no number that JSON cannot hold.
    assert.doesNotMatch(result, /polluted|:null/);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    assertPresentable(error);
  }
  assert.equal(Reflect.get({}, "polluted"), undefined);
}

describe("A hostile answer", () => {
  it("is tried on every documented operation", () => {
    const documented = Object.entries(operations)
      .filter(([, row]) => row.documented)
      .map(([name]) => name);
    assert.deepEqual(Object.keys(good).sort(), documented.sort());
  });

  for (const name of Object.keys(good)) {
    it(`of ${name}, whichever part of it is hostile, is one error or harmless`, async () => {
      const { reply, call } = good[name] ?? assert.fail();
      await call(clientOn(scripted(answer(enveloped("1", reply)))));
      const whole = { status: { code: "1", message: "m", created_at: "2015-01-18 12:00:00" }, ...reply };
      for (const body of spoilt(whole)) {
        for (const value of hostile)
          await survives(
            name,
            JSON.stringify(body).replace('"HERE"', () => value),
          );
      }
    });
  }

  for (const code of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    it(`with the code ${code} is explained as one that nobody knows`, async () => {
      for (const name of ["Domain.Info", "Batch.Record.Create"]) {
        const { call } = good[name] ?? assert.fail();
        const failure = await failureOf(call(clientOn(scripted(answer(enveloped(code))))));
        assertPresentable(failure);
        assert.match(failure.message, /a code that is not documented/);
      }
    });
  }

  it("nested as deep as it is long is one error", async () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const deep = `${open.repeat(200_000)}1${close.repeat(200_000)}`;
      await survives("Record.List", deep);
      await survives(
        "Record.List",
        `{"status":{"code":"1","message":${deep}},"domain":${deep},"info":${deep},"records":[${deep}]}`,
      );
      await survives("Record.List", `{"status":${deep}}`);
    }
  });

  it("that lists a record twice, or the same page for ever, ends in one error after a few calls", async () => {
    const page = enveloped("1", {
      domain: { ...domain, min_ttl: 1 },
      info: { sub_domains: "9999999", record_total: "9999999", records_num: "1" },
      records: [record, record],
    });
    const transport = scripted(answer(page));
    const failure = await failureOf(listRecords(clientOn(transport), { name: "example.com" }));
    assertPresentable(failure);
    assert.ok(transport.requests.length < 20, `${transport.requests.length} calls`);
  });
});

describe("A hostile answer over HTTP", () => {
  let server: Server;
  let client: Client;
  let reply: (response: import("node:http").ServerResponse) => void;
  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.on("error", () => undefined);
      reply(response);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    client = createClient({
      settings: settingsFor({ baseUrl: `http://127.0.0.1:${port}`, requestTimeout: 20 }),
      clock: skippingClock(),
    });
  });
  after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = (): Promise<Error> => failureOf(client.call("Batch.Detail", { jobId: "1" }));

  it("of 100 MB is not read to its end, and asked for once", async () => {
    const block = Buffer.alloc(1024 * 1024, " ");
    let sent = 0;
    let asked = 0;
    reply = (response) => {
      asked += 1;
      response.writeHead(200);
      const more = (): void => {
        while (sent < 100 && !response.destroyed) {
          sent += 1;
          if (!response.write(block)) return void response.once("drain", more);
        }
        response.end("{}");
      };
      more();
    };
    const failure = await ask();
    assert.ok(failure instanceof ProtocolError);
    assert.match(
      failure.message,
      /^Batch\.Detail of job 1: the answer is larger than 64 MiB and was not read to its end\. Check baseUrl/,
    );
    assert.equal(asked, 1);
  });

  it("that unfolds from a small file is not unfolded", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    reply = (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    const failure = await ask();
    assertPresentable(failure);
    assert.match(failure.message, /the answer is not one of this service/);
  });

  it("with headers that have no end is cut off", async () => {
    reply = (response) =>
      response
        .writeHead(
          200,
          Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, "x".repeat(1_000)])),
        )
        .end("{}");
    assertPresentable(await ask());
  });

  it("that sends elsewhere is not followed, and the token goes nowhere else", async () => {
    let elsewhere = 0;
    const other = createServer((_request, response) => {
      elsewhere += 1;
      response.end("{}");
    });
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const { port } = other.address() as AddressInfo;
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        reply = (response) =>
          response.writeHead(status, { location: `http://127.0.0.1:${port}/Batch.Detail` }).end();
        const failure = await ask();
        assertPresentable(failure);
        assert.match(failure.message, /redirected to http:\/\/127\.0\.0\.1:\d+, which is not followed/);
      }
      assert.equal(elsewhere, 0);
    } finally {
      other.close();
    }
  });
});
