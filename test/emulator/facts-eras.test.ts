/** service-notes.md, How the service has really answered: the shapes, key by key, and the words. */
import assert from "node:assert/strict";
import { shapes, type AnswerShape, type StartOptions } from "../../emulator";
import { facts, type Fact } from "./facts";
import {
  a,
  code,
  create,
  detail,
  domains,
  each,
  example,
  get,
  list,
  pick,
  type Lab,
  type Params,
} from "./lab";

/** The standard world on an account of a shape: an English account knows no Chinese lines. */
const on = (answers: AnswerShape, settings: StartOptions["settings"] = {}): StartOptions => ({
  settings: { answers, indexDelay: 0, ...settings },
  ...(answers === "english" ? { domains: englishDomains } : {}),
});
const englishDomains = domains.map((domain) => ({
  ...domain,
  records: (domain.records ?? []).map((record) => ({
    ...record,
    ...(record.line === "电信" ? { line: "China Telecom" } : {}),
  })),
}));

const listing = (lab: Lab, params: Params = {}): Promise<unknown> => lab.call("Record.List", params);
const typed = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
/** `key: type` for each key, in the order of the answer. */
const keysOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {}).map(([key, inner]: [string, unknown]) => [key, typed(inner)]),
  );

const fullDomain = {
  id: "string",
  name: "string",
  punycode: "string",
  grade: "string",
  owner: "string",
  ext_status: "string",
  ttl: "string",
  min_ttl: "number",
  status: "string",
  can_handle_at_ns: "boolean",
  service_ns: "list",
};
const fullRecord = {
  id: "string",
  name: "string",
  line: "string",
  line_id: "string",
  type: "string",
  ttl: "string",
  value: "string",
  weight: "null",
  mx: "string",
  enabled: "string",
  status: "string",
  monitor_status: "string",
  remark: "string",
  updated_on: "string",
  use_aqb: "string",
};
const fullInfo = { sub_domains: "string", record_total: "string", records_num: "string" };
const without = (keys: Record<string, string>, ...gone: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).filter(([key]) => !gone.includes(key)));

interface Era {
  readonly domain: Record<string, string>;
  readonly info: Record<string, string>;
  readonly record: Record<string, string>;
}

const eras: Readonly<Record<AnswerShape, Era>> = {
  documented: { domain: fullDomain, info: fullInfo, record: fullRecord },
  "2016": {
    domain: { id: "string", name: "string", punycode: "string", grade: "string", owner: "string" },
    info: { sub_domains: "string", record_total: "string" },
    record: without(fullRecord, "line_id"),
  },
  "2017": {
    domain: { ...fullDomain, ttl: "number" },
    info: without(fullInfo, "records_num"),
    record: fullRecord,
  },
  "2018": { domain: { ...fullDomain, ttl: "number" }, info: fullInfo, record: fullRecord },
  english: {
    domain: without(fullDomain, "ttl"),
    info: without(fullInfo, "records_num"),
    record: without(fullRecord, "line_id", "weight", "use_aqb"),
  },
};

const eraFacts = (answers: AnswerShape): Fact[] => [
  [
    `${answers}: the keys of domain, info and a record, and their types; only the service's own NS records have hold`,
    async (lab) => {
      const answer = await listing(lab, { sub_domain: "www" });
      assert.deepEqual(keysOf(get(answer, "domain")), eras[answers].domain);
      // A filter was sent: record_total is then an integer (Types that flip).
      assert.deepEqual(keysOf(get(answer, "info")), { ...eras[answers].info, record_total: "number" });
      assert.deepEqual(keysOf(get(answer, "records.0")), eras[answers].record);
      const held = list(await listing(lab), "records").filter((record) => "hold" in (record as object));
      assert.deepEqual(
        held.map((record) => pick(record, "type", "hold").join(" ")),
        ["NS hold", "NS hold"],
      );
    },
    on(answers),
  ],
  [
    `${answers}: with the setting hold off, nothing marks the service's own NS records`,
    async (lab) => {
      const ns = list(await listing(lab, { record_type: "NS" }), "records");
      assert.deepEqual(ns.map(keysOf), [eras[answers].record, eras[answers].record]);
    },
    on(answers, { hold: false }),
  ],
];

facts("the shapes of real answers", [
  ...shapes.flatMap(eraFacts),
  ...(
    [
      ["Record.Info", "record", [], ["record_line_id", "weight"]],
      // Whatever the key of the name servers.
      ["Domain.Info", "domain", ["brand_ns", "is_beian"], []],
    ] as const
  ).map(([operation, part, earlier, english]): Fact => [
    `${operation} of 2016 to 2018 lacks ${earlier.join(", ") || "nothing"}, of an English account ${english.join(", ") || "nothing"}`,
    async (lab) => {
      const keys = async (answers: AnswerShape): Promise<Record<string, string>> => {
        lab.emulator.admin.set({ answers });
        return keysOf(get(await lab.call(operation, { record_id: "501" }), part));
      };
      const full = await keys("documented");
      for (const answers of ["2016", "2017", "2018"] as const)
        assert.deepEqual(await keys(answers), without(full, ...earlier));
      assert.deepEqual(await keys("english"), without(full, ...english));
    },
    { settings: { nsKey: "brand_ns" } },
  ]),
  [
    "the shape changes while the emulator runs, and the names of the lines with it",
    async (lab) => {
      const lines = async (): Promise<unknown[]> =>
        each(await listing(lab, { sub_domain: "geo" }), "records", "line");
      assert.deepEqual(await lines(), ["默认", "电信"]);
      lab.emulator.admin.set({ answers: "english" });
      assert.deepEqual(await lines(), ["Default", "China Telecom"]);
      lab.emulator.admin.set({ answers: "2016" });
      assert.deepEqual(await lines(), ["默认", "电信"]);
    },
    { settings: { indexDelay: 0 } },
  ],
]);

const write = { undocumented: true } as const;
const made = async (lab: Lab, line: string | undefined, name = "new"): Promise<unknown> => {
  const answer = await lab.batch([a(name, "192.0.2.50", { record_line: line })]);
  return (
    get(answer, "detail.0.records.0.err_msg") ??
    get(await listing(lab, { sub_domain: name }), "records.0.line")
  );
};

facts("an English account", [
  [
    "a record on Default, default or no line is listed on Default",
    async (lab) => {
      for (const [i, line] of ["Default", "default", undefined].entries())
        assert.equal(await made(lab, line, `l${i}`), "Default");
    },
    on("english"),
  ],
  [
    "other lines are not known: 26, in a job as err_msg, in Record.List 27",
    async (lab) => {
      for (const record_line of ["默认", "DEFAULT", "Mars"]) {
        assert.equal(await made(lab, record_line), "Record line invalid");
        const change = { record_id: "501", record_type: "A", value: "192.0.2.1" };
        assert.equal(code(await lab.call("Record.Modify", { ...change, record_line })), "26");
        assert.equal(code(await listing(lab, { record_line })), "27");
      }
    },
    on("english", write),
  ],
  [
    "a Chinese account knows neither Default nor default",
    async (lab) => {
      for (const line of ["Default", "default"]) assert.equal(await made(lab, line), "Record line invalid");
    },
  ],
]);

const word = (
  [of, message]: readonly [string, string],
  operation: string,
  params: Params = {},
  settings: StartOptions["settings"] = {},
): Fact => [
  [`${operation}: ${of} "${message}"`, ...Object.keys(settings)].join(", with the setting "),
  operation,
  params,
  { "status.code": of, "status.message": message },
  settings.answers === undefined ? { settings } : on(settings.answers, settings),
];
const failed = "Login fail, please check login info";

facts("the service's own words", [
  word(["1", "Action completed successful"], "Domain.Info"),
  word(["1", "Action completed successful"], "Domain.Info", { lang: "en" }),
  word(["1", "操作已经成功完成"], "Domain.Info", { lang: "cn" }),
  word(["1", "Operation successful"], "Domain.Info", {}, { answers: "english" }),
  word(["-1", failed], "Domain.List", { login_token: "" }),
  word(["-1", failed], "Domain.List", { login_token: "11111,wrong" }),
  word(["10002", "The login token ID is invalid"], "Domain.List", { login_token: "99999,nobody" }),
  ...(["10004", "20004"] as const).flatMap((loginCode) =>
    ["", "shapeless", "11111,wrong", "99999,nobody"].map((login_token) =>
      word([loginCode, failed], "Domain.List", { login_token }, { loginCode }),
    ),
  ),
  ...["Domain.Info", "Domain.Purview", "Record.List", "Record.Info", "Domainshare.Modify"].map((operation) =>
    word(["13", "Domain is not exists"], operation, {
      domain: "nowhere.example",
      email: "friend@example.net",
      record_id: "1",
    }),
  ),
  word(
    ["26", "Record line invalid"],
    "Record.Modify",
    { record_id: "501", record_type: "A", record_line: "火星", value: "192.0.2.1" },
    write,
  ),
  word(
    ["104", "Domain record already exists"],
    "Record.Modify",
    { record_id: "505", record_type: "A", record_line: "默认", value: "192.0.2.1" },
    write,
  ),
  [
    "Batch.Detail: err_msg of a repeated record",
    async (lab) =>
      assert.equal(
        get(await lab.batch([a("@", "192.0.2.1")]), "detail.0.records.0.err_msg"),
        "Domain record already exists",
      ),
  ],
  [
    "Batch.Detail: domain_id is a text, item and record indexes count from 0, in the echo too",
    async (lab) => {
      lab.emulator.admin.addDomain({ name: "third.example", id: 1007 });
      const echo = await create(lab, [a("x,y")], { domain_id: `${example},1007` });
      lab.tick(60_000);
      for (const answer of [echo, await detail(lab, echo)]) {
        assert.deepEqual(each(answer, "detail", "id"), [0, 1]);
        assert.deepEqual(each(answer, "detail", "domain_id"), [example, "1007"]);
        assert.deepEqual(each(answer, "detail.1.records", "id"), [0, 1]);
      }
    },
  ],
]);
