/**
 * The shapes in which the service has really answered (service-notes.md, How
 * the service has really answered): which keys of Record.List and Record.Info
 * were missing, and which were numbers where api.md has texts.
 */
import type { Json, JsonObject } from "./envelope";
import type { Settings } from "./settings";

/** `2017-numbers` is the other half of 2017: "in some answers" a record's fields are numbers, and three are missing. */
export const shapes = ["documented", "2016", "2017", "2017-numbers", "2018", "english"] as const;
export type AnswerShape = (typeof shapes)[number];

/** What becomes of one object of an answer. */
interface Rule {
  /** The only keys that stay; all of them when left out. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  /** Keys whose texts become numbers. */
  readonly numbers?: readonly string[];
}

/** What becomes of Record.List's `domain`, its `info` and each of its records, and of Record.Info's `record`. */
interface Rules {
  readonly domain: Rule;
  readonly info: Rule;
  readonly records: Rule;
  readonly record: Rule;
}

const noCount: Rule = { without: ["records_num"] };

const rules: Readonly<Record<AnswerShape, Rules>> = {
  documented: { domain: {}, info: {}, records: {}, record: {} },
  "2016": {
    domain: { only: ["id", "name", "punycode", "grade", "owner"] },
    info: noCount,
    records: { without: ["line_id"] },
    record: {},
  },
  "2017": {
    domain: { numbers: ["ttl", "min_ttl"] },
    info: noCount,
    // The notes have it for 2018 and later.
    records: { without: ["line_id"] },
    record: {},
  },
  "2017-numbers": {
    domain: { numbers: ["ttl", "min_ttl"] },
    info: noCount,
    records: {
      without: ["line_id", "weight", "use_aqb", "monitor_status"],
      numbers: ["id", "ttl", "enabled", "mx"],
    },
    record: { without: ["weight", "monitor_status"], numbers: ["id", "ttl", "enabled", "mx"] },
  },
  "2018": { domain: { numbers: ["ttl"] }, info: {}, records: {}, record: {} },
  english: {
    domain: { without: ["ttl"] },
    info: noCount,
    records: { without: ["line_id", "weight", "use_aqb"] },
    record: { without: ["record_line_id", "weight"] },
  },
};

/** An answer's body as the settings want it; other operations than the two have one shape only. */
export function inShape(
  { answers, hold }: Pick<Settings, "answers" | "hold">,
  operation: string,
  body: JsonObject,
): JsonObject {
  const { domain, info, records, record } = rules[answers];
  if (operation === "Record.Info") return { ...body, ...part(body, "record", record) };
  if (operation !== "Record.List" || (answers === "documented" && hold)) return body;
  const each = hold ? records : { ...records, without: [...(records.without ?? []), "hold"] };
  return {
    ...body,
    ...part(body, "domain", domain),
    ...part(body, "info", info),
    ...part(body, "records", each),
  };
}

function part(body: JsonObject, key: string, rule: Rule): JsonObject {
  const value = body[key];
  return value === undefined ? {} : { [key]: reshaped(value, rule) };
}

/** One object, or each of a list. */
function reshaped(value: Json, rule: Rule): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reshaped(item, rule));
  if (typeof value !== "object" || value === null) return value;
  const { only, without = [], numbers = [] } = rule;
  const kept = Object.entries(value).filter(
    ([key]) => (only?.includes(key) ?? true) && !without.includes(key),
  );
  return Object.fromEntries(
    kept.map(([key, inner]: [string, Json]) => [key, numbers.includes(key) ? Number(inner) : inner]),
  );
}
