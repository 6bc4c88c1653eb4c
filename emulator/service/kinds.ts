/** Which operations only read, and which write: what a fault can be told to hit. */
import { operations } from "./operations";
import { undocumented } from "./undocumented";

/** Undefined for an operation that does not exist. */
export function kindOf(operation: string): "read" | "write" | undefined {
  return (operations.get(operation) ?? undocumented.get(operation))?.kind;
}
