/** When a record may enter a zone (service-notes.md, per-record codes; api.md, Domain.Purview). */
import { isIPv4, isIPv6 } from "node:net";
import { hostLabel, judgeLabel, type Verdict } from "./labels";
import { allowsLine, lineNamed, linesOf, type Line } from "./lines";
import type { Domain, Rec, World } from "./model";
import { texts } from "./texts";

export interface Wanted {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly line?: string | undefined;
  readonly ttl?: unknown;
  readonly mx?: unknown;
}

/** Undefined for the default line. */
export interface Shaped {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly line: Line;
  readonly ttl: number;
  readonly mx: number;
}

export type Judged =
  { readonly ok: true; readonly record: Shaped } | { readonly ok: false; readonly verdict: Verdict };

const hostName =
  /^(?=.{1,254}$)(?:(?!-)[\p{L}\p{N}_-]{1,63}(?<!-)\.)+(?:(?!-)[\p{L}\p{N}-]{1,63}(?<!-)\.?)$/u;
const withDot = (host: string): string => (host.endsWith(".") ? host : `${host}.`);
const within = (text: string, max: number): boolean => /^\d{1,5}$/.test(text) && Number(text) <= max;

/** Type → the value as the service keeps it; null for a refused one. */
const shapes: ReadonlyMap<string, (value: string) => string | null> = new Map([
  ["A", (value: string) => (isIPv4(value) ? value : null)],
  ["AAAA", (value: string) => (isIPv6(value) && !value.includes("%") ? value : null)],
  ["CNAME", host],
  ["NS", host],
  ["MX", host],
  ["TXT", text],
  ["SRV", (value: string) => srv(value)],
  [
    "CAA",
    (value: string) =>
      /^\d{1,3} [A-Za-z0-9]+ .+$/.test(value) && within(value.split(" ")[0] ?? "", 255) ? value : null,
  ],
  ["显性URL", url],
  ["隐性URL", url],
]);

function host(value: string): string | null {
  return hostName.test(value) ? withDot(value) : null;
}

/** One pair of quotes is taken off (service-notes.md, Records). */
export function bareText(value: string): string {
  return /^"(.*)"$/s.exec(value)?.[1] ?? value;
}

/** A week (older public editions, Record.Create). */
const longestTtl = 604_800;

/** No document has a limit. Strings of 255 octets in RDLENGTH (RFC 1035 §3.2.1, §3.3). */
const longestText = 65_279;

function text(value: string): string | null {
  const bare = bareText(value);
  return bare.length > 0 && Buffer.byteLength(bare) <= longestText ? bare : null;
}

/** @param apart the priority is in `mx` */
function srv(value: string, apart = false): string | null {
  const fields = value.split(/\s+/);
  const target = fields.pop() ?? "";
  if (fields.length !== (apart ? 2 : 3) || !fields.every((field) => within(field, 65535))) return null;
  return target === "." || hostName.test(target) ? `${fields.join(" ")} ${withDot(target)}` : null;
}

/**
 * SRV with its priority in `mx`, as public clients find it on some editions. No source tells when: here,
 * if it was sent so.
 */
export function isApart(type: string, value: string, mx: unknown): boolean {
  return type === "SRV" && mx !== undefined && within(String(mx), 65535) && srv(value, true) !== null;
}

function url(value: string): string | null {
  return /^https?:\/\/[^\s/]+/.test(value) ? value : null;
}

export const recordTypes: readonly string[] = [...shapes.keys()];

const isUrl = (type: string): boolean => type.endsWith("URL");

const refused = (code: string, message: string): Judged => ({ ok: false, verdict: { code, message } });

/** @param self the record that is being changed */
export function judge(world: World, domain: Domain, wanted: Wanted, self?: Rec): Judged {
  const name = hostLabel(wanted.name);
  const badLabel = judgeLabel(name, domain.name, domain.purview);
  if (badLabel !== null) return { ok: false, verdict: badLabel };

  const lines = linesOf(domain, world.settings);
  const line = wanted.line === undefined ? lines[0] : lineNamed(lines, wanted.line);
  if (line === undefined || !allowsLine(domain.purview, line)) return refused("26", texts.line);

  const shape = shapes.get(wanted.type);
  if (shape === undefined) return refused("27", `Record type ${wanted.type} is not known`);
  const apart = isApart(wanted.type, wanted.value.trim(), wanted.mx);
  const value = apart ? srv(wanted.value.trim(), true) : shape(wanted.value.trim());
  if (value === null) return refused("17", `Record value ${wanted.value} is not valid for ${wanted.type}`);

  const ttl = wanted.ttl === undefined || wanted.ttl === "" ? domain.ttl : Number(wanted.ttl);
  if (!Number.isInteger(ttl) || ttl > longestTtl) return refused("32", "TTL is not valid");
  if (ttl < domain.purview.minTtl)
    return refused("32", `TTL is below the plan's minimum of ${domain.purview.minTtl}`);

  const mx = wanted.type === "MX" || apart ? Number(wanted.mx) : 0;
  if (wanted.type === "MX" && !(Number.isInteger(mx) && mx >= 1 && mx <= 20)) {
    return refused("30", "MX priority must be between 1 and 20");
  }
  const record: Shaped = { name, type: wanted.type, value, line, ttl, mx };
  const verdict = conflict(world, domain, record, self) ?? exceeded(domain, record, self);
  return verdict === null ? { ok: true, record } : { ok: false, verdict };
}

function conflict(world: World, domain: Domain, record: Shaped, self: Rec | undefined): Verdict | null {
  // The service's own NS records block nothing.
  const others = (domain.byName.get(record.name) ?? []).filter((other) => other !== self && !other.hold);
  const sameLine = others.filter((other) => other.lineId === record.line.id);
  const equal = sameLine.some(
    (other) => other.type === record.type && other.value === record.value && other.mx === record.mx,
  );
  if (equal && (self !== undefined || world.settings.identical === "refuse")) {
    return { code: "104", message: texts.repeated };
  }
  const blocked = sameLine.some(
    (other) =>
      (record.type === "CNAME") !== (other.type === "CNAME") ||
      (record.type === "CNAME" && other.value !== record.value),
  );
  if (blocked)
    return { code: "31", message: "CNAME conflicts with another record of the same name and line" };
  if (record.line.id !== "0" && !others.some((other) => other.lineId === "0")) {
    return { code: "31", message: "A record on the default line must be added first" };
  }
  return null;
}

interface CountLimit {
  readonly applies: (record: { readonly type: string }) => boolean;
  readonly max: (domain: Domain) => number;
  readonly code: string;
  readonly what: string;
}

const countLimits: readonly CountLimit[] = [
  { applies: ({ type }) => type === "NS", max: ({ purview }) => purview.ns, code: "32", what: "NS records" },
  {
    applies: ({ type }) => type === "AAAA",
    max: ({ purview }) => purview.aaaa,
    code: "33",
    what: "AAAA records",
  },
  {
    applies: ({ type }) => type === "SRV",
    max: ({ purview }) => purview.srv,
    code: "37",
    what: "SRV records",
  },
  {
    applies: ({ type }) => isUrl(type),
    max: ({ purview }) => purview.urls,
    code: "33",
    what: "URL forwards",
  },
];

function exceeded(domain: Domain, record: Shaped, self: Rec | undefined): Verdict | null {
  for (const limit of countLimits) {
    if (!limit.applies(record) || limit.max(domain) >= 99999) continue;
    const count = [...domain.records.values()].filter(
      (other) => other !== self && !other.hold && limit.applies(other),
    ).length;
    if (count >= limit.max(domain)) {
      return {
        code: limit.code,
        message: `The number of ${limit.what} exceeds the limit of ${limit.max(domain)}`,
      };
    }
  }
  if (record.type === "A" || record.type === "AAAA") {
    const balanced = (domain.byName.get(record.name) ?? []).filter(
      (other) => other !== self && other.type === record.type && other.lineId === record.line.id,
    ).length;
    if (balanced >= domain.purview.loadBalancing) {
      return {
        code: "500025",
        message: `Load balancing exceeds the limit of ${domain.purview.loadBalancing}`,
      };
    }
  }
  return null;
}
