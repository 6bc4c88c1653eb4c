/**
 * The codes of the service: for each operation api.md's table, then the codes of older editions, then those that every
 * operation can return (service-notes, Common return codes). No module outside these tables knows a code.
 */
import { common, recordWrites } from "./common-codes";
import { documented } from "./documented-codes";
import { absent, say, doubt, OWNER, UNLOCK, domainErrors, type Meaning, type Meanings } from "./meaning";

export { common, loginFailures, recordWrites } from "./common-codes";
export { documented } from "./documented-codes";
export { type About, done, emptyZone, mayBeMissing, type Meanings, unknownError } from "./meaning";

/** Other operations use the code for a domain or a job. Only a listing proves that a record is gone. */
const goneRecord = absent(
  doubt(
    "the record's id is wrong: there is no such record",
    "Run `pulumi refresh`: the record may have been removed in the service's console.",
  ),
);

const shareErrors: Meanings = {
  ...domainErrors,
  "7": say(
    "the e-mail address is wrong, or the caller is not the domain's owner",
    "Check the address; only the main account that owns the domain may share it.",
    "share",
  ),
  "8": say(
    "nobody has an account with this e-mail address",
    "Check the address: it must be the one that the person logs in with.",
    "share",
  ),
  "21": say("the domain is locked", UNLOCK, "domain"),
};

/** The operations outside api.md (service-notes.md). */
export const undocumented = {
  "Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say(
      "the domain or the record is locked",
      `${UNLOCK} A record that was updated more than five times in an hour without a change is locked for an hour.`,
      "record or domain",
    ),
  },
  "Record.Remove": {
    ...domainErrors,
    "7": say("the caller is not the domain's owner", OWNER, "domain"),
    "8": goneRecord,
    "21": say("the domain is locked", UNLOCK, "domain"),
  },
  // Its records may be of several domains.
  "Batch.Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say("the domain is locked", UNLOCK, "record or domain"),
  },
  "Domainshare.Create": {
    ...shareErrors,
    "9": say(
      "the domain is shared with this e-mail already",
      "Run `pulumi refresh`, then `pulumi up`: a share that exists is adopted.",
      "share",
    ),
    "10": say(
      "the package allows no further share of this domain",
      "End another share, or upgrade the domain's package; `pulumi-legacydns limits` shows what it allows.",
      "domain",
    ),
  },
  "Domainshare.List": {
    ...domainErrors,
    "7": absent(say("the domain is shared with nobody", "There is no share of this domain.", "share")),
  },
  "Domainshare.Remove": {
    ...shareErrors,
    "9": absent(
      say("there is no such share", "The domain is not shared with this e-mail any more.", "share"),
    ),
  },
} as const satisfies Readonly<Record<string, Meanings>>;

/** Further codes of single operations, from older editions. */
export const older: Readonly<Record<string, Meanings>> = {
  "Batch.Record.Create": recordWrites,
  "Domainshare.Modify": {
    "9": absent(
      say(
        "there is no such share",
        "Share the domain with this e-mail in the service's console first.",
        "share",
      ),
    ),
  },
  "Monitor.Gethistory": {
    "6": say("the monitor ID is wrong", "Check the monitor's id in the service's console."),
  },
};

const tables: readonly Readonly<Record<string, Meanings>>[] = [documented, undocumented, older];

/** The meaning of a code that an operation returns. */
export function meaningOf(operation: string, code: string): Meaning {
  const found = knownMeaning(operation, code);
  return (
    found ?? {
      ...doubt(
        "the service answered with a code that is not documented",
        "Ask the service's support what it means.",
      ),
      undocumented: true,
    }
  );
}

/** The meaning of a code for one operation. Undefined if no source names the code. */
export function knownMeaning(operation: string, code: string): Meaning | undefined {
  for (const table of [...tables.map((each) => each[operation] ?? {}), common])
    if (Object.hasOwn(table, code)) return table[code];
  return undefined;
}
