import { deepEqual, doesNotMatch, doesNotThrow, equal, match, ok } from "node:assert/strict";
import { readdirSync } from "node:fs";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { foreign } from "../../emulator/guard";
import { consolePage } from "../../emulator/page/page";

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
const records = () => emulator.admin.zone("example.com").length;

describe("the console's address", () => {
  it("has a token that is new with each start, and nothing is answered without it", async () => {
    const other = await startEmulator();
    await other.close();
    const { pathname } = new URL(other.consoleUrl ?? "");
    match(page.pathname, /^\/_console\/[\w-]{22}\/$/);
    const wrong = `/_console/${"x".repeat(22)}/`;
    for (const path of [
      "/_console",
      "/_console/",
      wrong,
      pathname,
      `${wrong}api/state`,
      "/_console//api/record/add",
    ]) {
      const { status, text } = await ask(path);
      equal(status, 403, path);
      match(text, /the whole address that the emulator printed/);
    }
    equal((await ask(page.pathname)).status, 200);
    equal((await ask(page.pathname.slice(0, -1))).headers.location, page.pathname);
  });

  it("is for this machine only: others are refused, even if the emulator listens everywhere", async () => {
    let status = 0;
    const response = { writeHead: (code: number) => (status = code), end: () => undefined };
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
      equal(status, expected, remoteAddress);
    }
    const everywhere = await startEmulator({ host: "0.0.0.0" });
    try {
      match(everywhere.consoleUrl ?? "", /^http:\/\/127\.0\.0\.1:\d+\/_console\//);
      equal((await fetch(everywhere.consoleUrl ?? "")).status, 200);
    } finally {
      await everywhere.close();
    }
  });
});

describe("a page of another site", () => {
  const own = () => `127.0.0.1:${emulator.port}`;
  const navigation = (dest: "document" | "iframe") => {
    return { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": dest };
  };
  const places = () => [`${page.pathname}api/record/add`, "/_admin/record/add", "/Domain.List"];

  it("cannot write by a form, a fetch or a frame, with any headers", async () => {
    const before = emulator.admin.settings();
    for (const headers of [
      { origin: "https://rebound.example" },
      { origin: "null" },
      { origin: `http://localhost:${emulator.port}`, host: own() },
      { origin: `http://127.0.0.1:${emulator.port + 1}` },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
      navigation("document"),
    ]) {
      for (const path of places()) {
        const answer = await ask(path, { host: own(), "content-type": "text/plain", ...headers }, edit);
        equal(answer.status, 403, JSON.stringify(headers));
        match(answer.text, /This request is refused: it comes from a page of /);
      }
    }
    equal((await ask(page.pathname, navigation("iframe"))).status, 403);
    equal(records(), 0);
    deepEqual(emulator.admin.settings(), before);
  });

  it("may link to the page, and the page itself and programs without a browser may write", async () => {
    equal((await ask(page.pathname, navigation("document"))).status, 200);
    const [console = "", admin = ""] = places();
    const samePage = { host: own(), origin: `http://${own()}`, "sec-fetch-site": "same-origin" };
    equal((await ask(console, samePage, edit)).status, 200);
    equal((await ask(admin, {}, edit.replace("192.0.2.1", "192.0.2.2"))).status, 200);
    equal(records(), 2);
    for (const { id } of emulator.admin.zone("example.com")) emulator.admin.removeRecord("example.com", id);
  });
});

describe("the emulator off loopback", () => {
  const asked = (host: string): unknown =>
    foreign({ headers: { host }, method: "POST" } as unknown as IncomingMessage, "0.0.0.0");

  it("accepts addresses and names without a dot, and refuses the names that an attacker can register", () => {
    for (const host of ["192.0.2.7:8053", "[2001:db8::7]:8053", "emulator:8053", "dns_box", "localhost"])
      equal(asked(host), null, host);
    for (const host of ["rebound.example", "rebound.example:8053", "localhost.rebound.example", ""])
      equal(typeof asked(host), "string", host);
  });
});

describe("an answer of the emulator", () => {
  const script = "<script>alert(1)</script>";
  const post = (path: string, body: string) => ask(path, {}, body);
  const long = 8 * 1024 * 1024;

  it("is never shown as a page: JSON, nosniff and a sandbox, on every path and with every fault", async () => {
    const asked: [path: string, status: number, headers?: Record<string, string>][] = [
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
      equal(answer.status, status, path);
      doesNotThrow(() => JSON.parse(answer.text.startsWith("<?xml") ? "0" : answer.text), path);
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
    equal(answers.at(-2)?.headers["retry-after"], "7");
    for (const { headers } of answers) {
      equal(headers["content-type"], "application/json; charset=utf-8");
      equal(headers["x-content-type-options"], "nosniff");
      match(String(headers["content-security-policy"]), /default-src 'none'.*sandbox/);
    }
  });

  it("to a body of more than 8 MiB is 413, and the call is not carried out", async () => {
    const { number = 0 } = emulator.admin.calls().at(-1) ?? {};
    for (const path of ["/Domain.List", "/_admin/record/add", `${page.pathname}api/record/add`]) {
      const answer = await post(path, "x".repeat(long + 1));
      deepEqual([answer.status, answer.text.includes("8 MiB")], [413, true], path);
    }
    equal((await post("/Domain.List", `keyword=${"x".repeat(long - 8)}`)).status, 200);
    equal(emulator.admin.calls().at(-1)?.number, number + 1);
    emulator.admin.clearCalls();
  });
});

describe("the console's page", () => {
  const files = readdirSync(join(__dirname, "../../emulator/page/files"));
  const views = ["", "records?domain=example.net", "record?domain=example.com", "domain"];

  it("has files of its own and nothing else: no script or style inside a view, no address of another site", async () => {
    for (const name of [...files, ...views]) {
      const { status, headers, text } = await ask(`${page.pathname}${name}`);
      deepEqual([status, headers["x-content-type-options"]], [200, "nosniff"], name);
      doesNotMatch(text.replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//, name);
      doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, name);
      if (!files.includes(name)) doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/, name);
    }
    const { headers } = await ask(page.pathname);
    const policy = String(headers["content-security-policy"]);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ])
      ok(policy.includes(rule), policy);
    doesNotMatch(policy, /unsafe|\*/);
    deepEqual(
      [headers["referrer-policy"], headers["cache-control"], headers["x-frame-options"]],
      ["no-referrer", "no-store", "DENY"],
    );
  });

  it("answers only reads of its own files", async () => {
    for (const path of [
      ...["nothing.js", "../page.js", "..%2fpage.ts", "files/console.js", "console.js/", "constructor"],
      "records/more",
    ])
      equal((await ask(`${page.pathname}${path}`)).status < 400, false, path);
    equal((await ask(page.pathname, {}, "{}")).status, 405);
    equal((await ask(page.pathname, {}, undefined, "HEAD")).text, "");
  });

  it("shows the reason if a view's domain or record is missing", async () => {
    for (const path of ["records?domain=nowhere.example", "record?domain=example.com&id=1"])
      match((await ask(`${page.pathname}${path}`)).text, /<p class="card bad">No (domain|record) /, path);
  });
});
