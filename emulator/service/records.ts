/** Record.List and Record.Info (api.md, Endpoints). */
import { domainOf, flippedId, integer, lineSent, sent, type Context } from "./context";
import { serviceTime, type JsonObject } from "./envelope";
import { indexed } from "./zone";
import type { Domain, Rec } from "./model";

const forcedPage = 100;
const maxLength = 3000;

export function recordList(context: Context): JsonObject {
  const { params, world, now, refusal } = context;
  const domain = domainOf(context);
  const window = pageOf(context);
  const test = filterOf(context, domain);
  const known = indexed(domain, now);
  const matching = test === null ? known : known.filter(test);
  const page = matching.slice(window.offset, window.offset + window.length);
  if (page.length === 0 && params["error_on_empty"] !== "no") throw refusal("10");
  return {
    domain: {
      id: flippedId(context, domain),
      name: domain.name,
      punycode: domain.punycode,
      grade: domain.grade,
      owner: domain.owner.email,
      ext_status: domain.extStatus,
      ttl: String(domain.ttl),
      min_ttl: domain.purview.minTtl,
      status: domain.status,
      can_handle_at_ns: false,
      [world.settings.nsKey]: [...domain.nameServers],
    },
    info: {
      sub_domains: String(known.length),
      // Sometimes an integer (service-notes.md); here if a filter was sent.
      record_total: test === null ? String(matching.length) : matching.length,
      records_num: String(page.length),
    },
    records: page.map(listed),
  };
}

function pageOf({ params, refusal }: Context): { offset: number; length: number } {
  const text = sent(params, "length");
  if (text === undefined) return { offset: 0, length: forcedPage };
  const length = integer(text);
  if (Number.isNaN(length) || length === 0) throw refusal("8");
  const offset = integer(sent(params, "offset") ?? "0");
  if (Number.isNaN(offset)) throw refusal("7");
  return { offset, length: Math.min(length, maxLength) };
}

type Test = (record: Rec) => boolean;

function filterOf(context: Context, domain: Domain): Test | null {
  const { params } = context;
  const keyword = sent(params, "keyword")?.toLowerCase();
  if (keyword !== undefined) {
    return (record) => record.name.includes(keyword) || record.value.toLowerCase().includes(keyword);
  }
  const tests: Test[] = [];
  const name = sent(params, "sub_domain")?.toLowerCase();
  if (name !== undefined) tests.push((record) => record.name === name);
  const type = sent(params, "record_type");
  if (type !== undefined) tests.push((record) => record.type === type);
  const line = lineSent(context, domain);
  if (line === undefined) throw context.refusal("27");
  if (line !== null) tests.push((record) => record.lineId === line.id);
  return tests.length === 0 ? null : (record) => tests.every((test) => test(record));
}

const common = (record: Rec): JsonObject => ({
  id: String(record.id),
  value: record.value,
  weight: record.weight,
  mx: String(record.mx),
  ttl: String(record.ttl),
  enabled: record.enabled ? "1" : "0",
  monitor_status: record.monitorStatus,
  remark: record.remark,
  updated_on: serviceTime(record.updatedAt),
});

function listed(record: Rec): JsonObject {
  return {
    name: record.name,
    line: record.lineName,
    line_id: record.lineId,
    type: record.type,
    // `enabled` beside `enabled: "1"` (service-notes.md, 2016); no source shows a disabled record's word.
    status: record.enabled ? "enabled" : "disabled",
    use_aqb: "no",
    // Own keys come first: after a spread, V8 takes ten times as long for each record.
    ...common(record),
    ...(record.hold ? { hold: "hold" } : {}),
  };
}

export function recordInfo(context: Context): JsonObject {
  const { params, world, refusal } = context;
  const domain = domainOf(context);
  const record = domain.records.get(integer(sent(params, "record_id") ?? ""));
  // api.md names no code; record calls of this generation answer 8.
  if (record === undefined) throw refusal("8", "record ID wrong");
  const remark = params["remark"];
  // A read that changes (service-notes.md): an empty remark removes the domain's remark.
  if (remark !== undefined) {
    domain.remark = remark;
    domain.updatedAt = context.now;
  }
  return {
    domain: {
      id: flippedId(context, domain),
      domain: domain.name,
      domain_grade: domain.grade,
      [world.settings.nsKey]: [...domain.nameServers],
    },
    record: {
      ...common(record),
      sub_domain: record.name,
      record_type: record.type,
      record_line: record.lineName,
      record_line_id: record.lineId,
      domain_id: String(domain.id),
    },
  };
}
