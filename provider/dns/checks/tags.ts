/** Lists of tags: DKIM (RFC 6376), DMARC (RFC 7489), MTA-STS (RFC 8461), TLSRPT (RFC 8460). */
import type { MailFault } from "../spf";

export interface TagGrammar {
  readonly version: string;
  readonly versionless?: true;
  readonly needs: readonly string[];
  /** Tag → its legal values. Other tags are legal. */
  readonly values: Readonly<Record<string, (value: string) => boolean>>;
}

type Legal = (value: string) => boolean;

const one =
  (pattern: RegExp): Legal =>
  (value) =>
    pattern.test(value);
const list =
  (separator: string, pattern: RegExp): Legal =>
  (value) =>
    value.split(separator).every((each) => pattern.test(each.trim()));

const policy = one(/^(?:none|quarantine|reject)$/i);
const alignment = one(/^[rs]$/i);
const report = /^(?:mailto:[^\s@!]+@[^\s@!]+|https:\/\/[^\s!]+)(?:!\d+[kmgt]?)?$/i;
const word = /^[a-z][a-z0-9-]*$/i;

export const dmarc: TagGrammar = {
  version: "v=DMARC1",
  needs: ["p"],
  values: {
    p: policy,
    sp: policy,
    np: policy,
    adkim: alignment,
    aspf: alignment,
    psd: one(/^[ynu]$/i),
    t: one(/^[yn]$/i),
    pct: one(/^(?:100|\d{1,2})$/),
    ri: one(/^\d{1,10}$/),
    fo: list(":", /^[01ds]$/i),
    rf: list(":", word),
    rua: list(",", report),
    ruf: list(",", report),
  },
};

export const dkim: TagGrammar = {
  version: "v=DKIM1",
  versionless: true,
  needs: ["p"],
  values: {
    p: one(/^[A-Za-z0-9+/\s]*[=\s]*$/),
    k: one(/^(?:rsa|ed25519)$/i),
    h: list(":", word),
    s: list(":", /^(?:\*|[a-z][a-z0-9-]*)$/i),
    t: list(":", word),
  },
};

export const mtaSts: TagGrammar = {
  version: "v=STSv1",
  needs: ["id"],
  values: { id: one(/^[a-z0-9]{1,32}$/i) },
};

export const tlsReports: TagGrammar = {
  version: "v=TLSRPTv1",
  needs: ["rua"],
  values: { rua: list(",", report) },
};

export function tagFault(
  text: string,
  { version, versionless, needs, values }: TagGrammar,
): MailFault | undefined {
  const specs = text.split(";").map((spec) => spec.trim());
  if (specs.at(-1) === "") specs.pop();
  const hasVersion = specs[0]?.replace(/\s*=\s*/, "=") === version;
  if (!hasVersion && (versionless !== true || specs.some((spec) => /^v\s*=/i.test(spec))))
    return { kind: "missing", part: version };
  const seen = new Set<string>();
  for (const spec of specs) {
    const [, given, value = ""] = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/is.exec(spec) ?? [];
    if (given === undefined) return { kind: "unfit", part: spec };
    const tag = given.toLowerCase();
    if (seen.has(tag)) return { kind: "twice", part: tag };
    seen.add(tag);
    if (values[tag]?.(value) === false) return { kind: "unfit", part: spec };
  }
  const lacks = needs.find((tag) => !seen.has(tag));
  return lacks === undefined ? undefined : { kind: "missing", part: `${lacks}=` };
}
