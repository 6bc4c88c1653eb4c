/** Records of example.com as programs declare them, and the problems of wrong ones. */
import { expandSpecs, type ExpandOptions } from "../../provider/dns";
import { problemLine } from "../support/problems";
import { defaultLine } from "./arbitraries";

/** The engine's word for a value that it does not know yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const options: ExpandOptions = { defaultLine, unknown };

export const expand = (
  records: unknown,
  more: Partial<ExpandOptions> = {},
  domains: unknown = "example.com",
) => expandSpecs(domains, records, { ...options, ...more });

export const problemsOf = (...given: Parameters<typeof expand>) => expand(...given).problems.map(problemLine);
