/** A service that stores values of some types in forms of its own. */
import { fullService } from "../support/lab";

const ownForms = [
  { type: "显性URL", form: "lower" },
  { type: "隐性URL", form: "escaped" },
  { type: "TXT", form: "lower" },
] as const;
export const service = { settings: { ...fullService.settings, ownForms: [...ownForms] } };
