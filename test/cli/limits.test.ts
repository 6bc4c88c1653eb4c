import { deepEqual, equal, match } from "node:assert/strict";
import { tmpdir } from "node:os";
import { recordOf } from "../support/service";
import { cli, codesIn, refuses, withService } from "./run";

const zone = {
  name: "example.com",
  grade: "DP_Free",
  records: [
    ...["sub NS ns1.example.net.", "www AAAA 2001:db8::1", "_sip._tcp SRV 10 5 5060 sip.example.com."].map(
      recordOf,
    ),
    { ...recordOf("www AAAA 2001:db8::2"), enabled: false },
    ...["go URL https://example.net/", "old FRAMEURL https://example.net/"].map(recordOf),
  ],
};

describe("pulumi-legacydns limits", () => {
  it("shows the package, usage and limits, without colour and without the service's own NS records", () =>
    withService({ domains: [zone] }, async (env, service) => {
      const { code, out, err } = await cli(["limits", "EXAMPLE.com."], env);
      deepEqual([code, err], [0, ""]);
      equal(
        out,
        `example.com: free package (DP_Free)

limit                  used  allowed
URL forwards              2        2
NS records                1       10
AAAA records              2       50
SRV records               1        5
domain alias bindings              1
days of domain lock           7 days
domain shares                      5
subdomain levels                   3
wildcard levels                    2
load balancing                     2
minimum TTL                    600 s
mixed wildcards                   no
enhanced lines                    no
province lines                    no
continent lines                   no
`,
      );
      deepEqual(Object.keys(service.admin.counts()).sort(), ["Domain.Purview", "Record.List"]);
    }));

  it("prints the same as JSON, with null for no limit", () =>
    withService({ domains: [{ ...zone, grade: "DP_Plus" }] }, async (env) => {
      const { code, out } = await cli(["limits", "example.com", "--json"], env);
      const report = JSON.parse(out);
      deepEqual([code, report.grade, report.package], [0, "DP_Plus", "personal professional (DP_Plus)"]);
      const names = ["NS records", "enhanced lines"];
      deepEqual(
        report.limits.filter(({ name }: { name: string }) => names.includes(name)),
        [
          { label: "NS记录条数", name: "NS records", limit: null, used: 1 },
          { label: "增强线路类型", name: "enhanced lines", limit: true },
        ],
      );
    }));

  const base = { LEGACYDNS_BASE_URL: "http://127.0.0.1:1", LEGACYDNS_LOGIN_TOKEN: "1,token" };
  refuses(
    "limits",
    {
      "no domain": [[], "command.usage", "'domain'"],
      "no domain name": [["nodot"], "domain.unfit", '"nodot"'],
      "an unknown option": [["example.com", "--jsn"], "command.usage", "'--jsn'", "--json"],
      "a token as an argument": [
        ["example.com", "--token=1,hush"],
        "command.token",
        ": export LEGACYDNS_LOGIN_TOKEN=",
      ],
      "a base URL without TLS": [
        ["example.com", "--base-url", "http://dns.example/api"],
        "setting.wrong",
        ": --base-url ",
      ],
    },
    base,
  );
  refuses("limits", {
    "no settings, outside of a project": [
      ["example.com", "--cwd", tmpdir()],
      "setting.wrong",
      ...[
        "LEGACYDNS_LOGIN_TOKEN is missing",
        ": export LEGACYDNS_LOGIN_TOKEN=",
        "LEGACYDNS_BASE_URL is missing",
      ],
    ],
  });
  const soon = { ...base, LEGACYDNS_REQUEST_TIMEOUT: "soon" };
  refuses(
    "limits",
    { "a wrong setting": [["example.com"], "setting.wrong", 'LEGACYDNS_REQUEST_TIMEOUT is "soon"'] },
    soon,
  );
  refuses("limit", { "an unknown command": [["example.com"], "command.usage", "'limit'", " limits?"] });

  it("reports a refusal of the service with its help", () =>
    withService({}, async (env, service) => {
      const refusal = async (domain: string, more = {}) => {
        const { code, err } = await cli(["limits", domain], { ...env, ...more });
        equal(code, 1);
        return { codes: codesIn(err), err };
      };
      const unknown = await refusal("example.org");
      deepEqual(unknown.codes, ["zone.refused"]);
      match(
        unknown.err,
        /^error: the account owner@example\.com [^\n]+\n {2}example\.org [^\n]+\n(?: {2}help: [^\n]+\n)+$/,
      );
      match((await refusal("exampel.com")).err, /\n {2}exampel\.com [^\n]*did you mean example\.com\?\n/);
      const login = await refusal("example.com", { LEGACYDNS_LOGIN_TOKEN: "1,wrong" });
      deepEqual(login.codes, ["login.failed"]);
      match(login.err, /: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN, /);
      equal(
        service.admin.calls().filter(({ code }) => code === "10002").length,
        1,
        "failed logins are counted: one is enough",
      );
    }));
});
