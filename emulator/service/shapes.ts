/** Shapes of recorded answers (service-notes.md, How the service has really answered). */
import type { Json, JsonObject } from "./envelope";
import type { Settings } from "./settings";

export const shapes = ["documented", "2016", "2017", "2018", "english"] as const;
export type AnswerShape = (typeof shapes)[number];

interface Rule {
  readonly only?: readonly string[];
  /** `service_ns`: the name servers under any key. */
  readonly without?: readonly string[];
  readonly numbers?: readonly string[];
}

type Rules = Readonly<Record<string, Readonly<Record<string, Rule>>>>;

const noCount: Rule = { without: ["records_num"] };
/** 17 recorded answers of 2015 to 2018. */
const earlyInfo: Rules = { "Domain.Info": { domain: { without: ["service_ns", "is_beian"] } } };

const rules: Readonly<Record<AnswerShape, Rules>> = {
  documented: {},
  "2016": {
    ...earlyInfo,
    "Record.List": {
      domain: { only: ["id", "name", "punycode", "grade", "owner"] },
      info: noCount,
      records: { without: ["line_id"] },
    },
  },
  "2017": { ...earlyInfo, "Record.List": { domain: { numbers: ["ttl", "min_ttl"] }, info: noCount } },
  "2018": { ...earlyInfo, "Record.List": { domain: { numbers: ["ttl"] } } },
  english: {
    "Record.List": {
      domain: { without: ["ttl"] },
      info: noCount,
      records: { without: ["line_id", "weight", "use_aqb"] },
    },
    "Record.Info": { record: { without: ["record_line_id", "weight"] } },
  },
};

export function inShape(
  { answers, hold, nsKey }: Pick<Settings, "answers" | "hold" | "nsKey">,
  operation: string,
  body: JsonObject,
): JsonObject {
  const shaped: Record<string, Json> = { ...body };
  const reshape = (key: string, rule: Rule): void => {
    const value = shaped[key];
    if (value !== undefined) shaped[key] = reshaped(value, rule, nsKey);
  };
  for (const [key, rule] of Object.entries(rules[answers][operation] ?? {})) reshape(key, rule);
  if (operation === "Record.List" && !hold) reshape("records", { without: ["hold"] });
  return shaped;
}

function reshaped(value: Json, rule: Rule, nsKey: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reshaped(item, rule, nsKey));
  if (typeof value !== "object" || value === null) return value;
  const { only, without = [], numbers = [] } = rule;
  const kept = Object.entries(value).filter(
    ([key]) => (only?.includes(key) ?? true) && !without.includes(key === nsKey ? "service_ns" : key),
  );
  return Object.fromEntries(
    kept.map(([key, inner]: [string, Json]) => [key, numbers.includes(key) ? Number(inner) : inner]),
  );
}
