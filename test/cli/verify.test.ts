import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { RecordInput, StartOptions } from "../../emulator";
import { recordOf } from "../support/service";
import { cli, withService } from "./run";
import { a, apex, batch, resource, sealed, served, verified, verify, withMute, withState } from "./verified";

const long = "k=v;".repeat(500);

/** Every type that is asked for: as it is declared, and as the service holds it if that differs. */
const everyType: readonly (readonly [declared: string, held?: string])[] = [
  ["@ 600 A 192.0.2.1"],
  ["www A 192.0.2.2", "www 77 A 192.0.2.2"],
  ["www AAAA 2001:DB8:0::1", "www AAAA 2001:db8::1"],
  ["@ MX 10 mx1.example.net."],
  ["@ MX 20 MX2.example.net.", "@ MX 20 mx2.example.net."],
  ["@ TXT v=spf1 -all"],
  [`k1 TXT "${long}"`, `k1 TXT ${long}`],
  ['q TXT "say \\"hi\\" \\\\ ok"', 'q TXT say "hi" \\ ok'],
  // A possible console entry: the service keeps it without the quotes, and serves it so.
  ["quoted TXT v=DMARC1", 'quoted TXT "v=DMARC1"'],
  ["_sip._tcp SRV 10 5 5060 sip.example.net."],
  ['@ CAA 0 issue "letsencrypt.org"'],
  ["alias CNAME example.net."],
  ["*.w CNAME example.net."],
  ["*.v A 192.0.2.9"],
  ["sub NS ns1.sub.example.com."],
  ["ns1.sub A 192.0.2.53"],
];

const heldOf = (line: string): RecordInput => {
  const { type, value, ...more } = recordOf(line);
  const [preference, host = ""] = value.split(" ");
  return type === "MX" ? { ...more, type, value: host, mx: Number(preference) } : { ...more, type, value };
};

describe("pulumi-legacydns verify", () => {
  it("finds records of every type, wildcards, delegations and their glue, and long texts over TCP", async () => {
    const { code, out, err } = await verified(
      everyType.map(([declared, held = declared]) => heldOf(held)),
      [batch(everyType.map(([declared]) => declared))],
    );
    const { length } = everyType;
    deepEqual([code, out, err], [0, `${length} of ${length} declared records are served\n`, ""]);
  });

  it("shows the differences in a table, and ends with 2", async () => {
    const zone = [
      ...["@ A 192.0.2.9", "alias CNAME example.net.", "ttl 60 A 192.0.2.1", "www A 192.0.2.1"].map(recordOf),
      a("192.0.2.1", "off", { enabled: false }),
      recordOf("sub NS ns.example.net."),
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
    equal(
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
    deepEqual([code, err], [2, ""]);
  });

  it("paints each finding and the counts, which are the last line, on a terminal only", async () => {
    const zone = ["@ A 192.0.2.9", "ttl 60 A 192.0.2.1", "www A 192.0.2.1"].map(recordOf);
    const lines = ["@ A 192.0.2.1", "ttl 600 A 192.0.2.1", "www A 192.0.2.1", "go URL https://example.net/"];
    const shown: string[] = [];
    await verified(zone, [batch(lines)], [], { onTerminal: (text) => shown.push(text) });
    const [, first, second, , note, last, ...more] = shown.join("").split("\n");
    match(first ?? "", /\u001b\[31mexample\.com\. /);
    match(second ?? "", /\u001b\[33mttl\.example\.com\. /);
    match(note ?? "", /^\S*1 declared record not asked for/);
    match(last ?? "", /\u001b\[31m2 of 3 declared records [^\n]*; 1 is not\u001b\[39m$/);
    deepEqual(more, [""]);
  });

  it("shortens long texts and lists in the table, but not in JSON", async () => {
    const zone = [
      recordOf(`key TXT ${long}old`),
      ...Array.from({ length: 40 }, (_, i) => a(`192.0.2.${i + 1}`)),
    ];
    const declared = [batch([`key TXT "${long}new"`, "@ A 192.0.2.99"])];
    const { out } = await verified(zone, declared);
    match(out, /v;new" \(2,005 characters\) {2}.*v;old" \(2,005 characters\)$/m);
    match(out, /^example\.com\. +A +192\.0\.2\.99 +192.*… \(469 characters\)$/m);
    ok(out.split("\n").every((line) => line.length < 400));
    ok((await verified(zone, declared, ["--json"])).out.includes(`${long}old`));
  });

  it("reports another TTL as a warning and ends with 0; an omitted TTL matches any", async () => {
    const zone = ["@ 60 A 192.0.2.1", "www 61 A 192.0.2.1"].map(recordOf);
    const declared = [batch(["@ 600 A 192.0.2.1", "www A 192.0.2.1"])];
    const { code, out } = await verified(zone, declared, ["--json"]);
    const { ok, summary, differences } = JSON.parse(out);
    deepEqual([code, ok], [0, true]);
    const none = { missing: 0, more: 0, notAsked: 0, unanswered: 0 };
    deepEqual(summary, { declared: 2, served: 2, otherTtl: 1, ...none });
    const name = { name: "example.com.", type: "A" };
    deepEqual(differences, [{ kind: "ttl", ...name, declared: "192.0.2.1 TTL 600", served: "TTL 60" }]);
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
    deepEqual(
      [code, out],
      [
        0,
        "4 declared records not asked for, as intended: www.example.com. A; www.example.com. A (line 电信); a*.example.com. A (mixed wildcard); go.example.com. URL (type URL)\n1 of 1 declared records that DNS can be asked for are served\n",
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
    deepEqual(run, {
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
    deepEqual(await verified([a("192.0.2.1", "www")], resources), {
      code: 0,
      out: "1 of 1 declared records are served\n",
      err: 'warning: RecordBatch "web": not asked for: 1 secret record\nwarning: Record "web": its records are secret, and not asked for\n',
    });
  });

  it("asks each of several servers, and names the one that differs", () =>
    withService(served([a("192.0.2.1")]), (_env, good) =>
      withService(served([a("192.0.2.2")]), (_other, bad) =>
        withState(apex, async (file) => {
          const servers = [good, bad].map(({ dnsPort }) => `127.0.0.1:${String(dnsPort)}`);
          const { code, out } = await cli(["verify", "--state", file, "--server", ...servers]);
          match(out, new RegExp(`192\\.0\\.2\\.2 \\(${servers[1] ?? ""}\\)\n`));
          equal(code, 2);
        }),
      ),
    ));

  it("counts a refusal to answer, as for a paused domain, as not served", async () => {
    const { code, out } = await verified([a("192.0.2.1")], apex, [], { domain: { status: "pause" } });
    match(out, /192\.0\.2\.1 {2}refused to answer \(REFUSED\)\n/);
    equal(code, 2);
  });

  it("stops asking a server that never answers, and ends with 1", () =>
    withMute((port) =>
      withState([batch(["@ A 192.0.2.1", "www A 192.0.2.1"])], async (file) => {
        const { code, out, err } = await verify(file, port);
        deepEqual([code, out], [1, "0 of 2 declared records are served; no answer for 2\n"]);
        match(err, /^error: 127\.0\.0\.1:\d+: .*\(2 of 2 .*\[server\.silent\]\n/);
      }),
    ));

  const nowhere: StartOptions = {
    domains: [{ name: "example.com", nameServers: ["ns1.nowhere.invalid"], records: [a("192.0.2.1")] }],
  };

  it("asks a configured service for the name servers, and names those without an address", () =>
    withService(nowhere, (env, service) =>
      withState(apex, async (file) => {
        const { code, out, err } = await cli(["verify", "--state", file], env);
        deepEqual(service.admin.counts(), { "Record.List": 1 });
        deepEqual([code, out], [1, "0 of 1 declared records are served; no answer for 1\n"]);
        match(
          err,
          /^error: example\.com: .* \[server\.unknown\]\n {2}ns1\.nowhere\.invalid .* \([A-Z_]+\)\n.*--server /,
        );
      }),
    ));
});
