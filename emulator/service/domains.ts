/** Domain.Info, Domain.List and Domain.Purview (api.md, Endpoints). Fields differ between them. */
import { domainOf, integer, readCodes, sent, strictCodes, type Context } from "./context";
import { serviceTime, type Json, type JsonObject } from "./envelope";
import type { Domain } from "./model";
import { grades, purviewEntries } from "./purview";

const yesNo = (flag: boolean): string => (flag ? "yes" : "no");

function common(domain: Domain): Record<string, Json> {
  return {
    name: domain.name,
    punycode: domain.punycode,
    grade: domain.grade,
    grade_title: grades.get(domain.grade)?.title ?? domain.grade,
    status: domain.status,
    ext_status: domain.extStatus,
    records: String(domain.records.size),
    is_mark: yesNo(domain.mark),
    is_vip: yesNo(domain.vip !== null),
    searchengine_push: "yes",
    created_on: serviceTime(domain.createdAt),
    updated_on: serviceTime(domain.updatedAt),
    ttl: String(domain.ttl),
    cname_speedup: "disable",
    owner: domain.owner.email,
  };
}

/** Days in Info, full time in List; absent without a package. */
function vipFields(domain: Domain, show: (ms: number) => string): Record<string, Json> {
  if (domain.vip === null) return {};
  return {
    vip_start_at: show(Date.parse(domain.vip.startAt)),
    vip_end_at: show(Date.parse(domain.vip.endAt)),
    vip_auto_renew: domain.vip.autoRenew,
  };
}

export function domainInfo(context: Context): JsonObject {
  // 8 is "not the domain owner" here (api.md, Errors).
  const domain = domainOf(context, { ...readCodes, noSuchId: "6" });
  return {
    domain: {
      id: String(domain.id),
      ...common(domain),
      group_id: String(domain.groupId),
      remark: domain.remark === "" ? false : domain.remark,
      user_id: String(domain.owner.id),
      ...vipFields(domain, (ms) => serviceTime(ms).slice(0, 10)),
      [context.world.settings.nsKey]: [...domain.nameServers],
      is_beian: "yes",
    },
  };
}

export function domainPurview(context: Context): JsonObject {
  const domain = domainOf(context, strictCodes);
  // api.md lists code 9 (remark too long) here; only a sent remark can mean it.
  if ((context.params["remark"] ?? "").length > 255) throw context.refusal("9");
  return { purview: purviewEntries(domain.purview) };
}

type Kind = (context: Context, domain: Domain) => boolean;

const mine: Kind = (context, domain) => domain.owner === context.account;

/** api.md, Domain.List `type`. */
const kinds = {
  all: () => true,
  mine,
  share: (context, domain) => !mine(context, domain),
  ismark: (_, { mark }) => mark,
  pause: (_, { status }) => status === "pause",
  vip: (_, { vip }) => vip !== null,
  recent: (_, { operatedAt }) => operatedAt !== null,
  share_out: (context, domain) => mine(context, domain) && domain.shares.length > 0,
} satisfies Record<string, Kind>;

const listMax = 3000;
const thirtyDays = 30 * 24 * 3600 * 1000;

export function domainList(context: Context): JsonObject {
  const { world, params, refusal } = context;
  const all = [...world.domains.values()].filter(
    (domain) =>
      mine(context, domain) ||
      domain.shares.some(({ email, subDomain }) => email === context.account.email && subDomain === ""),
  );
  const kind: Kind = new Map(Object.entries<Kind>(kinds)).get(params["type"] ?? "") ?? kinds.all;
  const group = sent(params, "group_id");
  const keyword = sent(params, "keyword")?.toLowerCase();
  let matching = all.filter(
    (domain) =>
      kind(context, domain) &&
      (group === undefined || domain.groupId === integer(group)) &&
      (keyword === undefined || domain.name.includes(keyword) || domain.punycode.includes(keyword)),
  );
  if (params["type"] === "recent")
    matching = matching.sort((a, b) => (b.operatedAt ?? 0) - (a.operatedAt ?? 0));

  const offset = integer(sent(params, "offset") ?? "0");
  if (Number.isNaN(offset)) throw refusal("6");
  const length = integer(sent(params, "length") ?? String(listMax));
  if (Number.isNaN(length) || length === 0) throw refusal("7");
  const page = matching.slice(offset, offset + Math.min(length, listMax));
  if (page.length === 0 && params["error_on_empty"] !== "no") throw refusal("9");

  return { info: counters(context, all, matching.length), domains: page.map((domain) => listed(domain)) };
}

function listed(domain: Domain): JsonObject {
  return {
    id: domain.id,
    ...common(domain),
    // A string or an integer (service-notes.md); here an integer after a group was chosen.
    group_id: domain.groupId === 1 ? "1" : domain.groupId,
    remark: domain.remark,
    ...vipFields(domain, serviceTime),
    ...(domain.vip === null ? {} : { auth_to_security: true }),
    grade_ns: [...domain.nameServers],
    grade_level: [...grades.keys()].indexOf(domain.grade) + 1,
    src_flag: "NONE",
    tag_list: [],
    server: "",
    is_grace_period: "no",
  };
}

function counters(context: Context, all: readonly Domain[], matching: number): JsonObject {
  const count = (test: (domain: Domain) => boolean): number => all.filter(test).length;
  const of = (kind: Kind): number => count((domain) => kind(context, domain));
  return {
    domain_total: matching,
    all_total: all.length,
    mine_total: of(mine),
    share_total: of(kinds.share),
    vip_total: of(kinds.vip),
    ismark_total: of(kinds.ismark),
    pause_total: of(kinds.pause),
    error_total: count(({ extStatus }) => extStatus !== ""),
    lock_total: count(({ status }) => status === "lock"),
    spam_total: count(({ status }) => status === "spam"),
    vip_expire: count(({ vip }) => {
      const left = vip === null ? NaN : Date.parse(vip.endAt) - context.now;
      return left >= 0 && left <= thirtyDays;
    }),
    share_out_total: of(kinds.share_out),
  };
}

const hour = 3600 * 1000;

export function monitorHistory({ world, account, params, now, refusal }: Context): JsonObject {
  const monitor = world.monitors.get(sent(params, "monitor_id") ?? "");
  const domain = monitor === undefined ? undefined : world.domains.get(monitor.domainId);
  if (monitor === undefined || domain === undefined || domain.owner !== account) throw refusal("7");
  // No source shows the default of `hours`: all there is.
  const hours = integer(sent(params, "hours") ?? "");
  const since = Number.isNaN(hours) ? 0 : now - hours * hour;
  return {
    domain: { id: String(domain.id), domain: domain.name, domain_grade: domain.grade },
    record: { id: String(monitor.recordId), sub_domain: monitor.subDomain, ip: monitor.ip },
    monitor_history: monitor.points.map(({ point, events }) => ({
      point,
      data: {
        message: "ok",
        code: 1,
        data: events
          .filter((event) => Date.parse(event.at) >= since)
          .map((event) => ({
            status: event.status,
            status_code: event.statusCode,
            createtime: serviceTime(Date.parse(event.at)),
            responsetime: event.responseTime,
          })),
      },
    })),
  };
}

export function customLineList(context: Context): JsonObject {
  // 40601 for a bad parameter, 7 for any domain that is not the caller's.
  const domain = domainOf(context, { badId: "40601", noSuchId: "7", noSuchName: "7", notOwner: "7" });
  const max = domain.customLineMax;
  return {
    data: {
      areas: domain.customLines.map((line) => ({
        domain_id: String(domain.id),
        name: line.name,
        area: line.area,
        use_count: line.useCount,
        max_count: max,
      })),
      available_count: Math.max(0, max - domain.customLines.length),
    },
  };
}
