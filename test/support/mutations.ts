/** Answers of the service that a seed spoils. */
import type { Dice } from "../simulation/dice";

/** Parts of answers that break a reader: extreme numbers, other kinds, names of prototypes, control characters. */
export const hostileParts: readonly string[] = [
  ...["-1", "1.5", "1e400", "-1e400", "1e308", "0.1e-400", "18446744073709551616", '"18446744073709551616"'],
  ...["null", "true", "false", "[]", "{}", "[[]]", '""', '"__proto__"', '"constructor"', '"toString"'],
  ...['{"__proto__":{"polluted":1}}', '[{"__proto__":{"polluted":1}}]'],
  ...['{"constructor":{"prototype":{"polluted":1}}}', '"\\u0000\\u001b[2J\\u202e"', '"\\ud800"'],
  ...[`"${"9".repeat(10_000)}"`, `"${"x".repeat(60_000)}"`, `${"[".repeat(2_000)}${"]".repeat(2_000)}`],
];

/** Parts that a reader may count, cut, print or loop over. */
const countable: readonly string[] = [
  ...["0", "20000000", "900000000000", "9007199254740993", '"0"', '"-1"', '"20000000"', '"900000000000"'],
  ...[`"${"9".repeat(15)}"`, "[null]", '" "', '"@"', '"*"', '","', '"."', '"ok"', '"error"'],
  ...['"a\\r\\u001b[K\\u001b[8mb\\u202e\\u0000"', '"2026-13-99 99:99:99"', `"${"\\u001b[8m".repeat(1_000)}"`],
];
const serviceCodes = "-1 -2 -99 -8 3 6 7 8 9 10 13 21 27 104 4711".split(" ");

/** The transport refuses larger answers, but a test must not wait for them. */
const longest = 2_000_000;

type Change = (value: unknown) => unknown;
const mark = "\u0001HERE\u0001";

/** Changes one part. A list loses an item that becomes `undefined`, and JSON leaves out such a field. */
export function change(value: unknown, at: readonly string[], by: Change): unknown {
  const [first, ...rest] = at;
  if (first === undefined) return by(value);
  if (Array.isArray(value))
    return value
      .map((each: unknown, i) => (String(i) === first ? change(each, rest, by) : each))
      .filter((each) => each !== undefined);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === first ? change(each, rest, by) : each]),
  );
}

/** The deeper, the likelier: an envelope is in each answer. */
function placeIn(value: unknown, dice: Dice): string[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  if (entries.length === 0 || dice.chance(0.15)) return [];
  const [key, inner] = dice.pick(entries);
  return [key, ...placeIn(inner, dice)];
}

function restructured(dice: Dice): Change {
  return (value) => {
    if (Array.isArray(value) && value.length > 0) {
      const items = value as unknown[];
      if (dice.chance(0.3)) return items.slice(1);
      return Array.from({ length: dice.pick([2, 100, 101, 3000, 5000]) }, () => dice.pick(items));
    }
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value) as [string, unknown][];
      if (entries.length < 2) return entries;
      const [gone] = dice.pick(entries);
      const [, other] = dice.pick(entries);
      const kept = entries.filter(([key]) => key !== gone);
      return Object.fromEntries(dice.chance(0.5) ? kept : [...kept, [gone, other]]);
    }
    if (typeof value === "number") return value * dice.pick([-1, 1e3, 1e9, 0.1]);
    return typeof value === "string" ? `${value}${value}` : [value];
  };
}

function torn(body: string, dice: Dice, hostile: readonly string[]): string {
  const at = dice.between(0, body.length);
  return dice.pick<(text: string) => string>([
    (text) => text.slice(0, at),
    (text) => text + text,
    (text) => `\ufeff${text}`,
    (text) => `[${text}]`,
    (text) => `${text.slice(0, at)}${dice.pick(hostile)}${text.slice(at)}`,
    (text) => text.replace(/\d+/g, (digits) => (dice.chance(0.2) ? dice.pick(hostile) : digits)),
    () => `<html>${"a".repeat(1000)}</html>`,
  ])(body);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** One to three parts of the answer are replaced, repeated, removed or cut. A gateway may echo the token. */
export function mutated(body: string, dice: Dice, token: string): string {
  const hostile = [
    ...hostileParts,
    ...countable,
    JSON.stringify(token),
    JSON.stringify(`the token ${token} is yours`),
  ];
  const whole = parsed(body);
  if (whole === undefined || dice.chance(0.1)) return torn(body, dice, hostile);
  if (dice.chance(0.1))
    return JSON.stringify(change(whole, ["status", "code"], () => dice.pick(serviceCodes)));
  let text = body;
  for (let times = dice.between(1, 3); times > 0; times -= 1) {
    const value = parsed(text);
    const at = placeIn(value, dice);
    const next: string = dice.chance(0.3)
      ? JSON.stringify(change(value, at, restructured(dice)))
      : JSON.stringify(change(value, at, () => mark)).replace(JSON.stringify(mark), () => dice.pick(hostile));
    if (next.length < longest) text = next;
  }
  return text;
}
