/** The zone checks by code. A record type names the checks of its records. */
import { checkCodes, type CheckCode } from "../../problems";
import { recordTypes, typeOf } from "../types";
import { mailChecks } from "./mail";
import { nameChecks } from "./names";
import { spfChecks } from "./spf";
import { targetChecks } from "./targets";
import { valueChecks } from "./values";
import type { Checks } from "./view";

export const table: Checks = { ...targetChecks, ...nameChecks, ...valueChecks, ...mailChecks, ...spfChecks };

const ofTypes: ReadonlySet<CheckCode> = new Set(recordTypes.flatMap(({ checks }) => checks));

export const commonChecks: readonly CheckCode[] = checkCodes.filter((code) => !ofTypes.has(code));

export function codesOf(type: string): readonly CheckCode[] {
  return [...(typeOf(type)?.checks ?? []), ...commonChecks];
}
