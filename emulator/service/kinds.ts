/** The operations that read, and those that write. A fault can select one kind. */
import { operations } from "./operations";
import { undocumented } from "./undocumented";

/** Undefined for an operation that does not exist. */
export function kindOf(operation: string): "read" | "write" | undefined {
  return (operations.get(operation) ?? undocumented.get(operation))?.kind;
}
