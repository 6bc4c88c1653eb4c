/** `dkim`: the public key for the signatures of a domain's mail (RFC 6376 §3.6.1, RFC 8463). */
import { createPublicKey, type KeyObject } from "node:crypto";
import { reason, type Reason } from "../../problems";
import { kindProblem } from "../record";
import { Making, type NamedOptions, type BuiltRecord } from "./making";

export interface DkimOptions extends NamedOptions {
  /** Default: the key's own. */
  readonly algorithm?: "rsa" | "ed25519";
  /** Asks receivers to ignore the signatures (`t=y`). */
  readonly testing?: boolean;
  /** Excludes addresses of subdomains (`t=s`). */
  readonly strict?: boolean;
}

/** In bits (RFC 8301 §3.2). */
const shortest = 1024;

const none = { algorithm: "rsa", data: "" };

/**
 * A DKIM key at `SELECTOR._domainkey`.
 *
 * @param key the public key: PEM, its base64, or the whole text (`v=DKIM1; …`); `""` revokes the key.
 * @example dkim("mail2026", readFileSync("mail2026.pem", "utf8"))
 */
export function dkim(selector: string, key: string, options?: DkimOptions): BuiltRecord {
  const making = new Making("dkim");
  const fields = ["name", "algorithm", "testing", "strict", "ttl"];
  const { name, algorithm, testing, strict, ttl } = making.fields(options, fields);
  const word = making.text("selector", selector) ?? "selector";
  if (word.includes("_domainkey"))
    making.problem("selector", reason("dkim.selector", { given: JSON.stringify(word) }));
  const owner = making.below(`${word}._domainkey`, name);
  const wanted = making.word("algorithm", algorithm, ["rsa", "ed25519"]);
  const flags = [...(testing === true ? ["y"] : []), ...(strict === true ? ["s"] : [])].join(":");
  const text =
    typeof key === "string" ? key.trim() : making.problem("key", kindProblem(key, "key", "its PEM"));
  if (text === undefined) return making.record("TXT", owner, "", ttl);
  if (/^v=DKIM1\b/i.test(text)) {
    if (text.includes('"')) making.problem("key", reason("dkim.key"));
    return making.record("TXT", owner, text, ttl);
  }
  const found = text === "" ? { ...none, algorithm: wanted ?? "rsa" } : keyOf(making, text, wanted);
  const tags = `v=DKIM1; k=${found.algorithm}; ${flags && `t=${flags}; `}p=${found.data}`;
  return making.record("TXT", owner, tags, ttl);
}

function keyOf(making: Making, text: string, wanted: string | undefined): typeof none {
  const wrong = (why: Reason): typeof none => making.problem("key", why) ?? none;
  if (/PRIVATE KEY/.test(text)) return wrong(reason("dkim.private"));
  const data = text.replace(/-----[^-]*-----/g, "").replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return wrong(reason("dkim.key"));
  const octets = Buffer.from(data, "base64");
  // In DNS, an Ed25519 key has no wrapping (RFC 8463 §4.2).
  if (octets.length === 32 && wanted !== "rsa") return { algorithm: "ed25519", data };
  const parsed = parsedKey(octets);
  if (parsed === undefined) return wrong(reason("dkim.key"));
  const kind = parsed.asymmetricKeyType ?? "unknown";
  if (kind !== "rsa" && kind !== "ed25519") return wrong(reason("dkim.key"));
  if (wanted !== undefined && wanted !== kind) return wrong(reason("dkim.other-kind", { kind, wanted }));
  const bits = parsed.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < shortest) return wrong(reason("dkim.short", { bits, shortest }));
  return { algorithm: kind, data: kind === "rsa" ? data : octets.subarray(-32).toString("base64") };
}

function parsedKey(octets: Buffer): KeyObject | undefined {
  for (const type of ["spki", "pkcs1"] as const) {
    try {
      return createPublicKey({ key: octets, format: "der", type });
    } catch {
      // The key may have the other form.
    }
  }
  return undefined;
}
