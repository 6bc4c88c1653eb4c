/** Access to the emulator over HTTP, and the console's answers, without a browser. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { get as httpGet, request, type IncomingMessage, type ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { foreign } from "../../emulator/guard";
import { consolePage } from "../../emulator/page/page";

const root = resolve(__dirname, "../..");
let emulator: Emulator;
let page: URL;

before(async () => {
  emulator = await startEmulator({ domains: ["example.com", "example.net"], settings: { indexDelay: 0 } });
  page = new URL(emulator.consoleUrl ?? "");
});
after(() => emulator.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** A request with the very headers of a browser, which fetch would not send. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  method = body === undefined ? "GET" : "POST",
): Promise<Answer> {
  return new Promise((done, failed) => {
    const asked = request(
      { host: "127.0.0.1", port: emulator.port, path, method, headers, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          done({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    asked.on("error", failed).end(body);
  });
}

const edit = JSON.stringify({ domain: "example.com", name: "www", type: "A", value: "192.0.2.1" });
const records = (): number => emulator.admin.zone("example.com").length;

describe("the console's address", () => {
  it("has a token that is new with each start, and nothing is answered without it", async () => {
    const other = await startEmulator();
    try {
      assert.match(page.pathname, /^\/_console\/[\w-]{22}\/$/);
      assert.notEqual(page.pathname, new URL(other.consoleUrl ?? "").pathname);
      for (const path of [
        "/_console",
        "/_console/",
        `/_console/${"x".repeat(22)}/`,
        new URL(other.consoleUrl ?? "").pathname,
        `/_console/${"x".repeat(22)}/api/state`,
        "/_console//api/record/add",
      ]) {
        const { status, text } = await ask(path);
        assert.equal(status, 403, path);
        assert.match(text, /the whole address that the emulator printed/);
      }
      assert.equal((await ask(page.pathname)).status, 200);
      assert.equal((await ask(page.pathname.slice(0, -1))).headers.location, page.pathname);
    } finally {
      await other.close();
    }
  });

  it("is for this machine only: others are refused, even if the emulator listens everywhere", async () => {
    let status = 0;
    const response = {
      writeHead: (code: number) => {
        status = code;
        return response;
      },
      end: () => response,
    };
    const { answer, path } = consolePage(emulator.admin);
    for (const [remoteAddress, expected] of [
      ["192.0.2.9", 403],
      ["::ffff:192.0.2.9", 403],
      ["2001:db8::9", 403],
      ["127.0.0.1", 200],
      ["::ffff:127.0.0.1", 200],
      ["::1", 200],
    ] as const) {
      const asked = { method: "GET", headers: {}, socket: { remoteAddress } };
      await answer(
        asked as unknown as IncomingMessage,
        response as unknown as ServerResponse,
        new URL(path, "http://127.0.0.1"),
        "",
      );
      assert.equal(status, expected, remoteAddress);
    }
    const everywhere = await startEmulator({ host: "0.0.0.0" });
    try {
      assert.match(everywhere.consoleUrl ?? "", /^http:\/\/127\.0\.0\.1:\d+\/_console\//);
      assert.equal((await fetch(everywhere.consoleUrl ?? "")).status, 200);
    } finally {
      await everywhere.close();
    }
  });
});

describe("a page of another site", () => {
  const own = (): string => `127.0.0.1:${emulator.port}`;
  const places = (): string[] => [`${page.pathname}api/record/add`, "/_admin/record/add", "/Domain.List"];

  it("cannot write by a form, a fetch or a frame, with any headers", async () => {
    const before = emulator.admin.settings();
    for (const headers of [
      { origin: "https://rebound.example" },
      { origin: "null" },
      { origin: `http://localhost:${emulator.port}`, host: own() },
      { origin: `http://127.0.0.1:${emulator.port + 1}` },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    ]) {
      for (const path of places()) {
        const answer = await ask(path, { host: own(), "content-type": "text/plain", ...headers }, edit);
        assert.equal(answer.status, 403, JSON.stringify(headers));
        assert.match(answer.text, /This request is refused: it comes from a page of /);
      }
    }
    const framed = await ask(page.pathname, {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "iframe",
    });
    assert.equal(framed.status, 403);
    assert.equal(records(), 0);
    assert.deepEqual(emulator.admin.settings(), before);
  });

  it("may link to the page, and the page itself and programs without a browser may write", async () => {
    const linked = await ask(page.pathname, {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    });
    assert.equal(linked.status, 200);
    const [console = "", admin = ""] = places();
    const samePage = { host: own(), origin: `http://${own()}`, "sec-fetch-site": "same-origin" };
    assert.equal((await ask(console, samePage, edit)).status, 200);
    assert.equal((await ask(admin, {}, edit.replace("192.0.2.1", "192.0.2.2"))).status, 200);
    assert.equal(records(), 2);
    for (const { id } of emulator.admin.zone("example.com")) emulator.admin.removeRecord("example.com", id);
  });
});

describe("the emulator off loopback", () => {
  const asked = (host: string): unknown =>
    foreign({ headers: { host }, method: "POST" } as unknown as IncomingMessage, "0.0.0.0");

  it("accepts addresses and names without a dot, and refuses the names that an attacker can register", () => {
    for (const host of ["192.0.2.7:8053", "[2001:db8::7]:8053", "emulator:8053", "dns_box", "localhost"])
      assert.equal(asked(host), null, host);
    for (const host of ["rebound.example", "rebound.example:8053", "localhost.rebound.example", ""])
      assert.equal(typeof asked(host), "string", host);
  });
});

describe("an answer of the emulator", () => {
  const script = "<script>alert(1)</script>";
  const post = (path: string, body: string): Promise<Answer> => ask(path, {}, body);
  const long = 8 * 1024 * 1024;

  it("is never shown as a page: JSON, nosniff and a sandbox, on every path and with every fault", async () => {
    const asked: (readonly [path: string, status: number, headers?: Record<string, string>])[] = [
      ["/Domain.List", 200],
      [`/${script}`, 200],
      ["/%zz", 200],
      ["//", 400],
      [`/_admin/${script}`, 404],
      ["/_admin/snapshot", 200],
      ["/Domain.List", 403, { host: `${script}.example` }],
      ["/_admin/snapshot", 403, { origin: script }],
    ];
    const answers = [];
    for (const [path, status, headers] of asked) {
      const answer = await ask(path, headers);
      assert.equal(answer.status, status, path);
      assert.doesNotThrow(() => JSON.parse(answer.text.startsWith("<?xml") ? "0" : answer.text), path);
      answers.push(answer);
    }
    for (const fault of [
      { kind: "garbage", form: "html" },
      { kind: "http", status: 503, retryAfter: 7 },
      { kind: "code", code: "3", message: script },
    ] as const) {
      emulator.admin.addFault({ ...fault, count: 1 });
      answers.push(await post("/Domain.List", "format=json"));
    }
    assert.equal(answers.at(-2)?.headers["retry-after"], "7");
    for (const { headers } of answers) {
      assert.equal(headers["content-type"], "application/json; charset=utf-8");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.match(String(headers["content-security-policy"]), /default-src 'none'.*sandbox/);
    }
  });

  it("to a body of more than 8 MiB is 413, and the call is not carried out", async () => {
    const { number = 0 } = emulator.admin.calls().at(-1) ?? {};
    for (const path of ["/Domain.List", "/_admin/record/add", `${page.pathname}api/record/add`]) {
      const answer = await post(path, "x".repeat(long + 1));
      assert.deepEqual([answer.status, answer.text.includes("8 MiB")], [413, true], path);
    }
    assert.equal((await post("/Domain.List", `keyword=${"x".repeat(long - 8)}`)).status, 200);
    assert.equal(emulator.admin.calls().at(-1)?.number, number + 1);
    emulator.admin.clearCalls();
  });
});

describe("the console's page", () => {
  const files = readdirSync(join(root, "emulator/page/files"));

  it("has files of its own and nothing else: no script or style inside the page, no address of another site", async () => {
    for (const name of files) {
      const answer = await ask(`${page.pathname}${name}`);
      assert.equal(answer.status, 200, name);
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      assert.doesNotMatch(answer.text.replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//, name);
      assert.doesNotMatch(
        answer.text,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/,
        name,
      );
    }
    const { text, headers } = await ask(page.pathname);
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    const policy = String(headers["content-security-policy"]);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      assert.ok(policy.includes(rule), policy);
    }
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.deepEqual(
      [headers["referrer-policy"], headers["cache-control"], headers["x-frame-options"]],
      ["no-referrer", "no-store", "DENY"],
    );
  });

  it("answers only reads of its own files", async () => {
    for (const path of [
      "nothing.js",
      "../page.js",
      "..%2fpage.ts",
      "files/main.js",
      "main.js/",
      "tsconfig.json",
    ]) {
      assert.equal((await ask(`${page.pathname}${path}`)).status < 400, false, path);
    }
    assert.equal((await ask(page.pathname, {}, "{}")).status, 405);
    assert.equal((await ask(page.pathname, {}, undefined, "HEAD")).text, "");
  });
});

describe("the console's reads", () => {
  const from = async (path: string): Promise<Record<string, unknown>> =>
    JSON.parse((await ask(`${page.pathname}api/${path}`)).text) as Record<string, unknown>;

  it("return a form's choices, a job with its records, and a call with its parameters", async () => {
    const choices = await from("choices?domain=example.com");
    for (const [key, choice] of Object.entries({ types: "CAA", operations: "Record.Modify", lines: "默认" }))
      assert.ok((choices[key] as string[]).includes(choice), key);
    const ok = { type: "A", value: "192.0.2.1" };
    const records = [ok, { ...ok, error: "not today" }];
    const id = emulator.admin.addJob({ type: "record_add", items: [{ domain: "example.com", records }] });
    const [job] = emulator.admin.overview().jobs;
    assert.deepEqual([job?.id, job?.state, job?.records, job?.success, job?.fail], [id, "done", 2, 1, 1]);
    assert.match(JSON.stringify(await from(`job?id=${id}`)), /not today/);
    const sent = "x".repeat(5000);
    await fetch(`${emulator.url}/Domain.List`, {
      method: "POST",
      body: new URLSearchParams({ format: "json", keyword: sent, login_token: emulator.token }),
    });
    const number = emulator.admin.calls().at(-1)?.number ?? 0;
    assert.deepEqual((await from(`call?number=${number}`))["params"], {
      format: "json",
      keyword: sent,
      login_token: "(redacted)",
    });
    assert.match(String((await from("call?number=999999"))["error"]), /No call 999999/);
  });
});

describe("the console's live updates", () => {
  /** Listens until the events so far satisfy a test. */
  function listen(until: (seen: string) => boolean, after?: string): Promise<string> {
    return new Promise((done, failed) => {
      const headers = after === undefined ? {} : { "last-event-id": after };
      const listening = httpGet(`${page.href}events`, { headers, agent: false }, (response) => {
        let seen = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          seen += chunk;
          if (!until(seen)) return;
          listening.destroy();
          done(seen);
        });
        response.on("end", () => {
          failed(new Error(`it ended after ${seen}`));
        });
      }).on("error", failed);
      listening.setTimeout(30_000, () => listening.destroy(new Error("nothing more came")));
    });
  }
  const call = (operation: string): Promise<unknown> =>
    fetch(`${emulator.url}/${operation}`, {
      method: "POST",
      body: new URLSearchParams({ format: "json", login_token: emulator.token, keyword: "y".repeat(999) }),
    });

  it("begin with the whole state, then contain each change and call once, also after a break", async () => {
    const first = await listen((seen) => seen.includes("event: calls"));
    assert.match(first, /event: overview\ndata: \{"domains":\[.*"example\.com"/);
    const last = /^id: (\d+)$/m.exec(first)?.[1] ?? "";
    const later = listen(
      (seen) =>
        seen.includes("Domain.Purview") &&
        /"revision":\d+[^\n]*\n\nid|event: overview[\s\S]*event: overview/.test(seen),
      last,
    );
    await call("Domain.List");
    emulator.admin.addRecord("example.com", { name: "live", type: "A", value: "192.0.2.3" });
    await call("Domain.Purview");
    const told = await later;
    assert.equal(told.split('"operation":"Domain.List"').length, 2, told);
    assert.doesNotMatch(told, /y{300}/);
    assert.doesNotMatch(told, new RegExp(emulator.token));
    const again = await listen((seen) => seen.includes("event: overview"), "999999999");
    assert.doesNotMatch(again, /event: calls/);
  });
});
