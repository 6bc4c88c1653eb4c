import { secretMark } from "../program";
import { hasLostSecret } from "../ownership";
import type { Law } from "./law";

export const secretsHidden = {
  name: "secrets-hidden",
  sentence: "No message, id, ledger or zone text has a secret value.",
  row: "Secret values never appear in messages or in plain state.",
  *said(_world, { process, level, text }) {
    if (text.includes(secretMark)) yield `${level} of ${process.name}: ${text}`;
  },
  *ended(world, { process, state }) {
    for (const { id, type, inputs, outputs } of state) {
      const zone = type === "RecordBatch" ? [inputs["records"], outputs["records"]] : [];
      const plain = [id, outputs["__ledger"], ...zone].flatMap((each) => String(each).split("\n"));
      const lines = plain.filter((line) => line.includes(secretMark));
      const isLost = lines.every((line) => line.endsWith("; not declared")) && hasLostSecret(world, process);
      if (lines.length > 0 && !(isLost && world.excused("lost journal")))
        yield `the state of ${id} has a secret value`;
    }
  },
} as const satisfies Law;
