import { deepEqual, equal, match } from "node:assert/strict";
import { tmpdir } from "node:os";
import { cli, refuses, withService } from "./run";

const zone = {
  name: "example.com",
  grade: "DP_Free",
  records: [
    { name: "sub", type: "NS", value: "ns1.example.net." },
    { name: "www", type: "AAAA", value: "2001:db8::1" },
    { name: "www", type: "AAAA", value: "2001:db8::2", enabled: false },
    { name: "_sip._tcp", type: "SRV", value: "10 5 5060 sip.example.com." },
    { name: "go", type: "URL", value: "https://example.net/" },
    { name: "old", type: "FRAMEURL", value: "https://example.net/" },
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
      const report = JSON.parse(out) as {
        package: string;
        grade: string;
        limits: { name: string; limit: unknown; used?: number }[];
      };
      equal(code, 0);
      deepEqual([report.grade, report.package], ["DP_Plus", "personal professional (DP_Plus)"]);
      const find = (name: string): unknown => report.limits.find((row) => row.name === name);
      deepEqual(find("NS records"), { label: "NS记录条数", name: "NS records", limit: null, used: 1 });
      deepEqual(find("enhanced lines"), { label: "增强线路类型", name: "enhanced lines", limit: true });
    }));

  const base = { LEGACYDNS_BASE_URL: "http://127.0.0.1:1", LEGACYDNS_LOGIN_TOKEN: "1,token" };
  refuses(
    "limits",
    [
      [
        "no domain",
        [],
        "error: missing required argument 'domain' [command.usage]\n  help: pulumi-legacydns limits --help\n",
      ],
      ["no domain name", ["nodot"], /^error: "nodot" is not a domain \[[^\n]+\n {2}help: write [^\n]+\n$/],
      [
        "an unknown option",
        ["example.com", "--jsn"],
        /unknown option '--jsn' \[command\.usage\]\n {2}help: Did you mean --json\?\n/,
      ],
      [
        "a token as an argument",
        ["example.com", "--token=1,hush"],
        /^error: an argument cannot be the token[^\n]* \[command\.token\]\n {2}help: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN\n$/,
      ],
      [
        "a base URL without TLS",
        ["example.com", "--base-url", "http://dns.example/api"],
        /^error: --base-url does not begin with https:\/\/ [^\n]* \[setting\.wrong\]\n {2}help: set it: --base-url /,
      ],
    ],
    base,
  );
  refuses("limits", [
    [
      "no settings, outside of a project",
      ["example.com", "--cwd", tmpdir()],
      /^error: LEGACYDNS_LOGIN_TOKEN is missing \[setting\.wrong\]\n {2}help: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN\nerror: LEGACYDNS_BASE_URL is missing \[setting\.wrong\]\n {2}help: [^\n]*\n$/,
    ],
  ]);
  refuses(
    "limits",
    [
      [
        "a wrong setting",
        ["example.com"],
        /^error: LEGACYDNS_REQUEST_TIMEOUT is "soon" \[setting\.wrong\]\n {2}help: write a number/,
      ],
    ],
    {
      ...base,
      LEGACYDNS_REQUEST_TIMEOUT: "soon",
    },
  );
  refuses("limit", [
    [
      "an unknown command",
      ["example.com"],
      "error: unknown command 'limit' [command.usage]\n  help: Did you mean limits?\n  help: pulumi-legacydns --help\n",
    ],
  ]);

  it("reports a refusal of the service with its help", () =>
    withService({}, async (env, service) => {
      const unknown = await cli(["limits", "example.org"], env);
      equal(unknown.code, 1);
      match(
        unknown.err,
        /^error: the account owner@example\.com [^\n]+ \[zone\.refused\]\n {2}example\.org [^\n]+\n(?: {2}help: [^\n]+\n)+$/,
      );
      const misspelt = await cli(["limits", "exampel.com"], env);
      match(
        misspelt.err,
        /^error: the account [^\n]+ \[zone\.refused\]\n {2}exampel\.com [^\n]*did you mean example\.com\?\n/,
      );
      const login = await cli(["limits", "example.com"], { ...env, LEGACYDNS_LOGIN_TOKEN: "1,wrong" });
      equal(login.code, 1);
      match(login.err, /^error: [^\n]* \[login\.failed\]\n/);
      match(
        login.err,
        /help: check the token, whose form is ID,TOKEN: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN, /,
      );
      equal(
        service.admin.calls().filter(({ code }) => code === "10002").length,
        1,
        "failed logins are counted: one is enough",
      );
    }));
});
