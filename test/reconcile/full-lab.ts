/** Records and runs of full mode, which several files of tests share. */
import type { Declaration } from "../../provider/reconcile/declaration";
import { fresh, full, type Lab, type startLab } from "../support/lab";

export const www = full(["www 600 A 192.0.2.1"]);
export const other = full(["www 600 A 192.0.2.2"]);
export const short = full(["www 300 A 192.0.2.1"]);
export const two = full(["two 600 A 192.0.2.2"]);
export const both = full(["www 600 A 192.0.2.1", "two 600 A 192.0.2.2"]);
export const bothLines = ["two A 192.0.2.2 600", "www A 192.0.2.1 600"];

export async function run(lab: Lab, ...declarations: readonly Declaration[]) {
  let done = fresh;
  for (const declaration of declarations) {
    lab.admin.clearCalls();
    done = await lab.must(declaration, done);
  }
  return done;
}

export const laggingWith =
  (start: typeof startLab) =>
  (s: number, more: object = {}) =>
    start({ settings: { indexDelay: s } }, { LEGACYDNS_INDEX_DELAY: `${s}`, ...more });
