import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import type { ProviderArgs } from "../provider";
import { renderAll } from "../provider/problems";
import { settingsPage } from "../tools/generate/reference";
import {
  environmentName,
  isLoopback,
  parseSettings,
  settingNames,
  settingRows,
  type SettingName,
} from "../provider/settings";
import { contact, problemsOf, source } from "./support/settings";

const problemOf = (name: string, ...given: Parameters<typeof source>): string =>
  problemsOf(source(...given))[name] ?? "";

describe("Settings", () => {
  it("need an address and a token only", () => {
    const { loginToken, stateDir, warnings, ...rest } = parseSettings(source());
    match(
      renderAll(warnings).join(),
      /no contact is set.*set one: pulumi config set legacydns:contact you@example\.com$/s,
    );
    equal(loginToken.reveal(), "1,t0ken-value");
    match(stateDir, /pulumi-legacydns$/);
    deepEqual(rest, {
      baseUrl: "https://dns.example/api",
      defaultLine: "默认",
      defaultTtl: 600,
      requestsPerSecond: 10,
      requestTimeout: 30,
      jobTimeout: 120,
      maxRecordsPerJob: 1000,
      indexDelay: 30,
      removal: "verify",
      adopt: true,
      limits: "refuse",
      checks: { other: "warn", byCode: {} },
      undocumentedOperations: false,
      maxChangeShare: 30,
      confirmedDomains: [],
      explicit: false,
    });
  });

  it("removal is delete with the undocumented operations, and only with them", () => {
    const removal = (given: string, full: boolean): string | undefined => {
      const wanted = source({
        ...(given !== "" && { removal: given }),
        undocumentedOperations: String(full),
      });
      return problemsOf(wanted)["removal"] ?? parseSettings(wanted).removal;
    };
    deepEqual(
      [removal("", true), removal("retain", true), removal("delete", true)],
      ["delete", "retain", "delete"],
    );
    match(
      removal("delete", false) ?? "",
      /allow it: pulumi config set legacydns:undocumentedOperations true/,
    );
    match(removal("destroy", false) ?? "", /set its default: .* verify/);
    match(removal("destroy", true) ?? "", /set its default: .* delete/);
  });

  it("confirmedDomains is a list of domains in canonical form", () => {
    const { confirmedDomains } = parseSettings(source({ confirmedDomains: " Example.com, bücher.example" }));
    deepEqual(confirmedDomains, ["example.com", "xn--bcher-kva.example"]);
  });

  it("are named in the environment in upper snake case", () => {
    equal(environmentName("baseUrl"), "LEGACYDNS_BASE_URL");
    equal(environmentName("loginToken"), "LEGACYDNS_LOGIN_TOKEN");
    equal(environmentName("maxRecordsPerJob"), "LEGACYDNS_MAX_RECORDS_PER_JOB");
    equal(new Set(settingNames.map(environmentName)).size, settingNames.length);
  });

  it("have a value, a variable and a row of docs/settings.md from one declaration each", () => {
    const values: Record<string, unknown> = { ...parseSettings(source()) };
    const without = settingNames.filter((name) => values[name] === undefined);
    deepEqual(without, ["loginTokenEnv", "contact", "usePlugin"]);
    const page = settingsPage();
    for (const name of settingNames)
      match(page, new RegExp(`^\\| \`${name}\` \\| \`${environmentName(name)}\` \\|( .+ \\|){3}$`, "m"));
  });

  it("are the inputs of a Provider, except those of the program", () => {
    const others: Exclude<SettingName, keyof ProviderArgs>[] = ["usePlugin"];
    deepEqual(
      settingRows.filter(({ ofProgram }) => ofProgram === true).map(({ name }) => name),
      others,
    );
  });

  it("of the default provider come from the environment first, unless the variable is empty", () => {
    const env = {
      LEGACYDNS_LOGIN_TOKEN: "from-env\n",
      LEGACYDNS_INDEX_DELAY: "0",
      LEGACYDNS_REMOVAL: "retain",
      LEGACYDNS_BASE_URL: "",
    };
    const { loginToken, indexDelay, removal, baseUrl } = parseSettings(source({ indexDelay: "30" }, env));
    equal(loginToken.reveal(), "from-env");
    deepEqual([indexDelay, removal, baseUrl], [0, "retain", "https://dns.example/api"]);
  });

  it("of an explicit provider come from its inputs only, with or without the namespace", () => {
    const env = { LEGACYDNS_LOGIN_TOKEN: "from-env", LEGACYDNS_DEFAULT_TTL: "1" };
    const config = { baseUrl: "https://dns.example", "legacydns:loginToken": "own", version: "1.2.3" };
    const settings = parseSettings({ config, env, explicit: true });
    deepEqual([settings.loginToken.reveal(), settings.defaultTtl], ["own", 600]);
  });

  it("take the token from a variable for it alone, which loginTokenEnv names", () => {
    const own = (name: string, env: Record<string, string> = { [name]: " abc " }, more: object = {}) => ({
      config: { baseUrl: "https://dns.example", loginTokenEnv: name, ...more },
      env,
      explicit: true,
    });
    const problem = (...args: Parameters<typeof own>) => problemsOf(own(...args))["loginTokenEnv"] ?? "";
    for (const name of ["LEGACYDNS_PROD", "OTHER_LOGIN_TOKEN"])
      equal(parseSettings(own(name)).loginToken.reveal(), "abc");
    for (const name of ["AWS_SECRET_ACCESS_KEY", "LEGACYDNS_", "_LOGIN_TOKEN", "MY_LOGIN_TOKEN_2"])
      match(problem(name), /begins with LEGACYDNS_ or ends in _LOGIN_TOKEN/, name);
    match(problem("DNS_LOGIN_TOKEN", {}), /DNS_LOGIN_TOKEN, which is not set/);
    match(problem("DNS_LOGIN_TOKEN", {}, { loginToken: "x" }), /both given/);
    match(problem("12345,abcdef", {}), /^(?!.*12345).*is not the name of an environment variable/s);
  });

  it("that are missing are told with the commands that set them", () => {
    const env = { LEGACYDNS_BASEURL: "https://dns.example" };
    const problems = problemsOf({ config: {}, env, explicit: false });
    match(
      problems["loginToken"] ?? "",
      /pulumi config set --secret legacydns:loginToken ID,TOKEN.*export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN/s,
    );
    match(problems["baseUrl"] ?? "", /pulumi config set legacydns:baseUrl.*export LEGACYDNS_BASE_URL=/s);
    match(problems["LEGACYDNS_BASEURL"] ?? "", /did you mean LEGACYDNS_BASE_URL\?/);
    match(problemsOf({ config: {}, env: {}, explicit: true })["loginToken"] ?? "", /loginTokenEnv/);
  });

  it("that are wrong in the environment are put right there, since it wins", () => {
    const env = { LEGACYDNS_DEFAULT_TTL: "soon", LEGACYDNS_BASE_URL: "http://dns.example.org" };
    match(problemOf("defaultTtl", {}, env), /set its default: export LEGACYDNS_DEFAULT_TTL=600/);
    match(problemOf("baseUrl", {}, env), /set it: export LEGACYDNS_BASE_URL=https:\/\/HOST\/PATH/);
  });

  it("are all checked at once, each with its value and its way out", () => {
    const wrong: Readonly<Record<string, readonly [value: string, problem: RegExp]>> = {
      defaultTtl: [
        "0",
        /"0" \[.*write a whole number of seconds from 1 .*pulumi config set legacydns:defaultTtl 600/s,
      ],
      requestsPerSecond: ["fast", /"fast" \[.*write a number from 0\.1 to 1000/s],
      requestTimeout: ["1e3", /number of seconds/],
      jobTimeout: ["-1", /number of seconds/],
      maxRecordsPerJob: ["0x10", /whole number/],
      indexDelay: ["Infinity", /number of seconds/],
      removal: ["destroy", /write verify, retain or delete/],
      adopt: ["yes", /write true or false/],
      limits: ["on", /write refuse, warn or off/],
      undocumentedOperations: ["1", /write true or false/],
      defaultLine: ["[x]", /line's name/],
      checks: ["mx-cnam=refuse", /did you mean mx-cname\?\n.*set its default: .* warn/],
      confirmedDomains: ["a b c..", /help: leave it out$/],
      contact: ["nobody", /e-mail/],
      stateDir: ["relative/path", /absolute path/],
    };
    const values = Object.entries(wrong).map(([name, [value]]) => [name, value]);
    const problems = problemsOf(source(Object.fromEntries(values)));
    deepEqual(Object.keys(problems).sort(), Object.keys(wrong).sort());
    for (const [name, [, expected]] of Object.entries(wrong)) match(problems[name] ?? "", expected);
    match(problemOf("adopt", {}, { LEGACYDNS_ADOPT: "maybe" }), /^LEGACYDNS_ADOPT is "maybe"/);
  });

  it("accept numbers and booleans that a program passes as such", () => {
    const { adopt, defaultTtl } = parseSettings(source({ adopt: false, defaultTtl: 120 }, {}, true));
    deepEqual([adopt, defaultTtl], [false, 120]);
    match(problemOf("defaultTtl", { defaultTtl: [1] }, {}, true), /^defaultTtl is a list/);
  });

  it("that go into the User-Agent break no comment of it", () => {
    match(problemOf("contact", { contact: "me@example.com (at home)" }), /without brackets/);
  });

  it("that nobody knows are errors with the nearest name", () => {
    const others = { "aws:region": "x", "other:baseUrl": "y" };
    const problems = problemsOf(source({ defaultTTl: "1", zzzzzzzzzzzz: "1", ...others }));
    deepEqual(Object.keys(problems), ["defaultTTl", "zzzzzzzzzzzz"]);
    match(
      problems["defaultTTl"] ?? "",
      /did you mean legacydns:defaultTtl\?\n.*pulumi config rm legacydns:defaultTTl/,
    );
    match(problems["zzzzzzzzzzzz"] ?? "", /docs\/settings\.md/);
    deepEqual(Object.keys(problemsOf(source({ baseURL: "x" }, {}, true))), ["baseURL"]);
    const { config, ...rest } = source();
    deepEqual(problemsOf({ config: { ...config, __proto__x: "x" }, ...rest }), {});
  });

  it("compare variables of the environment without what all of them begin with", () => {
    const guessed = (name: string) => /did you mean (\w+)\?/.exec(problemOf(name, {}, { [name]: "1" }))?.[1];
    for (const [written, meant] of Object.entries({
      TTL: "DEFAULT_TTL",
      URL: "BASE_URL",
      TOKEN: "LOGIN_TOKEN",
      INDEXDELAY: "INDEX_DELAY",
      REMOVEL: "REMOVAL",
      REQUESTS: "REQUESTS_PER_SECOND",
    }))
      equal(guessed(`LEGACYDNS_${written}`), `LEGACYDNS_${meant}`);
    for (const own of ["TEAM", "PORT", "REGION", "ZONE"]) equal(guessed(`LEGACYDNS_${own}`), undefined);
  });

  it("let an address be HTTPS, or plain on a loopback host", () => {
    for (const baseUrl of [
      "https://dns.example",
      "HTTPS://DNS.example:8443/a/b///",
      "http://127.0.0.1:1",
      "http://127.9.9.9",
      "http://localhost:80/x",
      "http://[::1]:8080",
    ]) {
      parseSettings(source({ baseUrl }));
    }
    const open = ["http://dns.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example"];
    for (const [expected, ...refused] of [
      [/does not begin with https/, ...open, "ftp://dns.example"],
      [/user name or a password/, "https://user:pass@dns.example"],
      [/without a query/, "https://dns.example/?a=b", "https://dns.example/#x"],
      [/not an address/, "dns.example", "https://"],
    ] as const)
      for (const baseUrl of refused) {
        const problem = problemOf("baseUrl", { baseUrl });
        match(problem, expected);
        ok(!problem.includes("pass@"));
      }
    equal(isLoopback("128.0.0.1"), false);
  });

  it("never show the token, not even swapped with the address", () => {
    const problems = (config: Readonly<Record<string, string>>) => {
      const found = problemsOf(source(config));
      ok(!JSON.stringify(found).includes("t0ken"));
      return found;
    };
    const swapped = { baseUrl: "1,t0ken-value", loginToken: "https://dns.example" };
    match(problems(swapped)["loginToken"] ?? "", /swapped with baseUrl/);
    const blank = { loginToken: "t0ken with blanks", contact: "x(t0ken with blanks" };
    equal(Object.keys(problems(blank)).length, 2);
  });

  it("warn if the token comes from the environment and the address from the stack's file", () => {
    const file = { "legacydns:baseUrl": "https://dns.example", ...contact };
    const warnings = (config: Record<string, string>, more: Record<string, string> = {}) => {
      const env = { HOME: "/home/user", LEGACYDNS_LOGIN_TOKEN: "1,a", ...more };
      return renderAll(parseSettings({ config, env, explicit: false }).warnings).join();
    };
    match(
      warnings(file),
      /^who changes legacydns:baseUrl .*\[setting\.risk\]\n.*export LEGACYDNS_BASE_URL=https:\/\/dns\.example$/,
    );
    equal(warnings(file, { LEGACYDNS_BASE_URL: "https://dns.example" }), "");
    const secret = { ...file, "legacydns:loginToken": "1,a" };
    equal(warnings(secret, { LEGACYDNS_LOGIN_TOKEN: "" }), "");
    const pointer = { ...file, "legacydns:loginTokenEnv": "TEAM_LOGIN_TOKEN" };
    notEqual(warnings(pointer, { LEGACYDNS_LOGIN_TOKEN: "", TEAM_LOGIN_TOKEN: "1,a" }), "");
  });
});
