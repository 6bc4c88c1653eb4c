/** Reading and writing operations; a fault can select one kind. */
import { operations } from "./operations";
import { undocumented } from "./undocumented";

export function kindOf(operation: string): "read" | "write" | undefined {
  return (operations.get(operation) ?? undocumented.get(operation))?.kind;
}
