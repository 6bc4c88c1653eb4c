/** Records for certificates by ACME. */
import { canonicalDomain } from "../names";
import { Making, type BuiltRecord, type NamedOptions } from "./making";

/**
 * Delegates the DNS-01 challenges of a name: a CNAME at `_acme-challenge`, which authorities follow (RFC 8555 §8.4).
 * @param target a whole host name, where the ACME client writes its TXT records
 * @example acmeDelegate("example-com.challenges.example.org")
 */
export function acmeDelegate(target: string, options?: NamedOptions): BuiltRecord {
  const making = new Making("acmeDelegate");
  const { name, ttl } = making.fields(options, ["name", "ttl"]);
  return making.record(
    "CNAME",
    making.below("_acme-challenge", name),
    making.text("target", target) ?? "",
    ttl,
  );
}

export interface AcmePersistArgs extends NamedOptions {
  /** The authority's issuer domain name. */
  readonly issuer: string;
  /** As the ACME client prints it. It contains a hash of account, key and name. */
  readonly accountUri: string;
  /** Allows certificates for wildcards and for all names below, too. */
  readonly wildcard?: boolean;
  /** The end of the permission: seconds since 1970, or a date such as `2027-03-01`, in UTC. */
  readonly persistUntil?: number | string;
}

/**
 * The lasting permission for an ACME account, at `_validation-persist` (draft-ietf-acme-dns-persist-02).
 * @example acmePersist({ issuer: "ca.example", accountUri: "https://ca.example/account-hash/sha-256/5SQm…" })
 */
export function acmePersist(args: AcmePersistArgs): BuiltRecord {
  const making = new Making("acmePersist");
  const fields = ["issuer", "accountUri", "wildcard", "persistUntil", "name", "ttl"];
  const given = making.fields(args, fields);
  const issuer = canonicalDomain(making.text("issuer", given["issuer"]) ?? "ca.example");
  if ("problem" in issuer) making.problem("issuer", issuer.problem);
  const uri = making.text("accountUri", given["accountUri"]);
  // RFC 8659 §4.2: a value has neither blanks nor semicolons.
  if (uri !== undefined && !/^[a-z][a-z0-9+.-]*:[\x21-\x3a\x3c-\x7e]+$/i.test(uri))
    making.unfit("accountUri", uri, "an account's URI", "https://ca.example/account-hash/sha-256/5SQm");
  const until = secondsOf(making, given["persistUntil"]);
  const text = [
    "domain" in issuer ? issuer.domain : "",
    `accounturi=${uri ?? ""}`,
    ...(making.flag("wildcard", given["wildcard"]) === true ? ["policy=wildcard"] : []),
    ...(until === undefined ? [] : [`persistUntil=${until}`]),
  ].join("; ");
  return making.record("TXT", making.below("_validation-persist", given["name"]), text, given["ttl"]);
}

/** Later ones are milliseconds. */
const latest = 99_999_999_999;

function secondsOf(making: Making, given: unknown): number | undefined {
  if (typeof given !== "string") return making.whole("persistUntil", given, 1, latest);
  const time = /^\d{4}-\d\d-\d\d(T.*Z)?$/.test(given) ? Date.parse(given) : NaN;
  if (!Number.isNaN(time)) return Math.floor(time / 1000);
  return making.unfit("persistUntil", given, "a date", '"2027-03-01", or seconds since 1970');
}
