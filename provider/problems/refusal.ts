import { textOf, type Reason } from "./index";

/** What cannot be done, before anything was written: the reasons say everything. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reasons: readonly string[];

  constructor(reasons: readonly (Reason | string)[]) {
    const texts = reasons.map((each) => (typeof each === "string" ? each : textOf(each)));
    super(texts.join("\n"));
    this.reasons = texts;
  }
}
