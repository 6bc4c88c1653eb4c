import { renderAll, type Reason } from "./index";

export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(readonly causes: readonly Reason[]) {
    super(renderAll(causes).join("\n"));
  }
}

/** @throws Refusal if there are reasons */
export function refuse(reasons: readonly Reason[]): void {
  if (reasons.length > 0) throw new Refusal(reasons);
}
