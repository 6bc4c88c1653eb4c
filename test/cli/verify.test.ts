import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createSocket } from "node:dgram";
import { join } from "node:path";
import { declaredRecords } from "../../cli/verify/declared";
import type { RecordInput } from "../../emulator/service/schemas";
import type { Emulator, StartOptions } from "../../emulator";
import type { Clock } from "../../provider/support/clock";
import { expandSpecs, zoneText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { cli, fakePulumi, inFolder, refuses, withService, type CliRun } from "./run";

const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const sealed = (letter: string): object => ({ ...secretMark, ciphertext: `v1:${letter}` });

function resource(type: string, more: object): object {
  const full = `pulumi-nodejs:dynamic/legacydns:${type}`;
  return { urn: `urn:pulumi:test::zones::${full}::web`, type: full, ...more };
}

function batch(lines: readonly string[], more: object = {}): object {
  const { problems, ...contents } = expandSpecs("example.com", lines, { defaultLine: "默认" });
  assert.deepEqual(problems.filter(isError), []);
  const props = { domains: ["example.com"], records: zoneText(contents) };
  return resource("RecordBatch", { inputs: props, outputs: props, ...more });
}

const apex = [batch(["@ A 192.0.2.1"])];
const a = (value: string, name = "@", more: Partial<RecordInput> = {}): RecordInput => ({
  name,
  type: "A",
  value,
  ...more,
});

/** A state file of the resources, for as long as `tell` takes. */
const withState = (resources: readonly object[], tell: (file: string) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
    await tell(file);
  });

const verify = (file: string, server: number | null, args: readonly string[] = [], clock?: Clock) =>
  cli(
    ["verify", "--state", file, "--server", `127.0.0.1:${String(server)}`, "--timeout", "1", ...args],
    {},
    clock,
  );

/** The result of verify for a zone on the service and a declaration. */
async function verified(
  zone: readonly RecordInput[],
  resources: readonly object[],
  args: readonly string[] = [],
  domain: Exclude<NonNullable<StartOptions["domains"]>[0], string> = { name: "example.com" },
  clockOf?: (service: Emulator) => Clock,
): Promise<CliRun> {
  const runs: CliRun[] = [];
  await withService(
    { domains: [{ ...domain, records: [...zone] }, "example.net"], dnsPort: 0 },
    (_env, service) =>
      withState(resources, async (file) => {
        runs.push(await verify(file, service.dnsPort, args, clockOf?.(service)));
        assert.deepEqual(service.admin.counts(), {});
      }),
  );
  const [run] = runs;
  assert.ok(run);
  return run;
}

async function withMute(tell: (port: number) => Promise<void>): Promise<void> {
  const mute = createSocket("udp4");
  await new Promise<void>((bound) => mute.bind(0, "127.0.0.1", bound));
  try {
    await tell(mute.address().port);
  } finally {
    mute.close();
  }
}

/** A clock whose waits end at once, after an event. */
function clockWith(meanwhile: (waits: number) => void = () => undefined): Clock {
  let [now, waits] = [0, 0];
  const sleep = (ms: number): Promise<void> => {
    now += ms;
    meanwhile((waits += 1));
    return Promise.resolve();
  };
  return { now: () => now, wall: () => now, resumed: () => 0, sleep };
}

const long = "k=v;".repeat(500);

/** Every type that is asked for: as it is declared, and as the service holds it. */
const everyType: readonly (readonly [line: string, held: RecordInput])[] = [
  ["@ 600 A 192.0.2.1", { type: "A", value: "192.0.2.1", ttl: 600 }],
  ["www A 192.0.2.2", { name: "www", type: "A", value: "192.0.2.2", ttl: 77 }],
  ["www AAAA 2001:DB8:0::1", { name: "www", type: "AAAA", value: "2001:db8::1" }],
  ["@ MX 10 mx1.example.net.", { type: "MX", value: "mx1.example.net.", mx: 10 }],
  ["@ MX 20 MX2.example.net.", { type: "MX", value: "mx2.example.net.", mx: 20 }],
  ["@ TXT v=spf1 -all", { type: "TXT", value: "v=spf1 -all" }],
  [`k1 TXT "${long}"`, { name: "k1", type: "TXT", value: long }],
  ['q TXT "say \\"hi\\" \\\\ ok"', { name: "q", type: "TXT", value: 'say "hi" \\ ok' }],
  // A possible console entry: the service keeps it without the quotes, and serves it so.
  ["quoted TXT v=DMARC1", { name: "quoted", type: "TXT", value: '"v=DMARC1"' }],
  [
    "_sip._tcp SRV 10 5 5060 sip.example.net.",
    { name: "_sip._tcp", type: "SRV", value: "10 5 5060 sip.example.net." },
  ],
  ['@ CAA 0 issue "letsencrypt.org"', { type: "CAA", value: '0 issue "letsencrypt.org"' }],
  ["alias CNAME example.net.", { name: "alias", type: "CNAME", value: "example.net." }],
  ["*.w CNAME example.net.", { name: "*.w", type: "CNAME", value: "example.net." }],
  ["*.v A 192.0.2.9", { name: "*.v", type: "A", value: "192.0.2.9" }],
  ["sub NS ns1.sub.example.com.", { name: "sub", type: "NS", value: "ns1.sub.example.com." }],
  ["ns1.sub A 192.0.2.53", { name: "ns1.sub", type: "A", value: "192.0.2.53" }],
];

describe("pulumi-legacydns verify", () => {
  it("finds records of every type, wildcards, delegations and their glue, and long texts over TCP", async () => {
    const declared = batch(everyType.map(([line]) => line));
    const { code, out, err } = await verified(
      everyType.map(([, held]) => held),
      [declared],
    );
    const { length } = everyType;
    assert.deepEqual([code, out, err], [0, `${length} of ${length} declared records are served\n`, ""]);
  });

  it("shows the differences in a table, and ends with 2", async () => {
    const zone: RecordInput[] = [
      a("192.0.2.9"),
      { name: "alias", type: "CNAME", value: "example.net." },
      a("192.0.2.1", "ttl", { ttl: 60 }),
      a("192.0.2.1", "off", { enabled: false }),
      { name: "sub", type: "NS", value: "ns.example.net." },
      a("192.0.2.1", "www"),
    ];
    const lines = [
      "@ A 192.0.2.1",
      "alias A 192.0.2.1",
      "ttl 600 A 192.0.2.1",
      "off A 192.0.2.1",
      "below.sub A 192.0.2.1",
      "www A 192.0.2.1",
      "www MX 10 mx.example.net.",
    ];
    const { code, out, err } = await verified(zone, [batch(lines)]);
    assert.equal(
      out,
      `name                    type  declared            served
example.com.            A     192.0.2.1           192.0.2.9
alias.example.com.      A     192.0.2.1           CNAME example.net.
off.example.com.        A     192.0.2.1           no such name
below.sub.example.com.  A     192.0.2.1           sub.example.com. is delegated to ns.example.net.
ttl.example.com.        A     192.0.2.1 TTL 600   TTL 60
www.example.com.        MX    10 mx.example.net.  nothing

2 of 7 declared records are served; 1 of them with another TTL; 5 are not
`,
    );
    assert.deepEqual([code, err], [2, ""]);
  });

  it("shortens long texts and lists in the table, but not in JSON", async () => {
    const zone = [
      { name: "key", type: "TXT", value: `${long}old` },
      ...Array.from({ length: 40 }, (_, i) => a(`192.0.2.${i + 1}`)),
    ];
    const declared = [batch([`key TXT "${long}new"`, "@ A 192.0.2.99"])];
    const { out } = await verified(zone, declared);
    assert.match(out, /v;new" \(2,005 characters\) {2}.*v;old" \(2,005 characters\)$/m);
    assert.match(out, /^example\.com\. +A +192\.0\.2\.99 +192.*… \(469 characters\)$/m);
    assert.ok(out.split("\n").every((line) => line.length < 400));
    const json = JSON.parse((await verified(zone, declared, ["--json"])).out) as { differences: object[] };
    assert.ok(JSON.stringify(json.differences).includes(`${long}old`));
  });

  it("reports another TTL as a warning and ends with 0; an omitted TTL matches any", async () => {
    const zone = [a("192.0.2.1", "@", { ttl: 60 }), a("192.0.2.1", "www", { ttl: 61 })];
    const declared = [batch(["@ 600 A 192.0.2.1", "www A 192.0.2.1"])];
    const { code, out } = await verified(zone, declared, ["--json"]);
    const { ok, summary, differences } = JSON.parse(out) as Record<string, unknown>;
    assert.deepEqual(
      [code, ok, summary, differences],
      [
        0,
        true,
        { declared: 2, served: 2, missing: 0, otherTtl: 1, notAsked: 0, unanswered: 0 },
        [{ kind: "ttl", name: "example.com.", type: "A", declared: "192.0.2.1 TTL 600", served: "TTL 60" }],
      ],
    );
  });

  it("lists records on other lines and with types unknown to DNS, without asking for them", async () => {
    const lines = [
      "www A 192.0.2.1",
      "www A 192.0.2.2 [电信]",
      "www A 192.0.2.3 [电信]",
      "go URL https://example.net/",
      "a* A 192.0.2.1",
    ];
    const { code, out } = await verified([a("192.0.2.1", "www")], [batch(lines)]);
    assert.deepEqual(
      [code, out],
      [
        0,
        "1 of 1 declared records that DNS can be asked for are served\n4 further records not asked for, as intended: www.example.com. A; www.example.com. A (line 电信); a*.example.com. A (mixed wildcard); go.example.com. URL (type URL)\n",
      ],
    );
  });

  it("asks for a single record of the outputs, and omits a pending deletion", async () => {
    const props = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: "default" };
    // A refresh changes the inputs.
    const run = await verified(
      [a("192.0.2.1", "www")],
      [
        resource("Record", { inputs: { ...props, value: "192.0.2.7" }, outputs: props }),
        resource("Record", { delete: true, outputs: { ...props, value: "192.0.2.2" } }),
      ],
    );
    assert.deepEqual(run, {
      code: 0,
      out: "1 of 1 declared records are served\n",
      err: 'warning: Record "web": its replaced state is still to be deleted, and may still be served\n',
    });
  });

  it("does not ask for secret records, and reports them", async () => {
    const props = { domain: "example.com", name: "v1", type: "TXT", value: sealed("v"), ttl: "default" };
    const hidden = {
      domains: ["example.com"],
      records: "; s.example.com. 600 TXT (secret abc)\nwww.example.com. 600 A 192.0.2.1\n",
      secrets: sealed("x"),
      __ledger: sealed("z"),
      problems: sealed("y"),
      sensitive: true,
    };
    const resources = [
      resource("RecordBatch", { outputs: hidden }),
      resource("Record", { outputs: { ...props, __ledger: sealed("z") } }),
    ];
    assert.deepEqual(await verified([a("192.0.2.1", "www")], resources), {
      code: 0,
      out: "1 of 1 declared records are served\n",
      err: 'warning: RecordBatch "web": not asked for: 1 secret record\nwarning: Record "web": its records are secret, and not asked for\n',
    });
  });

  it("asks each of several servers, and names the one that differs", () => {
    const service = (value: string): StartOptions => ({
      domains: [{ name: "example.com", records: [a(value)] }],
      dnsPort: 0,
    });
    return withService(service("192.0.2.1"), (_env, good) =>
      withService(service("192.0.2.2"), (_other, bad) =>
        withState(apex, async (file) => {
          const servers = [good, bad].map(({ dnsPort }) => `127.0.0.1:${String(dnsPort)}`);
          const { code, out } = await cli(["verify", "--state", file, "--server", ...servers]);
          assert.match(out, new RegExp(`192\\.0\\.2\\.2 \\(${servers[1] ?? ""}\\)\n`));
          assert.equal(code, 2);
        }),
      ),
    );
  });

  describe("with --wait", () => {
    const waited = (meanwhile: (service: Emulator, waits: number) => void): Promise<CliRun> =>
      verified(
        [a("192.0.2.1"), a("192.0.2.9", "www")],
        [batch(["@ A 192.0.2.1", "www A 192.0.2.2", "api A 192.0.2.3"])],
        ["--wait", "60"],
        undefined,
        (service) => clockWith((waits) => meanwhile(service, waits)),
      );

    it("asks again until every declared record is served, and prints the missing ones", async () => {
      const { code, out, err } = await waited(({ admin }, waits) => {
        if (waits === 1) admin.addRecord("example.com", a("192.0.2.3", "api"));
        if (waits === 3) admin.addRecord("example.com", a("192.0.2.2", "www"));
      });
      assert.deepEqual([code, out], [0, "3 of 3 declared records are served, after 10 seconds\n"]);
      assert.equal(
        err,
        "1 of 3 records are served; waiting for 2 records: api.example.com. A and 1 more (0 of 60 s)\n",
      );
    });

    it("ends with 2 after the time, and lists the missing records", async () => {
      const { code, out } = await waited(({ admin }, waits) => {
        if (waits === 1) admin.addRecord("example.com", a("192.0.2.3", "api"));
      });
      assert.equal(
        out,
        `name              type  declared   served
www.example.com.  A     192.0.2.2  192.0.2.9

2 of 3 declared records are served; 1 is not, after 60 seconds
`,
      );
      assert.equal(code, 2);
    });

    it("also waits for a server that does not answer yet", () =>
      withMute((port) =>
        withState(apex, async (file) => {
          const { code, out } = await verify(file, port, ["--wait", "1"], clockWith());
          assert.deepEqual(
            [code, out],
            [1, "0 of 1 declared records are served; no answer for 1, after 1 second\n"],
          );
        }),
      ));
  });

  it("counts a refusal to answer, as for a paused domain, as not served", async () => {
    const paused = { name: "example.com", status: "pause" } as const;
    const { code, out } = await verified([a("192.0.2.1")], apex, [], paused);
    assert.match(out, /192\.0\.2\.1 {2}refused to answer \(REFUSED\)\n/);
    assert.equal(code, 2);
  });

  it("stops asking a server that never answers, and ends with 1", () =>
    withMute((port) =>
      withState([batch(["@ A 192.0.2.1", "www A 192.0.2.1"])], async (file) => {
        const { code, out, err } = await verify(file, port);
        assert.deepEqual([code, out], [1, "0 of 2 declared records are served; no answer for 2\n"]);
        assert.match(
          err,
          /^error: 127\.0\.0\.1:\d+: no answer within 1 s \(2 of 2 questions\) \[server\.silent\]\n/,
        );
      }),
    ));

  const nowhere: StartOptions = {
    domains: [{ name: "example.com", nameServers: ["ns1.nowhere.invalid"], records: [a("192.0.2.1")] }],
  };

  it("asks a configured service for the name servers, and names those without an address", () =>
    withService(nowhere, (env, service) =>
      withState(apex, async (file) => {
        const { code, out, err } = await cli(["verify", "--state", file], env);
        assert.deepEqual(service.admin.counts(), { "Record.List": 1 });
        assert.deepEqual([code, out], [1, "0 of 1 declared records are served; no answer for 1\n"]);
        assert.match(
          err,
          /^error: example\.com: no name server was found \[server\.unknown\]\n {2}ns1\.nowhere\.invalid {2}no address is found \([A-Z_]+\)\n {2}help: name one: --server ADDRESS\n$/,
        );
      }),
    ));

  it("reports an empty state", async () => {
    const { code, err } = await verified([], []);
    assert.deepEqual(
      [code, err],
      [
        1,
        "error: the state has no such records [state.empty]\n  help: choose the stack: --stack NAME\n  help: run `pulumi up` first\n",
      ],
    );
  });

  it("prints the engine's error, also in JSON", () =>
    inFolder(async (folder) => {
      const script = `echo "error: no stack named 'nope' found" >&2\nexit 255`;
      const { code, out, err } = await cli(["verify", "--json"], fakePulumi(folder, script));
      const text =
        "`pulumi stack export` failed [engine.failed]\n  no stack named 'nope' found\n  help: correct the engine's error, then run the command again\n  help: name the stack: --stack NAME";
      const { ok, troubles } = JSON.parse(out) as Record<string, unknown>;
      assert.deepEqual([code, err, ok, troubles], [1, `error: ${text}\n`, false, [text]]);
    }));

  refuses("verify", [
    [
      "a missing state file",
      ["--state", "absent.json"],
      /^error: --state: there is no file absent\.json \[path\.missing\]\n/,
    ],
    [
      "a file that is no state",
      ["--state", __filename],
      /^error: --state .* is not the state of a stack \[state\.unfit\]\n {2}help: make one: pulumi stack export --file FILE\n$/,
    ],
    [
      "a folder in place of a state file",
      ["--state", __dirname],
      /^error: --state: .* cannot be read \(EISDIR\) \[file\.unreadable\]\n/,
    ],
    [
      "a server with a port beyond 65535",
      ["--server", "192.0.2.1:70000"],
      /argument '192\.0\.2\.1:70000' is invalid/,
    ],
    [
      "a timeout that is no number",
      ["--timeout", "soon"],
      /^error: option '--timeout <seconds>' argument 'soon' is invalid \[command\.usage\]\n {2}help: write a whole number from 1 to 60$/m,
    ],
    [
      "a server that is a name",
      ["--server", "ns1.example.com"],
      /^error: option '--server <address\.\.\.>' argument 'ns1\.example\.com' is invalid/,
    ],
    [
      "a state and a stack",
      ["--state", "a.json", "--stack", "dev"],
      /^error: option '--state <file>' cannot be used with option '--stack <name>' \[command\.usage\]$/m,
    ],
    [
      "a folder that is not there",
      ["--cwd", "/no/such/folder"],
      /^error: --cwd \/no\/such\/folder: there is no such folder \[command\.usage\]\n/,
    ],
    [
      "half of the settings",
      ["--base-url", "https://dns.example"],
      /^error: LEGACYDNS_LOGIN_TOKEN is missing /,
    ],
    ["an empty address", ["--base-url", ""], /^error: LEGACYDNS_BASE_URL is missing /m],
  ]);

  refuses(
    "verify",
    [
      [
        "a machine without pulumi",
        [],
        "error: pulumi is not on the PATH [engine.missing]\n  help: install it: https://www.pulumi.com/docs/install/\n",
      ],
    ],
    { PATH: "/nowhere" },
  );
});

describe("the state of the native plugin", () => {
  it("is read: a record, a batch and a Zone", () => {
    const native = (type: string, outputs: object, inputs: object = outputs): object => ({
      urn: `urn:pulumi:dev::zones::legacydns:index:${type}::it`,
      type: `legacydns:index:${type}`,
      inputs,
      outputs,
    });
    const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
    const resources = [
      native("Record", { ...record, fqdn: "www.example.com" }),
      native("RecordBatch", { domains: ["example.com"], records: "a.example.com. 600 A 192.0.2.2\n" }),
      native("Zone", { domain: "example.net", records: "b.example.net. 600 A 192.0.2.3\n" }),
      native("Zone", { records: "a.example.com. 600 A 192.0.2.2\n" }, {}),
    ];
    const state = JSON.stringify({ deployment: { resources } });
    const { records, notes } = declaredRecords(state, "state.json", "默认");
    assert.deepEqual(
      records.map(({ domain, name, value }) => `${name}.${domain} ${value}`),
      ["www.example.com 192.0.2.1", "a.example.com 192.0.2.2", "b.example.net 192.0.2.3"],
    );
    assert.deepEqual(notes, []);
  });
});
