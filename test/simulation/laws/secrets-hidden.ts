import { secretMark } from "../program";
import type { Law } from "./law";

export const secretsHidden = {
  name: "secrets-hidden",
  sentence: "No message, id, ledger or zone text has a secret value.",
  row: "Secret values never appear in messages or in plain state.",
  *said(_world, { process, level, text }) {
    if (text.includes(secretMark)) yield `${level} of ${process.name}: ${text}`;
  },
  *ended(_world, { state }) {
    for (const { id, type, inputs, outputs } of state) {
      const zone = type === "RecordBatch" ? [inputs["records"], outputs["records"]] : [];
      const plain = [id, outputs["__ledger"], ...zone].flatMap((each) => String(each).split("\n"));
      if (plain.some((line) => line.includes(secretMark))) yield `the state of ${id} has a secret value`;
    }
  },
} as const satisfies Law;
