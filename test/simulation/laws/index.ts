/** The promises that hold despite faults. Each law's `row` is its row of docs/guarantees.md. */
import { alwaysAnswered } from "./always-answered";
import { alwaysEnds } from "./always-ends";
import { changesEffective } from "./changes-effective";
import { createdOnce } from "./created-once";
import { declaredLive } from "./declared-live";
import { declaredOnly } from "./declared-only";
import { declaredStays } from "./declared-stays";
import { destroyCreatedOnly } from "./destroy-created-only";
import { documentedOperations } from "./documented-operations";
import { duplicatesNamed } from "./duplicates-named";
import { fewCalls } from "./few-calls";
import { goalReached } from "./goal-reached";
import { listedNotSent } from "./listed-not-sent";
import { loginStop } from "./login-stop";
import { noneForgotten } from "./none-forgotten";
import { nothingByItself } from "./nothing-by-itself";
import { ownOnly } from "./own-only";
import { protectedStays } from "./protected-stays";
import { quietAtRest } from "./quiet-at-rest";
import { secretsHidden } from "./secrets-hidden";
import { stateTrue } from "./state-true";
import { stuckJobAlone } from "./stuck-job-alone";
import type { Law } from "./law";

const table = [
  createdOnce,
  listedNotSent,
  duplicatesNamed,
  declaredLive,
  goalReached,
  declaredOnly,
  ownOnly,
  protectedStays,
  destroyCreatedOnly,
  stateTrue,
  declaredStays,
  documentedOperations,
  nothingByItself,
  quietAtRest,
  fewCalls,
  loginStop,
  noneForgotten,
  alwaysEnds,
  secretsHidden,
  changesEffective,
  alwaysAnswered,
  stuckJobAlone,
] as const;

export type LawName = (typeof table)[number]["name"];
export const laws: readonly (Law & { readonly name: LawName })[] = table;
