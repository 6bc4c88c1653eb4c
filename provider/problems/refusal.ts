import { renderAll, type Reason } from "./index";

export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(readonly causes: readonly Reason[]) {
    super(renderAll(causes).join("\n"));
  }
}
