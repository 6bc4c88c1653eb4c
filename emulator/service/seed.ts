/** How a service begins. A snapshot has the same form. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import { Refusal } from "./envelope";
import { defaultLine, lineNamed, linesOf } from "./lines";
import { insertRecord, untouched, type Account, type Domain, type Rec, type World } from "./model";
import { grades, purviewOfGrade, purviewSchema } from "./purview";
import { Random } from "./random";
import { hostLabel } from "./labels";
import { bareText } from "./rules";
import { settingsSchema } from "./settings";
import { nextRecordId } from "./zone";

export const accountSchema = z.strictObject({
  email: z.string().regex(/^[^\s@]+@[^\s@]+$/),
  /** `id,secret`. Default: made. */
  token: z.string().min(1).optional(),
  /** Known, and refused. */
  subTokens: z.array(z.string().min(1)).default([]),
  verified: z.boolean().default(true),
});

export const recordSeedSchema = z.strictObject({
  id: z.int().positive().optional(),
  /** `@` for the apex. */
  name: z.string().default("@"),
  type: z.string().min(1),
  value: z.string().min(1),
  ttl: z.int().positive().optional(),
  mx: z.int().min(0).optional(),
  /** Default: the default line. */
  line: z.string().optional(),
  enabled: z.boolean().default(true),
  remark: z.string().default(""),
  weight: z.int().nullable().default(null),
  hold: z.boolean().default(false),
  monitorStatus: z.enum(["", "Ok", "Warn", "Down"]).default(""),
});

const moment = z.iso.datetime({ offset: true });

export const monitorSchema = z.strictObject({
  id: z.string().min(1),
  /** The watched record. */
  subDomain: z.string().default("@"),
  ip: z.string(),
  recordId: z.int().positive().default(1),
  points: z.array(
    z.strictObject({
      point: z.string(),
      events: z.array(
        z.strictObject({ status: z.string(), statusCode: z.int(), at: moment, responseTime: z.int().min(0) }),
      ),
    }),
  ),
});

export const shareSchema = z.strictObject({
  email: z.string(),
  mode: z.enum(["r", "rw"]).default("r"),
  /** Default: the whole domain. */
  subDomain: z.string().default(""),
});

export const customLineSchema = z.strictObject({
  name: z.string().min(1).max(17),
  area: z.string(),
  useCount: z.int().min(0).default(0),
});

export const domainSeedSchema = z.strictObject({
  name: z.string().regex(/^(?=.{1,253}$)[^\s.]+(\.[^\s.]+)+$/),
  /** E-mail of the owner. Default: the first account. */
  owner: z.string().optional(),
  id: z.int().positive().optional(),
  grade: z.enum([...grades.keys()]).default("DP_Plus"),
  status: z.enum(["enable", "pause", "spam", "lock"]).default("enable"),
  extStatus: z.enum(["", "notexist", "dnserror"]).default(""),
  ttl: z.int().positive().default(600),
  groupId: z.int().positive().default(1),
  mark: z.boolean().default(false),
  remark: z.string().default(""),
  vip: z
    .strictObject({
      startAt: moment,
      endAt: moment,
      autoRenew: z.enum(["yes", "no", "default"]).default("default"),
    })
    .nullable()
    .default(null),
  /** Differences from the grade. */
  purview: purviewSchema.partial().default({}),
  nameServers: z.array(z.string()).default(["ns1.dns-host.example", "ns2.dns-host.example"]),
  /** The service's own NS records. */
  defaultNs: z.boolean().default(true),
  records: z.array(recordSeedSchema).default([]),
  shares: z.array(shareSchema).default([]),
  customLines: z.array(customLineSchema).default([]),
  customLineMax: z.int().min(0).default(10),
  monitors: z.array(monitorSchema).default([]),
});

export const seedSchema = z.strictObject({
  accounts: z.array(accountSchema).default([]),
  domains: z.array(z.union([z.string(), domainSeedSchema])).default([]),
  settings: settingsSchema.optional(),
});

export type AccountInput = z.input<typeof accountSchema>;
export type DomainInput = z.input<typeof domainSeedSchema>;
export type RecordInput = z.input<typeof recordSeedSchema>;
export type ShareInput = z.input<typeof shareSchema>;
export type CustomLineInput = z.input<typeof customLineSchema>;
export type MonitorInput = z.input<typeof monitorSchema>;
export type SeedInput = Pick<z.input<typeof seedSchema>, "accounts" | "domains" | "settings"> & {
  /** Of the first account. */
  readonly token?: string | undefined;
  /** Makes secrets of tokens. Default: from the seed. */
  readonly secret?: (() => string) | undefined;
};
type RecordSeed = z.output<typeof recordSeedSchema>;

const day = 24 * 3600 * 1000;

export function buildWorld(input: SeedInput, now: () => number, seed: number): World {
  const parsed = seedSchema.parse({
    accounts: input.accounts,
    domains: input.domains,
    settings: input.settings,
  });
  const random = new Random(seed);
  const world: World = {
    now,
    random,
    // It always rolls, so that the ids of a seed stay the same.
    secret: () => {
      const rolled = random.hex(32);
      return input.secret?.() ?? rolled;
    },
    settings: parsed.settings ?? settingsSchema.parse({}),
    accounts: [],
    domains: new Map(),
    domainByName: new Map(),
    jobs: new Map(),
    openJobs: new Set(),
    monitors: new Map(),
    nextId: {
      account: random.between(10_000, 900_000),
      domain: random.between(1_000_000, 80_000_000),
      record: random.between(10_000_000, 900_000_000),
      job: random.between(1_000, 900_000),
    },
  };
  const accounts =
    parsed.accounts.length > 0 ? parsed.accounts : [accountSchema.parse({ email: "owner@example.com" })];
  for (const [index, account] of accounts.entries()) {
    addAccount(
      world,
      index === 0 && input.token !== undefined ? { ...account, token: input.token } : account,
    );
  }
  for (const domain of parsed.domains)
    addDomain(world, typeof domain === "string" ? { name: domain } : domain);
  return world;
}

export function addAccount(world: World, input: AccountInput): Account {
  const seed = accountSchema.parse(input);
  world.nextId.account += world.random.between(1, 50);
  const account: Account = {
    id: world.nextId.account,
    email: seed.email.toLowerCase(),
    token: seed.token ?? `${world.nextId.account},${world.secret()}`,
    subTokens: seed.subTokens,
    verified: seed.verified,
  };
  if (world.accounts.some((other) => other.email === account.email))
    throw new Refusal("3", `Account ${account.email} exists`);
  world.accounts.push(account);
  return account;
}

export function addDomain(world: World, input: DomainInput): Domain {
  const seed = domainSeedSchema.parse(input);
  const name = seed.name.toLowerCase().replace(/\.$/, "");
  if (world.domainByName.has(name)) throw new Refusal("3", `Domain ${name} exists`);
  const owner =
    seed.owner === undefined
      ? world.accounts[0]
      : world.accounts.find((account) => account.email === seed.owner);
  if (owner === undefined) throw new Refusal("3", `Domain ${name}: no account ${seed.owner ?? ""}`);
  world.nextId.domain += world.random.between(1, 90);
  const id = seed.id ?? world.nextId.domain;
  if (world.domains.has(id)) throw new Refusal("3", `Domain id ${id} exists`);
  const domain = domainOfSeed(seed, { id, name, owner, createdAt: world.now() - 400 * day });
  world.domains.set(id, domain);
  world.domainByName.set(name, domain);
  world.domainByName.set(domain.punycode, domain);
  if (seed.defaultNs) {
    for (const server of seed.nameServers) {
      const ns = { name: "@", type: "NS", value: `${server}.`, ttl: 86400, hold: true };
      placeRecord(world, domain, recordSeedSchema.parse(ns));
    }
  }
  for (const record of seed.records) placeRecord(world, domain, record);
  for (const { email } of domain.shares) {
    if (!world.accounts.some((account) => account.email === email)) addAccount(world, { email });
  }
  for (const monitor of seed.monitors) addMonitor(world, domain, monitor);
  return domain;
}

function domainOfSeed(
  seed: z.output<typeof domainSeedSchema>,
  own: Pick<Domain, "id" | "name" | "owner" | "createdAt">,
): Domain {
  const { name, createdAt } = own;
  return {
    ...own,
    punycode: domainToASCII(name) || name,
    grade: seed.grade,
    status: seed.status,
    extStatus: seed.extStatus,
    groupId: seed.groupId,
    mark: seed.mark,
    remark: seed.remark,
    vip:
      seed.vip === null
        ? null
        : {
            startAt: Date.parse(seed.vip.startAt),
            endAt: Date.parse(seed.vip.endAt),
            autoRenew: seed.vip.autoRenew,
          },
    ttl: seed.ttl,
    updatedAt: createdAt,
    operatedAt: null,
    nameServers: seed.nameServers,
    purview: { ...purviewOfGrade(seed.grade), ...given(seed.purview) },
    records: new Map(),
    byName: new Map(),
    index: new Map(),
    revision: 0,
    shares: seed.shares.map((share) => ({ ...share, email: share.email.toLowerCase() })),
    customLines: seed.customLines,
    customLineMax: seed.customLineMax,
  };
}

/** Undefined must not hide a default. */
function given<T extends object>(partial: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Without the rules: a state file may contain records that they refuse. The index shows it at once. */
export function placeRecord(world: World, domain: Domain, seed: RecordSeed): Rec {
  const wanted = seed.line ?? defaultLine(world.settings);
  const line = lineNamed(linesOf(domain, world.settings), wanted);
  if (line === undefined) throw new Refusal("26", `Line ${wanted} is not known`);
  // New ids follow given ones.
  if (seed.id !== undefined) world.nextId.record = Math.max(world.nextId.record, seed.id);
  // Two forms that no answer has (service-notes.md, Records).
  const dotted = ["CNAME", "NS", "MX"].includes(seed.type) && !seed.value.endsWith(".");
  const value = seed.type === "TXT" ? bareText(seed.value) : seed.value;
  const record: Rec = {
    id: seed.id ?? nextRecordId(world),
    name: hostLabel(seed.name),
    type: seed.type,
    value: dotted ? `${value}.` : value,
    lineName: line.name,
    lineId: line.id,
    ttl: seed.ttl ?? domain.ttl,
    mx: seed.mx ?? (seed.type === "MX" ? 10 : 0),
    weight: seed.weight,
    enabled: seed.enabled,
    hold: seed.hold,
    remark: seed.remark,
    monitorStatus: seed.monitorStatus,
    updatedAt: domain.createdAt,
    visibleAt: domain.createdAt,
    ...untouched,
  };
  insertRecord(domain, record);
  return record;
}

export function addMonitor(world: World, domain: Domain, input: MonitorInput): void {
  const seed = monitorSchema.parse(input);
  world.monitors.set(seed.id, {
    id: seed.id,
    domainId: domain.id,
    recordId: seed.recordId,
    subDomain: seed.subDomain,
    ip: seed.ip,
    points: seed.points.map(({ point, events }) => ({
      point,
      events: events.map((event) => ({ ...event, at: Date.parse(event.at) })),
    })),
  });
}
