/** When a record may enter a zone (service-notes.md, per-record codes; api.md, Domain.Purview). */
import { isIPv4, isIPv6 } from "node:net";
import { Refusal, texts } from "./envelope";
import { allowsLine, lineNamed, linesOf } from "./lines";
import type { Domain, Rec, World } from "./model";

export interface Wanted {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly line?: string | undefined;
  readonly ttl?: unknown;
  readonly mx?: unknown;
}

export type Shaped = Pick<Rec, "name" | "type" | "value" | "lineName" | "lineId" | "ttl" | "mx">;

export function wantedOf({ name, type, value, lineName, ttl, mx }: Rec) {
  return { name, type, value, line: lineName, ttl, mx };
}

const hostName =
  /^(?=.{1,254}$)(?:(?!-)[\p{L}\p{N}_-]{1,63}(?<!-)\.)+(?:(?!-)[\p{L}\p{N}-]{1,63}(?<!-)\.?)$/u;
const withDot = (host: string): string => (host.endsWith(".") ? host : `${host}.`);
const within = (text: string, max: number): boolean => /^\d{1,5}$/.test(text) && Number(text) <= max;

/** Type → the value as the service keeps it; null for a refused one. */
const shapes = new Map<string, (value: string) => string | null>([
  ["A", (value) => (isIPv4(value) ? value : null)],
  ["AAAA", (value) => (isIPv6(value) && !value.includes("%") ? value : null)],
  ["CNAME", host],
  ["NS", host],
  ["MX", host],
  ["TXT", text],
  ["SRV", (value) => srv(value)],
  [
    "CAA",
    (value) =>
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

function srv(value: string, apart = false): string | null {
  const fields = value.split(/\s+/);
  const target = fields.pop() ?? "";
  if (fields.length !== (apart ? 2 : 3) || !fields.every((field) => within(field, 65535))) return null;
  return target === "." || hostName.test(target) ? `${fields.join(" ")} ${withDot(target)}` : null;
}

/** SRV with its priority in `mx`, as public clients find it on some editions: here, if it was sent so. */
function isApart(type: string, value: string, mx: unknown): boolean {
  return type === "SRV" && mx !== undefined && within(String(mx), 65535) && srv(value, true) !== null;
}

/** The value after its priority, if that is in `mx`. */
export function wholeValue({ type, value, mx }: Pick<Rec, "type" | "value" | "mx">): string {
  return type === "MX" || isApart(type, value, mx) ? `${mx} ${value}` : value;
}

function url(value: string): string | null {
  return /^https?:\/\/[^\s/]+/.test(value) ? value : null;
}

export const recordTypes: readonly string[] = [...shapes.keys()];

export function judge(world: World, domain: Domain, wanted: Wanted, self?: Rec): Shaped {
  const name = hostLabel(wanted.name);
  checkLabel(name, domain);
  const lines = linesOf(domain, world.settings);
  const line = wanted.line === undefined ? lines[0] : lineNamed(lines, wanted.line);
  if (line === undefined || !allowsLine(domain.purview, line)) throw new Refusal("26", texts.line);

  const shape = shapes.get(wanted.type);
  if (shape === undefined) throw new Refusal("27", `Record type ${wanted.type} is not known`);
  const apart = isApart(wanted.type, wanted.value.trim(), wanted.mx);
  const shaped = apart ? srv(wanted.value.trim(), true) : shape(wanted.value.trim());
  if (shaped === null)
    throw new Refusal("17", `Record value ${wanted.value} is not valid for ${wanted.type}`);
  const value = inOwnForm(world, wanted.type, shaped);

  const ttl = wanted.ttl === undefined || wanted.ttl === "" ? domain.ttl : Number(wanted.ttl);
  if (!Number.isInteger(ttl) || ttl > longestTtl) throw new Refusal("32", "TTL is not valid");
  if (ttl < domain.purview.minTtl)
    throw new Refusal("32", `TTL is below the plan's minimum of ${domain.purview.minTtl}`);

  const mx = wanted.type === "MX" || apart ? Number(wanted.mx) : 0;
  if (wanted.type === "MX" && !(Number.isInteger(mx) && mx >= 1 && mx <= 20))
    throw new Refusal("30", "MX priority must be between 1 and 20");
  const record = { name, type: wanted.type, value, lineName: line.name, lineId: line.id, ttl, mx };
  refuseConflict(world, domain, record, self);
  refuseExcess(domain, record, self);
  return record;
}

function inOwnForm({ settings }: World, type: string, value: string): string {
  const escaped = (text: string): string => text.replace(/[^\x20-\x7e]+/gu, encodeURIComponent);
  return settings.ownForms
    .filter((each) => each.type === type)
    .reduce((text, { form }) => (form === "lower" ? text.toLowerCase() : escaped(text)), value);
}

function refuseConflict(world: World, domain: Domain, record: Shaped, self: Rec | undefined): void {
  const { type, value, lineId } = record;
  const others = (domain.byName.get(record.name) ?? []).filter((other) => other !== self && !other.hold);
  const sameLine = others.filter((other) => other.lineId === lineId);
  const equal = sameLine.some(
    (other) => other.type === type && other.value === value && other.mx === record.mx,
  );
  if (equal && (self !== undefined || world.settings.identical === "refuse"))
    throw new Refusal("104", texts.repeated);
  const isAlias = type === "CNAME";
  const blocked = sameLine.some(
    (other) => isAlias !== (other.type === "CNAME") || (isAlias && other.value !== value),
  );
  if (blocked) throw new Refusal("31", "CNAME conflicts with another record of the same name and line");
  if (lineId !== "0" && !others.some((other) => other.lineId === "0"))
    throw new Refusal("31", "A record on the default line must be added first");
}

const countLimits = [
  ["NS", "ns", "32", "NS records"],
  ["AAAA", "aaaa", "33", "AAAA records"],
  ["SRV", "srv", "37", "SRV records"],
  ["URL", "urls", "33", "URL forwards"],
] as const;

function refuseExcess(domain: Domain, record: Shaped, self: Rec | undefined): void {
  for (const [ending, key, code, what] of countLimits) {
    const max = domain.purview[key];
    if (!record.type.endsWith(ending) || max >= 99999) continue;
    const others = [...domain.records.values()].filter((other) => other !== self && !other.hold);
    const count = others.filter(({ type }) => type.endsWith(ending)).length;
    if (count >= max) throw new Refusal(code, `The number of ${what} exceeds the limit of ${max}`);
  }
  const { loadBalancing } = domain.purview;
  const balanced = (domain.byName.get(record.name) ?? []).filter(
    (other) => other !== self && other.type === record.type && other.lineId === record.lineId,
  );
  if ((record.type === "A" || record.type === "AAAA") && balanced.length >= loadBalancing)
    throw new Refusal("500025", `Load balancing exceeds the limit of ${loadBalancing}`);
}

/** service-notes.md: 22 bad label, 23 and 24 levels. */
export function hostLabel(text: string): string {
  const label = text.trim().toLowerCase();
  return label === "" ? "@" : label;
}

const oneLabel = /^(?!-)[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)$/u;

export function checkLabel(name: string, { name: domain, purview }: Domain): void {
  if (name === "@") return;
  const labels = name.split(".");
  const isWild = name.includes("*");
  for (const [index, label] of labels.entries()) {
    if (label === "*" && index === 0) continue;
    const isMixed = label.includes("*") && label !== "*" && index === 0;
    if (isMixed && !purview.mixedWildcards)
      throw new Refusal("22", "The package does not support mixed wildcards");
    if (!oneLabel.test(isMixed ? label.replace("*", "x") : label) || `${name}.${domain}`.length > 253)
      throw new Refusal("22", `Host label ${name} is not valid`);
  }
  if (isWild && labels.length > purview.wildcardLevels)
    throw new Refusal("24", "Wildcard levels exceed the limit");
  if (!isWild && labels.length > purview.subdomainLevels)
    throw new Refusal("23", "Subdomain levels exceed the limit");
}
