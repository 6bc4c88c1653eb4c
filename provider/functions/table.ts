/** Every look-up, for the native plugin. */
import "./domains";
import "./entries";
import "./jobs";
import "./records";

export { ArgumentReader, problemsOf } from "./arguments";
export { failedCall } from "./failure";
export { lookUps } from "./lookup";
