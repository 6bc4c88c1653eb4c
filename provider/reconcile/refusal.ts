/** What cannot be done, before anything was written: the reasons say everything. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join("\n"));
  }
}
