/**
 * What only a look-up needs: the wire and the settings. With zod they take more time to load than all the rest of this
 * package, and every run of every program would pay for them.
 */
import type * as Api from "../api";

/* eslint-disable @typescript-eslint/no-require-imports -- an import would load them with the program */

/** The wire, loaded when it is first asked for. */
export const api = (): typeof Api => require("../api") as typeof Api;
