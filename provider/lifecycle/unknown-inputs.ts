/** Unknown inputs. They are errors, because a misspelt input would silently have its default. */
import { nearest } from "../dns";
import { didYouMean, reason, type Problem } from "../problems";

/** A problem for each unknown input, with the nearest name. @param names all inputs of the resource */
export function unknownInputs(given: object, names: readonly string[]): Problem[] {
  return Object.keys(given).flatMap((key) => {
    // The engine's own names begin with two underscores.
    if (names.includes(key) || key.startsWith("__")) return [];
    const hint = didYouMean(nearest(key, names), `the inputs are ${names.join(", ")}`);
    return [{ ...reason("input.unknown", { hint }), path: key }];
  });
}
