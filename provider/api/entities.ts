/** The service's entities: public name, wire name (unless it is the same in snake case) and reader. The comments are public. */
import {
  type Clean,
  entity,
  exactText,
  hostLabel,
  id,
  limitValue,
  maybeCount,
  maybeEmpty,
  maybeExactText,
  maybeFlag,
  maybeId,
  maybeList,
  maybeLowerCase,
  maybeText,
  maybeTime,
  maybeWord,
  nameServers,
  text,
  type Read,
  type Wire,
  wordOf,
} from "./wire";

const domainFields = {
  /** The service's domain id. */
  id: maybeId,
  /** The name, as the service writes it. */
  name: (value: unknown, whole: Wire, clean: Clean): string =>
    maybeText(value, whole, clean) ?? text(whole["punycode"], whole, clean),
  /** The name as A-labels. */
  punycode: maybeText,
  /** The package: `DP_Free` … `DP_Ultra`, or an old one, `D_Free` … `D_Ultra`. */
  grade: maybeText,
  /** The package's title. */
  gradeTitle: maybeText,
  /** `enable`, `pause` (records are not served), `spam` (banned) or `lock` (nothing can be changed). */
  status: maybeText,
  /** `notexist` (not registered), `dnserror` (not delegated) or empty. */
  extStatus: maybeEmpty,
  /** All records, the service's own NS records included. */
  recordCount: ["records", maybeCount],
  /** The id of the domain's group. */
  groupId: maybeText,
  /** Whether it is starred. */
  starred: ["is_mark", maybeFlag],
  /** The account's remark. */
  remark: maybeText,
  /** Whether the package is paid. */
  vip: ["is_vip", maybeFlag],
  /** Start of the paid package: a day (`2026-01-31`) from getDomain, a time from getDomains. */
  vipStartAt: maybeTime,
  /** End of the paid package; see `vipStartAt`. */
  vipEndAt: maybeTime,
  /** `yes`, `no`, or `default`: never set, renewed by hand. */
  vipAutoRenew: maybeText,
  /** Whether changes are pushed to search engines. */
  searchEnginePush: ["searchengine_push", maybeFlag],
  /** Whether the service speeds up CNAME records. */
  cnameSpeedup: maybeFlag,
  /** The undocumented flag `auth_to_security`. */
  authToSecurity: maybeFlag,
  /** The domain's default TTL in seconds. */
  ttl: maybeCount,
  /** The owner's e-mail address. */
  owner: maybeText,
  /** The name servers that the domain must be delegated to. */
  nameServers,
  /** The time of its addition: `2015-01-18T12:00:00+08:00`. */
  createdOn: maybeTime,
  /** The last change; see `createdOn`. */
  updatedOn: maybeTime,
} as const;

export const domainSummary = entity(domainFields);
export interface DomainSummary extends Read<typeof domainSummary> {}

export const domainDetail = entity({
  ...domainFields,
  /** The service's id of the owner. */
  userId: maybeText,
  /** Whether the domain has a filing record. */
  filed: ["is_beian", maybeFlag],
});
export interface DomainDetail extends Read<typeof domainDetail> {}

export const domainCounters = entity({
  /** Domains that match the filter. */
  matching: ["domain_total", maybeCount],
  /** All domains, shared ones included. */
  all: ["all_total", maybeCount],
  /** The account's own domains. */
  mine: ["mine_total", maybeCount],
  /** Domains that others share with the account. */
  sharedToMe: ["share_total", maybeCount],
  /** Domains that the account shares with others. */
  sharedByMe: ["share_out_total", maybeCount],
  /** Domains with a paid package. */
  vip: ["vip_total", maybeCount],
  /** Starred domains. */
  starred: ["ismark_total", maybeCount],
  /** Paused domains. */
  paused: ["pause_total", maybeCount],
  /** Domains that are not registered or not delegated. */
  dnsError: ["error_total", maybeCount],
  /** Locked domains. */
  locked: ["lock_total", maybeCount],
  /** Banned domains. */
  banned: ["spam_total", maybeCount],
  /** Packages that end within 30 days. */
  vipExpiring: ["vip_expire", maybeCount],
});
export interface DomainCounters extends Read<typeof domainCounters> {}

export const zoneHeader = entity({
  ...domainFields,
  name: maybeText,
  /** The package's lowest TTL in seconds. */
  minTtl: maybeCount,
});
export interface ZoneHeader extends Read<typeof zoneHeader> {}

export const zoneCounts = entity({
  /** All records of the domain. */
  all: ["sub_domains", maybeCount],
  /** Records that match the filter. */
  matching: ["record_total", maybeCount],
  /** Records in this answer. */
  returned: ["records_num", maybeCount],
});
export interface ZoneCounts extends Read<typeof zoneCounts> {}

/** MX keeps its priority in `mx`. So does an SRV whose value has weight, port and target only. */
export function priorityOf(mx: unknown, whole: Wire, type: unknown, clean: Clean): number | undefined {
  const { value } = whole;
  const kind = typeof type === "string" ? type.toUpperCase() : "";
  const isApart = kind === "SRV" && typeof value === "string" && /^\s*\d+\s+\d+\s+[^\s]+\s*$/.test(value);
  return kind === "MX" || isApart ? maybeCount(mx, whole, clean) : undefined;
}

const recordOf = (keys: { name: string; type: string; line: string }) =>
  entity({
    /** The service's record id. */
    id,
    /** The host label, `@` for the domain itself. */
    name: [keys.name, hostLabel],
    /** `A`, `MX` and so on; types of the service's own as they are. */
    type: [keys.type, exactText],
    /** As the service writes it: targets with the trailing dot. */
    value: exactText,
    /** The priority; of an MX record only. */
    priority: [
      "mx",
      (mx, whole, clean): number | undefined => priorityOf(mx, whole, whole[keys.type], clean),
    ],
    /** The TTL in seconds. */
    ttl: maybeCount,
    /** Empty if the service gives only the number of the default line. */
    line: [
      keys.line,
      (line, whole, clean): string =>
        maybeExactText(line, whole, clean) ??
        (wordOf(whole[`${keys.line}_id`]) === "0" ? "" : exactText(undefined, whole, clean)),
    ],
    /** `0` is the default line, whatever its name. */
    lineId: [`${keys.line}_id`, maybeText],
    /** Whether the record is served. */
    enabled: (enabled: unknown, whole: Wire, clean: Clean): boolean | undefined =>
      // One key may stand in for the other (service-notes, Record.List of 2016).
      maybeFlag(enabled, whole, clean) ?? maybeFlag(whole["status"], whole, clean),
    /** The weight among records of one name, type and line. */
    weight: maybeCount,
    /** `ok`, `warn` (the server answers with 4XX) or `down`; absent if the record is not monitored. */
    monitorStatus: maybeLowerCase,
    /** The account's remark on the record. */
    remark: maybeText,
    /** Whether the website security center is on. */
    securityCenter: ["use_aqb", maybeFlag],
    /** The last change: `2015-01-18T12:00:00+08:00`. */
    updatedOn: maybeTime,
    /** True for the service's own NS records. Absent if that is not known. */
    hold: (hold: unknown, whole: Wire): boolean | undefined =>
      hold === "hold" ? true : isApexNs(whole[keys.name], whole[keys.type]) ? undefined : false,
  });

function isApexNs(name: unknown, type: unknown): boolean {
  return (name === "@" || name === "") && typeof type === "string" && type.toUpperCase() === "NS";
}

export const listedRecord = recordOf({ name: "name", type: "type", line: "line" });
export interface LiveRecord extends Read<typeof listedRecord> {}

export const shownRecord = recordOf({ name: "sub_domain", type: "record_type", line: "record_line" });

export const briefFields = {
  /** The service's domain id. */
  domainId: ["id", maybeId],
  /** The domain's name. Absent if the service does not name it and the id was given. */
  domain: maybeText,
  /** The domain's package. */
  grade: ["domain_grade", maybeText],
} as const;

export const domainBrief = entity({
  ...briefFields,
  /** The name servers that the domain must be delegated to. */
  nameServers,
});
export interface DomainBrief extends Read<typeof domainBrief> {}

export const purviewEntry = entity({
  /** The localised label. */
  name: maybeText,
  /** Numbers and flags as such; 99999 stands for no limit. */
  value: limitValue,
});
export interface PurviewEntry extends Required<Read<typeof purviewEntry>> {}

const customLine = entity({
  domainId: maybeId,
  /** The name for a record's `line`. */
  name: maybeText,
  /** The IP range as the service writes it: `192.0.2.0-192.0.2.255`. */
  area: maybeText,
  /** The number of its uses. */
  useCount: maybeCount,
  /** The domain's quota, repeated with each line. */
  maxCount: maybeCount,
});

export const customLines = entity({
  lines: ["areas", maybeList(customLine)],
  /** Lines that may still be added. */
  available: ["available_count", maybeCount],
});
export interface CustomLine extends Read<typeof customLine> {}
export interface CustomLines extends Read<typeof customLines> {}

/** service-notes.md, Domainshare.List. */
export const share = entity({
  email: ["share_to", text],
  mode: maybeWord("r", "rw"),
  pending: [
    "status",
    (status): boolean | undefined => {
      const word = wordOf(status) ?? "";
      return word === "" ? undefined : word === "pending";
    },
  ],
  /** Absent for the whole domain. */
  subDomain: maybeText,
});
export interface DomainShareEntry extends Read<typeof share> {}
