/** The records, and shares, that a resource's inputs declare in a preview: text, TTL and domain; secrets as such. */
import {
  dataText,
  expandRecord,
  quote,
  readZoneText,
  recordKey,
  recordText,
  stateTtl,
  textWith,
} from "../../provider/dns";
import { moved } from "../../provider/lifecycle/old-state";
import { shareLine } from "../../provider/shares";
import { kindOf } from "../resources";
import type { Properties, Step } from "./preview";

/** A line of a zone as a preview tells it. */
export interface PlannedRecord {
  /** Equal for the same record, wherever it is declared. */
  readonly key: string;
  readonly domain: string;
  readonly text: string;
  /** Of a record its TTL, of a share its mode and scope. */
  readonly ttl: string;
  readonly isShare: boolean;
  /** Something of it is not known before the update: its place among the resource's unknown records. */
  readonly later?: number;
}

const secret = "[secret]";
/** What a preview has in place of a value that it does not know yet. */
const unknownValues: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "[unknown]",
  "output<string>",
]);
const later = "known after the update";
const openSpec = `a record (${later})`;
const openSpecs = `records (${later})`;

/** Whether the step is about what this provider declares in zones. */
export function isOurs({ type }: Pick<Step, "type">): boolean {
  return kindOf(type) !== undefined;
}

/** Whether the inputs hold records that a preview hides because a value is secret. */
export function hidesRecords(props: Properties | undefined): boolean {
  return props?.["records"] === secret;
}

/** The domains of a batch. */
export function domainsOf(props: Properties): string[] {
  const { domains } = props;
  return Array.isArray(domains) ? domains.filter((each): each is string => typeof each === "string") : [];
}

/** What the inputs of a step declare, before or after it. */
export function recordsOf(step: Step, side: "before" | "after", defaultLine: string): PlannedRecord[] {
  const props = step[side];
  if (props === undefined) return [];
  const kind = kindOf(step.type);
  if (kind === "RecordBatch") return ofBatch(props, step);
  if (kind === "DomainShare") return ofShare(props, step);
  return ofRecord(props, step, side, defaultLine);
}

/** Whether a record's text, with its data or without, is that of an MX record. */
export function isMail(text: string): boolean {
  return text.split(" ", 2)[1] === "MX";
}

/** Whether a record that is not known yet may become the one with a text. @param open as planned */
export function mayBecome({ text: open }: Pick<PlannedRecord, "text">, text: string): boolean {
  if (open === openSpec || open === openSpecs) return true;
  const parts = open.split(`(${later})`).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // A name that is not known may be that of the domain itself.
  const pattern = parts.join(".+").replace(/^\.\+\\\./, "(.+\\.)?");
  return new RegExp(`^${pattern}$`, "s").test(text);
}

function ofBatch(given: Properties, { urn }: Step): PlannedRecord[] {
  const { domains: zones, records: text } = moved(given);
  if (typeof text !== "string" || text === secret || !Array.isArray(zones)) return [];
  // A mark stands for a value that stays hidden: another value has another mark.
  const { records, unknowns } = readZoneText(text, {
    domains: domainsOf(given),
    secret: (mark) => quote(mark),
  });
  return [
    ...records.map((record) => {
      const { domain, ttl, liveTtl, note } = record;
      const shownText = record.secret === true ? textWith(record, secret) : recordText(record);
      return {
        key: `${recordKey(record)}${record.secret === true ? " secret" : ""}`,
        domain,
        text: shownText,
        ttl: String(stateTtl({ ttl: liveTtl ?? ttl, note })),
        isShare: false,
      };
    }),
    ...unknowns.map((unknown, i) => {
      if (!("record" in unknown)) {
        const text = unknown.what === "spec" ? openSpec : openSpecs;
        return {
          key: `${urn} ${text} ${i}`,
          domain: domainsOf(given)[0] ?? "",
          text,
          ttl: `(${later})`,
          isShare: false,
          later: i,
        };
      }
      const { record, ttl, what } = unknown;
      const open =
        what === "ttl"
          ? recordText(record)
          : textWith(
              what === "name" ? { ...record, name: `(${later})` } : record,
              what === "name" && record.value !== "" ? dataText(record) : `(${later})`,
            );
      return {
        key: `${record.domain} ${open} ${i}`,
        domain: record.domain,
        text: open,
        ttl: what === "ttl" ? `(${later})` : String(ttl),
        isShare: false,
        later: i,
      };
    }),
  ];
}

function ofShare(props: Properties, { op, urn, before, after }: Step): PlannedRecord[] {
  const domain = shown(props["domain"]);
  const { email, mode, subDomain } = props;
  const { text, ttl } = shareLine({
    email: shown(email),
    mode: shown(mode),
    scope: subDomain === undefined ? undefined : shown(subDomain),
  });
  // An address that becomes hidden, or is hidden no more, is the same: another one replaces the resource.
  const isHidden =
    (op === "update" || op === "same") && [before, after].some((each) => each?.["email"] === secret);
  return [{ key: isHidden ? `${domain} ${urn}` : `${domain} ${text}`, domain, text, ttl, isShare: true }];
}

function ofRecord(props: Properties, step: Step, side: string, defaultLine: string): PlannedRecord[] {
  const { domain, name, type, value, priority, ttl, line } = props;
  const zone = shown(domain);
  if (value === secret || [domain, name, type, value, priority].some((each) => unknownValues.has(each))) {
    const owner =
      name === "@" || name === undefined
        ? `${zone}.`
        : shown(name).endsWith(".")
          ? shown(name)
          : `${shown(name)}.${zone}.`;
    const text = `${owner} ${shown(type)} ${value === secret || !unknownValues.has(priority) ? shown(value) : `(${later})`}${line === undefined ? "" : ` [${shown(line)}]`}`;
    // Two hidden values are the same only where the engine finds no difference.
    const other = step.changed.includes("value") ? ` ${side}` : "";
    const open = [domain, name, type, value, priority].some((each) => unknownValues.has(each));
    return [
      {
        key: `${zone} ${text} ${step.urn}${other}`,
        domain: zone,
        text,
        ttl: shown(ttl),
        isShare: false,
        ...(open ? { later: 0 } : {}),
      },
    ];
  }
  const { record } = expandRecord(
    { domain, name, type, value, priority, ttl: "default", line },
    { defaultLine },
  );
  if (record === undefined) return [];
  const text = recordText(record);
  return [
    {
      key: `${record.domain} ${text}`,
      domain: record.domain,
      text,
      ttl: shown(ttl ?? "default"),
      isShare: false,
    },
  ];
}

function shown(value: unknown): string {
  return unknownValues.has(value) ? `(${later})` : String(value);
}

/** By which texts of records sort in the order of a zone: names label by label from the right, a parent before its children, then the text. */
export function orderOf(text: string): string {
  const [owner = "", ...rest] = text.split(" ");
  return `${owner.split(".").reverse().join("\u0001")}\u0000${rest.join(" ")}`;
}

export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
