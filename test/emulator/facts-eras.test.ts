/** service-notes.md, How the service has really answered. */
import { deepEqual, equal } from "node:assert/strict";
import { shapes, type AnswerShape, type StartOptions } from "../../emulator";
import {
  a,
  asIs,
  code,
  domains,
  each,
  facts,
  get,
  list,
  pick,
  type Fact,
  type Lab,
  type Params,
  answers,
} from "./lab";

const on = (answers: AnswerShape, settings: StartOptions["settings"] = {}) => ({
  settings: { answers, indexDelay: 0, ...settings },
  ...(answers === "english" ? english : {}),
});
const english: StartOptions = JSON.parse(JSON.stringify({ domains }).replaceAll("电信", "China Telecom"));

const listing = (lab: Lab, params: Params = {}) => lab.call("Record.List", params);
const keysOf = (value: unknown) =>
  Object.entries(value ?? {})
    .map(([key, inner]: [string, unknown]) => {
      if (typeof inner === "string") return key;
      return `${key}:${inner === null ? "null" : Array.isArray(inner) ? "list" : typeof inner}`;
    })
    .sort()
    .join(" ");

const fullDomain =
  "can_handle_at_ns:boolean ext_status grade id min_ttl:number name owner punycode service_ns:list status ttl";
const fullRecord =
  "enabled id line line_id monitor_status mx name remark status ttl type updated_on use_aqb value weight:null";
const fullInfo = "record_total:number records_num sub_domains";
const without = (keys: string, ...gone: readonly string[]) =>
  keys
    .split(" ")
    .filter((key) => !gone.includes(key.replace(/:.*/, "")))
    .join(" ");

const numberTtl = fullDomain.replace(/ttl$/, "ttl:number");
const uncounted = without(fullInfo, "records_num");
const eras: Record<AnswerShape, [domain: string, info: string, record: string]> = {
  documented: [fullDomain, fullInfo, fullRecord],
  "2016": ["grade id name owner punycode", uncounted, without(fullRecord, "line_id")],
  "2017": [numberTtl, uncounted, fullRecord],
  "2018": [numberTtl, fullInfo, fullRecord],
  english: [without(fullDomain, "ttl"), uncounted, without(fullRecord, "line_id", "weight", "use_aqb")],
};

const eraFacts = (answers: AnswerShape): Fact[] => [
  [
    `${answers}: the keys of domain, info and a record, and their types; only the service's own NS records have hold`,
    async (lab) => {
      const answer = await listing(lab, { sub_domain: "www" });
      deepEqual(pick(answer, "domain", "info", "records.0").map(keysOf), eras[answers]);
      const held = list(await listing(lab), "records").map((record) =>
        pick(record, "type", "hold").join(" "),
      );
      deepEqual(
        held.filter((text) => !text.endsWith(" ")),
        ["NS hold", "NS hold"],
      );
    },
    on(answers),
  ],
  [
    `${answers}: with the setting hold off, nothing marks the service's own NS records`,
    async (lab) => {
      const ns = list(await listing(lab, { record_type: "NS" }), "records");
      deepEqual(ns.map(keysOf), [eras[answers][2], eras[answers][2]]);
    },
    on(answers, { hold: false }),
  ],
];

facts("the shapes of real answers", [
  ...shapes.flatMap(eraFacts),
  ...(
    [
      ["Record.Info", "record", [], ["record_line_id", "weight"]],
      ["Domain.Info", "domain", ["brand_ns", "is_beian"], []],
    ] as const
  ).map(([operation, part, earlier, english]): Fact => [
    `${operation} of 2016 to 2018 lacks ${earlier.join(", ") || "nothing"}, of an English account ${english.join(", ") || "nothing"}`,
    async (lab) => {
      const keys = async (answers: AnswerShape) => {
        lab.admin.set({ answers });
        return keysOf(get(await lab.call(operation, { record_id: "501" }), part));
      };
      const full = await keys("documented");
      for (const answers of ["2016", "2017", "2018"] as const)
        deepEqual(await keys(answers), without(full, ...earlier));
      deepEqual(await keys("english"), without(full, ...english));
    },
    { settings: { nsKey: "brand_ns" } },
  ]),
  [
    "the shape changes while the emulator runs, and the names of the lines with it",
    async (lab) => {
      const lines = async () => each(await listing(lab, { sub_domain: "geo" }), "records", "line");
      deepEqual(await lines(), ["默认", "电信"]);
      lab.admin.set({ answers: "english" });
      deepEqual(await lines(), ["Default", "China Telecom"]);
      lab.admin.set({ answers: "2016" });
      deepEqual(await lines(), ["默认", "电信"]);
    },
    { settings: { indexDelay: 0 } },
  ],
]);

const write = { undocumented: true } as const;
const made = async (lab: Lab, line: string | undefined, name = "new") => {
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
        equal(await made(lab, line, `l${i}`), "Default");
    },
    on("english"),
  ],
  [
    "other lines are not known: 26, in a job as err_msg, in Record.List 27",
    async (lab) => {
      for (const record_line of ["默认", "DEFAULT", "Mars"]) {
        equal(await made(lab, record_line), "Record line invalid");
        equal(code(await lab.modify({ record_line })), "26");
        equal(code(await listing(lab, { record_line })), "27");
      }
    },
    on("english", write),
  ],
  [
    "a Chinese account knows neither Default nor default",
    async (lab) => {
      for (const line of ["Default", "default"]) equal(await made(lab, line), "Record line invalid");
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
  answers(operation, params, { "status.code": of, "status.message": message }),
  settings.answers === undefined ? { settings } : on(settings.answers, settings),
];
const failed = "Login fail, please check login info";

facts("the service's own words", [
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
  word(["26", "Record line invalid"], "Record.Modify", { ...asIs, record_line: "火星" }, write),
  word(["104", "Domain record already exists"], "Record.Modify", { ...asIs, record_id: "505" }, write),
]);
