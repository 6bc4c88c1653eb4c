/** Inputs that a resource does not have: what they were meant for would be left at its default. */
import { nearest } from "../dns";
import { reason, type Problem } from "../problems";

/** A problem for each unknown input, with the nearest name. @param names all inputs of the resource. */
export function unknownInputs(given: object, names: readonly string[]): Problem[] {
  return Object.keys(given).flatMap((key) => {
    // The engine's own names begin with two underscores.
    if (names.includes(key) || key.startsWith("__")) return [];
    const guess = nearest(key, names);
    return [{ ...reason("input.unknown", { guess, inputs: names.join(", ") }), path: key }];
  });
}
