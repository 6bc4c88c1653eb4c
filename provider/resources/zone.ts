/** `Zone`: a whole domain, from a file in the repository or from specs, with its shares. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { canonicalDomain, recordsToState } from "../dns";
import type { RecordBatchArgs, RemovalOptions, UndeclaredOptions } from "../lifecycle/inputs";
import { loadZoneFile } from "../zone-source";
import { defaultLineOf } from "./declared";
import { DomainShare, type DomainShareArgs } from "./domain-share";
import { RecordBatch } from "./record-batch";

export interface ZoneArgs extends RemovalOptions, UndeclaredOptions {
  /** The zone, for example `example.com`. Plain: it decides how the file is read. */
  readonly domain: string;
  /**
   * A zone file inside the repository, seen from the program's folder: YAML by `.yaml` or `.yml`, else a master file
   * (RFC 1035 §5). Either this or `records`.
   */
  readonly file?: string;
  /** As of `RecordBatch`. */
  readonly records?: RecordBatchArgs["records"];
  /** Declares the NS records of the domain itself, too; otherwise a zone file's are skipped with a note. */
  readonly apexNs?: boolean;
  /** Shares of the domain that exist, with the mode and scope they are to have. */
  readonly shares?: readonly Omit<DomainShareArgs, "domain">[];
}

/**
 * A domain as one resource: its records are one `RecordBatch`, its shares are `DomainShare`s, both its children.
 *
 * @example
 * new Zone("example.com", { domain: "example.com", file: "zones/example.com.zone" });
 */
export class Zone extends pulumi.ComponentResource {
  /** From canonical text to TTL. */
  readonly records: pulumi.Output<{ readonly [text: string]: number | string }>;

  /**
   * @param name the resource's name in the program; the children are named after it.
   * @throws never: problems are shown in the preview, all at once, those of a file with file, line and column.
   */
  constructor(name: string, args: ZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super("legacydns:index:Zone", name, {}, opts);
    // A program in plain JavaScript may pass anything: that is a problem to show, not to throw.
    const { domain, file, records, shares: given, apexNs, ...options } = (args as Partial<ZoneArgs> | null | undefined) ?? {};
    const shares = Array.isArray(given) ? given.filter((share) => typeof share === "object" && share !== null) : [];
    const source = sourceOf(domain, file, records, apexNs);
    for (const note of source.notes) pulumi.log.info(`Zone ${JSON.stringify(name)}: ${note}`, this).catch(() => undefined);
    const { provider } = opts ?? {};
    const child: pulumi.CustomResourceOptions = { parent: this, ...(provider === undefined ? {} : { provider }) };
    const wrongShares = given !== undefined && (!Array.isArray(given) || shares.length < given.length);
    const errors = wrongShares ? [...source.errors, "shares: write a list of { email, mode, subDomain?, from? }"] : source.errors;
    const origin = { label: `Zone ${JSON.stringify(name)}`, errors };
    const batch = new RecordBatch(name, { domains: domain ?? [], records: source.records, ...options }, child, origin);
    for (const share of shares) {
      const of = typeof share.email === "string" ? share.email : String(shares.indexOf(share));
      new DomainShare(`${name}-${of}`, { domain, ...share }, child);
    }
    this.records = batch.records;
    this.registerOutputs({ records: this.records });
  }
}

interface Source {
  readonly records: RecordBatchArgs["records"];
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}

function sourceOf(
  domain: unknown,
  file: unknown,
  records: RecordBatchArgs["records"] | undefined,
  apexNs: boolean | undefined,
): Source {
  if (file !== undefined && records !== undefined) {
    return { records: [], errors: ["file, records: one of the two declares the zone; take the other out"], notes: [] };
  }
  if (records !== undefined) return { records, errors: [], notes: [] };
  if (file === undefined) {
    return { records: [], errors: ['file: name a zone file, such as "zones/example.com.zone", or declare `records`'], notes: [] };
  }
  if (typeof file !== "string") return { records: [], errors: ["file: write the path of a zone file as plain text"], notes: [] };
  if (typeof domain !== "string") {
    return { records: [], errors: ["domain: write the domain as plain text: it decides how the file is read"], notes: [] };
  }
  const canonical = canonicalDomain(domain);
  // The batch says what is wrong with the domain; without one the file cannot be read.
  if ("problem" in canonical) return { records: [], errors: [], notes: [] };
  const read = loadZoneFile(resolve(file), {
    domain: canonical.domain,
    root: repositoryRoot(process.cwd()),
    defaultLine: defaultLineOf(),
    ...(apexNs === undefined ? {} : { apexNs }),
  });
  const errors = read.problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const warnings = read.problems.filter(({ severity }) => severity === "warning").map(({ message }) => message);
  // One text, as a batch keeps it: no object per record travels to the engine.
  const state: Record<string, number | "default"> = {};
  for (const [text, ttl] of Object.entries(recordsToState(read.records))) state[text] = typeof ttl === "number" ? ttl : "default";
  return { records: errors.length > 0 ? [] : state, errors, notes: [...warnings, ...read.notes] };
}

/** The nearest folder upwards that holds a repository; outside of one, the program's own. */
function repositoryRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return from;
  }
}
