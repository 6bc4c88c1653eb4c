import { documented } from "../../support/service";
import { editing } from "../process";
import type { Law } from "./law";

export const documentedOperations = {
  name: "documented-operations",
  sentence: "Only documented operations are called, unless `undocumentedOperations` allows others.",
  row: "By default, only documented operations are called.",
  *sent(world, { operation }) {
    if (!documented.has(operation) && !(world.watched.full && editing.has(operation)))
      yield `${operation} is not part of the documented interface`;
  },
} as const satisfies Law;
