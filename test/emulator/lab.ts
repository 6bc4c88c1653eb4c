import { deepEqual, equal } from "node:assert/strict";
import { startEmulator, type DomainInput, type Emulator, type StartOptions } from "../../emulator";

export const start = Date.parse("2026-03-01T12:00:00Z");
export const owner = "owner@example.com";
export const friend = "friend@example.net";
export const stranger = "stranger@example.org";
export const token = "11111,0123456789abcdef0123456789abcdef";
export const friendToken = "22222,fedcba9876543210fedcba9876543210";
const userAgent = "lab/1.0 (lab@example.com)";

export const ids = {
  example: 1001,
  other: 1002,
  foreign: 2001,
  shared: 2002,
  banned: 1003,
  locked: 1004,
} as const;
export const example = String(ids.example);
export const service_ns = ["ns1.dns-host.example", "ns2.dns-host.example"];

const at = (iso: string) => `2026-${iso}:00Z`;

export const domains: DomainInput[] = [
  {
    name: "example.com",
    id: ids.example,
    records: [
      { id: 501, type: "A", value: "192.0.2.1" },
      { id: 502, name: "www", type: "CNAME", value: "example.com", remark: "front desk" },
      { id: 503, type: "MX", value: "mx1.example.com", mx: 5 },
      { id: 504, name: "old", type: "A", value: "192.0.2.9", enabled: false },
      { id: 505, name: "geo", type: "A", value: "192.0.2.20" },
      { id: 506, name: "geo", type: "A", value: "192.0.2.21", line: "电信", weight: 3 },
      { id: 507, name: "txt", type: "TXT", value: "v=spf1 -all" },
    ],
    shares: [
      { email: friend, mode: "r" },
      { email: friend, mode: "r", subDomain: "dev" },
    ],
    customLines: [{ name: "office", area: "192.0.2.0-192.0.2.255", useCount: 2 }],
    monitors: [
      {
        id: "77",
        subDomain: "@",
        ip: "192.0.2.1",
        recordId: 501,
        points: [
          {
            point: "Point 1",
            events: [
              { status: "Down", statusCode: -3, at: at("03-01T11:30"), responseTime: 9000 },
              { status: "Ok", statusCode: 200, at: at("02-28T11:30"), responseTime: 40 },
            ],
          },
        ],
      },
    ],
  },
  { name: "other.example", id: ids.other, remark: "second", groupId: 7, mark: true, status: "pause" },
  { name: "foreign.example", id: ids.foreign, owner: friend },
  { name: "shared.example", id: ids.shared, owner: friend, shares: [{ email: owner, mode: "rw" }] },
  { name: "banned.example", id: ids.banned, status: "spam" },
  { name: "locked.example", id: ids.locked, status: "lock" },
  { name: "unregistered.example", extStatus: "notexist" },
  { name: "astray.example", extStatus: "dnserror" },
  { name: "empty.example", defaultNs: false },
  {
    name: "plan.example",
    grade: "DP_Ultra",
    vip: { startAt: at("01-01T00:00"), endAt: at("03-20T00:00"), autoRenew: "yes" },
  },
];

export type Params = Record<string, string>;

const accounts = [
  { email: owner, subTokens: ["11111,sub0000000000000000000000000000ab"] },
  { email: friend, token: friendToken },
  { email: stranger, token: "33333,00", verified: false },
];

/** `600 A 192.0.2.1`, with `off` if disabled. */
const lineOf = (record: unknown) =>
  `${pick(record, "ttl", "type", "value").join(" ")}${get(record, "enabled") === "1" ? "" : " off"}`;

function labOf(emulator: Emulator, tick: (ms: number) => void) {
  const { admin } = emulator;
  const raw = (operation: string, params: Params = {}, init: RequestInit = {}) =>
    fetch(`${emulator.url}/${operation}`, {
      method: "POST",
      headers: { "user-agent": userAgent },
      body: new URLSearchParams({ login_token: token, format: "json", domain: "example.com", ...params }),
      ...init,
    });
  const call = async (operation: string, params?: Params) => (await raw(operation, params)).json();
  const create = (records: readonly unknown[], params: Params = {}) =>
    call("Batch.Record.Create", { domain_id: example, records: JSON.stringify(records), ...params });
  const detail = (created: unknown) => call("Batch.Detail", { job_id: String(get(created, "job_id")) });
  /** The answer of a job that has had its time. */
  const finished = (created: unknown) => {
    equal(code(created), "1", String(get(created, "status.message")));
    tick(60_000);
    return detail(created);
  };
  return {
    emulator,
    admin,
    tick,
    raw,
    call,
    create,
    detail,
    finished,
    code: async (operation: string, params?: Params) => code(await call(operation, params)),
    batch: async (records: readonly unknown[], domain_id = example) =>
      finished(await create(records, { domain_id })),
    progress: async (created: unknown) => statuses(await detail(created)),
    modify: (params: Params) => call("Record.Modify", { ...asIs, ...params }),
    live: (name: string) => admin.zoneText("example.com").filter((line) => line.startsWith(`${name} `)),
    listed: async (name: string) =>
      list(await call("Record.List", { sub_domain: name }), "records").map(lineOf),
  };
}

export type Lab = ReturnType<typeof labOf>;

export async function inLab(options: StartOptions, test: (lab: Lab) => Promise<void> | void) {
  let now = start;
  const emulator = await startEmulator({ accounts, domains, token, now: () => now, ...options });
  try {
    await test(labOf(emulator, (ms) => (now += ms)));
  } finally {
    await emulator.close();
  }
}

export function get(value: unknown, path: string) {
  return path.split(".").reduce<unknown>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    return (at as Record<string, unknown>)[key];
  }, value);
}

export const code = (answer: unknown) => get(answer, "status.code");
export const pick = (value: unknown, ...paths: readonly string[]) => paths.map((path) => get(value, path));

export const everything = ({ admin }: Lab) =>
  JSON.stringify([admin.zone("example.com"), admin.shares("example.com"), admin.jobs().length]);

export const refusals =
  (operation: string, rows: readonly (readonly [expected: string, params: Params])[], basis: Params = {}) =>
  async (lab: Lab) => {
    const before = everything(lab);
    for (const [expected, params] of rows) {
      const answer = await lab.call(operation, { ...basis, ...params });
      const seen = [code(answer), Object.keys(answer as object)];
      deepEqual(seen, [expected, ["status"]], `${operation} ${JSON.stringify(params)}`);
    }
    equal(everything(lab), before);
  };

export const noSuchDomain = [
  ["6", { domain_id: "x" }],
  ["8", { domain_id: "999999999" }],
  ["13", { domain: "nowhere.example" }],
] as const;

export const unwritable = [
  ["-15", { domain: "banned.example" }],
  ["21", { domain: "locked.example" }],
  ["7", { domain: "foreign.example" }],
] as const;

export function list(value: unknown, path: string) {
  const found = get(value, path);
  return Array.isArray(found) ? found : [];
}

export const each = (value: unknown, path: string, key: string) =>
  list(value, path).map((item) => get(item, key));

export const a = (name: string, value = "192.0.2.50", more: object = {}): object => ({
  sub_domain: name,
  record_type: "A",
  record_line: "默认",
  value,
  ttl: 600,
  ...more,
});

export const slow = { settings: { jobStartMs: 1_000, jobMs: 1_000, indexDelay: 0 } };
export const statuses = (answer: unknown) =>
  list(answer, "detail")
    .map((item) => `${String(get(item, "status"))}: ${each(item, "records", "status").join(" ")}`)
    .join(" | ");

export type Fact = readonly [says: string, check: (lab: Lab) => Promise<void>, options?: StartOptions];

export function facts(section: string, rows: readonly Fact[]) {
  describe(`emulator facts: ${section}`, () => {
    for (const [says, check, options = {}] of rows) it(says, () => inLab(options, check));
  });
}

/** @param expected path in the answer → value */
export const answers = (operation: string, params: Params, expected: object) => async (lab: Lab) => {
  const answer = await lab.call(operation, params);
  for (const [path, value] of Object.entries(expected)) deepEqual(get(answer, path), value, path);
};

export const on = (settings: StartOptions["settings"] = {}) => ({
  settings: { undocumented: true, indexDelay: 0, ...settings },
});

export const withMate: StartOptions = {
  ...on(),
  accounts: [...accounts, { email: "mate@example.com" }],
};

export const asIs = {
  record_id: "501",
  sub_domain: "@",
  record_type: "A",
  record_line: "默认",
  value: "192.0.2.1",
  ttl: "600",
};

/** The id of one of the service's own NS records. */
export const heldId = ({ admin }: Lab) =>
  String(admin.zone("example.com", { hold: true }).find((record) => record.hold)?.id);

export const calls: Record<string, Params> = {
  "Record.Modify": { ...asIs, value: "192.0.2.77" },
  "Record.Remove": { record_id: "502" },
  "Batch.Record.Modify": { record_id: "501", change: "ttl", change_to: "900" },
  "Domainshare.Create": { email: friend, mode: "r", sub_domain: "new" },
  "Domainshare.List": {},
  "Domainshare.Remove": { email: friend },
};
