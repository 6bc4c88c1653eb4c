import { zoneEntries, type ZoneEntry } from "../lifecycle/inputs";
import type { Lookup } from "./lookup";

export interface GetEntriesArgs {
  /** The domains of the text: the output `domains` of a `RecordBatch`, or `domain` of a `Zone`. */
  readonly domains: readonly string[];
  /** The output `zoneText`. */
  readonly zoneText: string;
  /** The output `secrets`. If it is missing, secret records are omitted. */
  readonly secrets?: string | undefined;
}

export interface GetEntriesResult {
  /** The records, in the order of the text. */
  readonly entries: readonly ZoneEntry[];
}

/** The records of a `RecordBatch` or a `Zone` as values, from its outputs. It makes no call. */
export const getEntries: Lookup<GetEntriesResult> = {
  name: "getEntries",
  arguments: ["domains", "zoneText", "secrets"],
  question: (args) => {
    const request = {
      domains: args.texts("domains"),
      zoneText: args.requiredText("zoneText"),
      secrets: args.text("secrets"),
    };
    return {
      request,
      ask: () =>
        Promise.resolve({ entries: zoneEntries(request.domains, request.zoneText, request.secrets) }),
    };
  },
};
