/**
 * Record.Line and Record.Type (service-notes.md, Operations outside api.md):
 * what a package offers. A grade that is none is 6 (older public editions).
 */
import { domainOf, sent, type Context } from "./context";
import type { JsonObject } from "./envelope";
import { allowsLine, linesOf } from "./lines";
import { grades, type Purview } from "./purview";
import { recordTypes } from "./rules";

/** Lines by name. The default line's id is the integer 0, all others are strings. */
export function recordLine(context: Context): JsonObject {
  const { world, params } = context;
  const purview = purviewOf(context);
  // The domain may be sent too, and brings its custom lines.
  const named = sent(params, "domain_id") !== undefined || sent(params, "domain") !== undefined;
  const all = linesOf(named ? domainOf(context) : { customLines: [] }, world.settings);
  const lines = all.filter((line) => allowsLine(purview, line));
  return {
    line_ids: Object.fromEntries(lines.map(({ id, name }) => [name, id === "0" ? 0 : id])),
    // Not in the notes: clients of this generation read the bare names here.
    lines: lines.map(({ name }) => name),
  };
}

/** The types that the rules know; no source tells what a package would lack. */
export function recordType(context: Context): JsonObject {
  purviewOf(context);
  return { types: [...recordTypes] };
}

function purviewOf({ params, refusal }: Context): Purview {
  const grade = grades.get(sent(params, "domain_grade") ?? "");
  if (grade === undefined) throw refusal("6");
  return grade.purview;
}
