import type { Client, OperationName, Requests } from "../../provider/api";

export const domain = {
  id: "2059079",
  name: "example.com",
  punycode: "example.com",
  grade: "DP_Free",
  grade_title: "Free",
  status: "enable",
  ext_status: "",
  records: "3",
  group_id: "9",
  is_mark: "no",
  remark: "mine",
  is_vip: "yes",
  searchengine_push: "yes",
  user_id: "730060",
  created_on: "2015-01-18 12:00:00",
  updated_on: "2015-01-18 12:00:00",
  ttl: "600",
  cname_speedup: "disable",
  owner: "owner@example.com",
  vip_start_at: "2015-01-01",
  vip_end_at: "2016-01-01",
  vip_auto_renew: "default",
  service_ns: ["ns1.example.net"],
  is_beian: "yes",
};
export const record = {
  id: "1",
  name: "www",
  line: "默认",
  line_id: "0",
  type: "MX",
  ttl: "600",
  value: "mx.example.com.",
  weight: null,
  mx: "10",
  enabled: "1",
  status: "enable",
  monitor_status: "Ok",
  remark: "r",
  updated_on: "2015-01-18 12:00:00",
  use_aqb: "no",
  hold: "",
};
export const header = {
  id: "2059079",
  name: "example.com",
  punycode: "example.com",
  grade: "DP_Free",
  owner: "o@example.com",
  ext_status: "",
  ttl: 600,
  min_ttl: 60,
  status: "enable",
  service_ns: ["ns1.example.net"],
};
export const info = {
  domain_total: 1,
  all_total: "14",
  mine_total: 13,
  share_total: 1,
  vip_total: 2,
  ismark_total: 3,
  pause_total: 4,
  error_total: 5,
  lock_total: 6,
  spam_total: 7,
  vip_expire: 8,
  share_out_total: 9,
};
export const jobRecord = {
  id: 1,
  sub_domain: "www",
  record_type: "A",
  area: "默认",
  value: "192.0.2.1",
  ttl: 600,
  mx: null,
  err_msg: null,
  status: "ok",
  operation: "plus",
  record_id: 99,
};

const named = { domain: "example.com" };
const address = { type: "A", line: "默认", value: "192.0.2.1", ttl: 600 };
const brief = { id: "2059079", domain: "example.com", domain_grade: "DP_Free" };

type Samples = { readonly [N in OperationName]: { readonly request: Requests[N]; readonly reply: object } };

export const samples: Samples = {
  "Domain.Info": { request: named, reply: { domain } },
  "Domain.List": { request: {}, reply: { info, domains: [domain] } },
  "Domain.Purview": {
    request: named,
    reply: {
      purview: [
        { name: "子域名级数", value: 5 },
        { name: "分省线路类型", value: "no" },
      ],
    },
  },
  "Domainshare.Modify": { request: { ...named, email: "a@example.org", mode: "r" }, reply: {} },
  "Record.List": {
    request: named,
    reply: {
      domain: header,
      info: { sub_domains: "1", record_total: "1", records_num: "1" },
      records: [record],
    },
  },
  "Record.Info": {
    request: { ...named, recordId: "1" },
    reply: {
      domain: { ...brief, service_ns: ["ns1.example.net"] },
      record: {
        id: "1",
        sub_domain: "www",
        record_type: "A",
        record_line: "默认",
        record_line_id: "0",
        value: "192.0.2.1",
        weight: null,
        mx: "0",
        ttl: "600",
        enabled: "1",
        monitor_status: "",
        remark: "",
        updated_on: "2015-01-18 12:00:00",
        domain_id: "2059079",
      },
    },
  },
  "Batch.Record.Create": {
    request: { domainIds: ["1"], records: [{ ...address, subDomains: ["www"] }] },
    reply: { job_id: "17", detail: [] },
  },
  "Batch.Detail": {
    request: { jobId: "17" },
    reply: {
      type: "record_add",
      total: 2,
      success: 2,
      fail: 0,
      created_at: "2015-01-18 12:00:00",
      detail: [
        {
          id: 0,
          domain: "example.com",
          domain_id: "1",
          domain_grade: "DP_Free",
          status: "ok",
          operation: "plus",
          err_msg: null,
          records: [jobRecord],
        },
      ],
    },
  },
  "Monitor.Gethistory": {
    request: { monitorId: "5" },
    reply: {
      domain: brief,
      record: { id: "2", sub_domain: "www", ip: "192.0.2.1" },
      monitor_history: [
        {
          point: "北京",
          data: {
            message: "ok",
            code: 1,
            data: [{ status: "Down", status_code: -3, createtime: "2015-01-18 12:00:00", responsetime: 12 }],
          },
        },
      ],
    },
  },
  "Custom.Line.List": {
    request: named,
    reply: {
      data: {
        areas: [{ domain_id: "1", name: "office", area: "192.0.2.0-192.0.2.9", use_count: 1, max_count: 5 }],
        available_count: 4,
      },
    },
  },
  "Record.Modify": {
    request: { ...named, ...address, recordId: "1", subDomain: "www" },
    reply: { record: { id: 1, name: "www", value: "192.0.2.1", status: "enabled", weight: null } },
  },
  "Record.Remove": { request: { ...named, recordId: "1" }, reply: {} },
  "Batch.Record.Modify": {
    request: { recordIds: ["1", "2"], change: "ttl", to: "600" },
    reply: { job_id: "17", detail: [] },
  },
  "Domainshare.Create": { request: { ...named, email: "a@example.org", mode: "r" }, reply: {} },
  "Domainshare.List": {
    request: named,
    reply: { share: [{ share_to: "a@example.org", mode: "rw", status: "enabled", sub_domain: "dev" }] },
  },
  "Domainshare.Remove": { request: { ...named, email: "a@example.org" }, reply: {} },
};

export const operationNames = Object.keys(samples) as OperationName[];

export function callSample<N extends OperationName>(client: Client, operation: N, target?: string) {
  return client.call(operation, samples[operation].request, { target });
}
