import type { Clock } from "../../../support/clock";
import { DeclaredRecords } from "./declared";
import { OwnedRecords } from "./owned";
import { SecretRecords } from "./secret";

/** The records of all resources of one run. */
export interface Siblings {
  readonly declared: DeclaredRecords;
  readonly owned: OwnedRecords;
  readonly secrets: SecretRecords;
}

export function newSiblings(clock: Clock): Siblings {
  const declared = new DeclaredRecords(clock);
  const secrets = new SecretRecords(declared);
  return { declared, secrets, owned: new OwnedRecords(declared, secrets) };
}
