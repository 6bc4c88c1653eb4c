/** Answers of an authoritative name server: RFC 1034 §4.3.2, RFC 4592 (wildcards). */
import { isIP } from "node:net";
import type { Answer, StringAnswer } from "dns-packet";
import { asciiName, parent, servedZone, type ServedZone } from "./dnsZone";
import type { Domain, Rec, World } from "./service/model";
import { wholeValue } from "./service/rules";

export interface DnsAnswer {
  readonly rcode: "NOERROR" | "NXDOMAIN" | "REFUSED";
  readonly authoritative: boolean;
  readonly answers: Answer[];
  readonly authorities: Answer[];
  readonly additionals: Answer[];
}

const noAnswer: DnsAnswer = {
  rcode: "NOERROR",
  authoritative: true,
  answers: [],
  authorities: [],
  additionals: [],
};
const longestChain = 16;

export function answerQuestion(world: World, name: string, type: string): DnsAnswer {
  const domain = hostOf(world, asciiName(name));
  if (domain === undefined || domain.status !== "enable" || type === "ANY")
    return { ...noAnswer, rcode: "REFUSED", authoritative: false };
  const zone = servedZone(domain);
  const answers: Answer[] = [];
  const seen = new Set<string>();
  let asked = name;
  for (let step = 0; step < longestChain; step += 1) {
    const key = asciiName(asked);
    seen.add(key);
    const cut = delegation(zone, key);
    if (cut !== null) return { ...referral(zone, cut), answers, authoritative: answers.length > 0 };
    const found = node(zone, key);
    if (found === null) return negative("NXDOMAIN", domain, zone, answers);
    const cname = found.find((record) => record.type === "CNAME");
    if (cname !== undefined && type !== "CNAME") {
      answers.push(toAnswer(cname, asked));
      asked = cname.value;
      const target = asciiName(asked);
      // Elsewhere, and in a circle, the resolver goes on by itself.
      if (!inside(zone, target) || seen.has(target)) return positive(answers);
      continue;
    }
    if (type === "SOA" && key === zone.apex) return positive([...answers, soa(domain, zone)]);
    const matching = found.filter((record) => record.type === type);
    if (matching.length === 0) return negative("NOERROR", domain, zone, answers);
    return positive([...answers, ...matching.map((record) => toAnswer(record, asked))]);
  }
  return positive(answers);
}

function hostOf(world: World, name: string): Domain | undefined {
  for (let rest = name; ; rest = parent(rest)) {
    const domain = world.domainByName.get(rest);
    if (domain !== undefined) return domain;
    if (!rest.includes(".")) return undefined;
  }
}

function inside(zone: ServedZone, name: string): boolean {
  return name === zone.apex || name.endsWith(`.${zone.apex}`);
}

function delegation(zone: ServedZone, name: string): string | null {
  let cut: string | null = null;
  for (let at = name; at !== zone.apex; at = parent(at)) {
    if (zone.records.get(at)?.some((record) => record.type === "NS") === true) cut = at;
  }
  return cut;
}

function node(zone: ServedZone, name: string): readonly Rec[] | null {
  if (zone.names.has(name)) return zone.records.get(name) ?? [];
  let encloser = parent(name);
  while (!zone.names.has(encloser)) encloser = parent(encloser);
  // Only the wildcard below the closest encloser counts (RFC 4592 §3.3.1).
  return zone.records.get(`*.${encloser}`) ?? null;
}

function positive(answers: Answer[]): DnsAnswer {
  return { ...noAnswer, answers };
}

function negative(rcode: DnsAnswer["rcode"], domain: Domain, zone: ServedZone, answers: Answer[]): DnsAnswer {
  return { ...noAnswer, rcode, answers, authorities: [soa(domain, zone)] };
}

function referral(zone: ServedZone, cut: string): DnsAnswer {
  const servers = (zone.records.get(cut) ?? []).filter((record) => record.type === "NS");
  const glue = servers.flatMap((server) => {
    const host = asciiName(server.value);
    return (zone.records.get(host) ?? [])
      .filter((record) => record.type === "A" || record.type === "AAAA")
      .map((record) => toAnswer(record, host));
  });
  const authorities = servers.map((server) => toAnswer(server, cut));
  return { ...noAnswer, authoritative: false, authorities, additionals: glue };
}

function soa(domain: Domain, zone: ServedZone): Answer {
  return {
    type: "SOA",
    name: zone.apex,
    ttl: domain.ttl,
    class: "IN",
    data: {
      mname: domain.nameServers[0] ?? `ns.${zone.apex}`,
      rname: `hostmaster.${zone.apex}`,
      serial: Math.floor(domain.updatedAt / 1000) % 4294967296,
      refresh: 3600,
      retry: 600,
      expire: 604800,
      minimum: 60,
    },
  };
}

function toAnswer(record: Rec, asked: string): Answer {
  const common = { name: asked.replace(/\.$/, ""), ttl: record.ttl, class: "IN" as const };
  switch (record.type) {
    case "MX":
      return { ...common, type: "MX", data: { preference: record.mx, exchange: asciiName(record.value) } };
    case "TXT":
      return { ...common, type: "TXT", data: strings(record.value) };
    case "SRV": {
      const fields = wholeValue(record).split(/\s+/);
      const [priority, weight, port = 0] = fields.map(Number);
      const target = asciiName(fields[3] ?? "") || ".";
      return { ...common, type: "SRV", data: { priority, weight, port, target } };
    }
    case "CAA": {
      const [, flags = "0", tag = "issue", value = ""] =
        /^(\d+)\s+(\S+)\s+"?(.*?)"?$/s.exec(record.value) ?? [];
      const bits = Number(flags);
      const data = { flags: bits, tag: tag as "issue", value, issuerCritical: bits >= 128 };
      return { ...common, type: "CAA", data };
    }
    case "CNAME":
    case "NS":
      return { ...common, type: record.type, data: asciiName(record.value) };
    case "A":
    case "AAAA":
      // The encoder would make another address of forced nonsense.
      if (isIP(record.value) !== (record.type === "A" ? 4 : 6))
        throw new TypeError(`${record.value} is not an address`);
      return { ...common, type: record.type, data: record.value };
    default:
      return { ...common, type: record.type as StringAnswer["type"], data: record.value };
  }
}

/** At most 255 octets each (RFC 1035 §3.3). */
function strings(text: string): Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) parts.push(bytes.subarray(at, at + 255));
  return parts.length > 0 ? parts : [Buffer.alloc(0)];
}
