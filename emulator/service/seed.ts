/** How a service begins; a snapshot. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import { accountNamed } from "./context";
import { Refusal } from "./envelope";
import { defaultLine, lineNamed, linesOf } from "./lines";
import { fresh, insertRecord, type Account, type Domain, type Rec, type World } from "./model";
import { purviewOfGrade } from "./purview";
import { Random } from "./random";
import { bareText, hostLabel } from "./rules";
import {
  accountSchema,
  defined,
  domainSeedSchema,
  recordSeedSchema,
  seedSchema,
  type AccountInput,
  type DomainInput,
  type DomainSeed,
  type RecordInput,
  type RecordSeed,
} from "./schemas";
import { settingsSchema } from "./settings";
import { nextRecordId } from "./zone";

export type SeedInput = Pick<z.input<typeof seedSchema>, "accounts" | "domains" | "settings"> & {
  readonly token?: string | undefined;
  readonly secret?: (() => string) | undefined;
};
const day = 24 * 3600 * 1000;

export function buildWorld(input: SeedInput, now: () => number, seed: number): World {
  const { accounts: described, domains, settings } = input;
  const parsed = seedSchema.parse({ accounts: described, domains, settings });
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
  for (const [index, account] of accounts.entries())
    addAccount(world, { ...account, token: (index === 0 ? input.token : undefined) ?? account.token });
  for (const domain of parsed.domains)
    if (typeof domain === "string") addDomain(world, { name: domain });
    else placeDomain(world, domain);
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
  return placeDomain(world, domainSeedSchema.parse(input));
}

function placeDomain(world: World, seed: DomainSeed): Domain {
  const name = seed.name.toLowerCase().replace(/\.$/, "");
  if (world.domainByName.has(name)) throw new Refusal("3", `Domain ${name} exists`);
  const owner = accountNamed(world, seed.owner);
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
  for (const monitor of seed.monitors) world.monitors.set(monitor.id, { ...monitor, domainId: id });
  return domain;
}

function domainOfSeed(seed: DomainSeed, own: Pick<Domain, "id" | "name" | "owner" | "createdAt">): Domain {
  const { purview, records: _records, monitors: _monitors, defaultNs: _defaultNs, ...plain } = seed;
  return {
    ...plain,
    ...own,
    punycode: domainToASCII(own.name) || own.name,
    updatedAt: own.createdAt,
    operatedAt: null,
    purview: { ...purviewOfGrade(seed.grade), ...defined(purview) },
    records: new Map(),
    byName: new Map(),
    index: new Map(),
    revision: 0,
    shares: seed.shares.map((share) => ({ ...share, email: share.email.toLowerCase() })),
  };
}

/** Checks no rule: a state file may contain records that they refuse. */
export function placeRecord(world: World, domain: Domain, seed: RecordSeed): Rec {
  const { line: named, id, name, value: written, ttl, mx, ...rest } = seed;
  const wanted = named ?? defaultLine(world.settings);
  const line = lineNamed(linesOf(domain, world.settings), wanted);
  if (line === undefined) throw new Refusal("26", `Line ${wanted} is not known`);
  if (id !== undefined) world.nextId.record = Math.max(world.nextId.record, id);
  // Two forms that no answer has (service-notes.md, Records).
  const dotted = ["CNAME", "NS", "MX"].includes(rest.type) && !written.endsWith(".");
  const value = rest.type === "TXT" ? bareText(written) : written;
  const record: Rec = {
    id: id ?? nextRecordId(world),
    name: hostLabel(name),
    value: dotted ? `${value}.` : value,
    lineName: line.name,
    lineId: line.id,
    ttl: ttl ?? domain.ttl,
    mx: mx ?? (rest.type === "MX" ? 10 : 0),
    updatedAt: domain.createdAt,
    visibleAt: domain.createdAt,
    ...fresh,
    ...rest,
  };
  insertRecord(domain, record);
  return record;
}

const plainDomain = domainSeedSchema.omit({ owner: true, records: true, monitors: true }).strip();

export function snapshot({ accounts, domains, settings, monitors }: World) {
  const usualLine = defaultLine(settings);
  return {
    accounts: accounts.map(({ id: _, subTokens, ...account }) => ({ ...account, subTokens: [...subTokens] })),
    domains: [...domains.values()].map((domain) => ({
      ...plainDomain.parse(domain),
      owner: domain.owner.email,
      defaultNs: false,
      records: [...domain.records.values()].map((record): RecordInput => {
        const { id, name, type, value, lineName, ttl, mx, enabled, remark, weight, hold, monitorStatus } =
          record;
        const line = lineName === usualLine ? {} : { line: lineName };
        return { id, name, type, value, ttl, mx, enabled, remark, weight, hold, monitorStatus, ...line };
      }),
      monitors: [...monitors.values()]
        .filter(({ domainId }) => domainId === domain.id)
        .map(({ domainId: _, ...monitor }) => structuredClone(monitor)),
    })),
    settings: { ...settings },
  };
}
