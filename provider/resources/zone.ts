import * as pulumi from "../support/sdk";
import type { ZoneEntry } from "../functions/entries";
import { optionTable } from "../lifecycle/options";
import type { BatchOptions, RecordBatchArgs } from "./inputs";
import { readArguments, withOrigin, type InputNames } from "./arguments";
import { providerType } from "./front-end";
import { defaultLineOf } from "./program";
import { DomainShare, shareInputs, type DomainShareArgs } from "./domain-share";
import { RecordBatch } from "./record-batch";
import { zoneSource } from "./zone-source";

/** The inputs of a `Zone`. */
export interface ZoneArgs extends BatchOptions {
  /** The zone, for example `example.com`. Plain: it decides how the file is read. */
  readonly domain: string;
  /**
   * A zone file (RFC 1035 §5) inside the repository, seen from the program's folder. One of `file`, `text`
   * and `records`.
   */
  readonly file?: string;
  /**
   * The text of a zone file, in place of a file: for a program that does not run in the repository's
   * folder.
   */
  readonly text?: string;
  /** The input `records` of `RecordBatch`. */
  readonly records?: RecordBatchArgs["records"];
  /**
   * Also declares the NS records of the domain itself. By default, those of a zone file are skipped with a
   * note. The service's own NS records are adopted, never changed, and released when they are no longer declared.
   */
  readonly apexNs?: boolean;
  /** Existing shares of the domain, with their mode and scope. */
  readonly shares?: readonly Omit<DomainShareArgs, "domain">[];
}

const inputNames: InputNames<ZoneArgs> = {
  domain: true,
  file: true,
  text: true,
  records: true,
  apexNs: true,
  shares: true,
  ...optionTable,
};

/**
 * A whole domain: its records, from a zone file, a text or specs. In TypeScript it is a component with one `RecordBatch`,
 * and a `DomainShare` for each of its `shares`, `{ email, mode, subDomain?, from? }`. In other languages it is one
 * resource, and shares are declared beside it. Warnings and notes about a file appear in previews and updates
 * with changes.
 */
export class Zone extends pulumi.ComponentResource {
  /** The records as the text of a zone, as of `RecordBatch`. */
  readonly zoneText: pulumi.Output<string>;
  private readonly batch: RecordBatch;

  /** @throws never: problems are shown in the preview, those of a file with file, line and column */
  constructor(name: string, args: ZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super("legacydns:index:Zone", name, {}, opts);
    const label = `Zone ${JSON.stringify(name)}`;
    const { args: given, errors: unknown } = readArguments(args, inputNames);
    const { domain, file, text, records, apexNs, shares, ...options } = given;
    const provider = this.getProvider(providerType());
    const source = zoneSource(
      { domain, file, text, records, apexNs },
      { folder: process.cwd(), defaultLine: defaultLineOf(provider) },
    );
    const child = { parent: this, ...(provider && { provider }) };
    const declared = source.records as RecordBatchArgs["records"];
    const errors = [...unknown, ...source.errors];
    const origin = { label, errors, notes: source.notes, records: source.expansion };
    const inputs = withOrigin({ domains: domain ?? [], records: declared, ...options }, origin);
    this.batch = new RecordBatch(name, inputs, child);
    declareShares({ name, label, domain, child }, [shares ?? []].flat());
    this.zoneText = this.batch.zoneText;
    this.registerOutputs({ zoneText: this.zoneText });
  }

  /** The records as values, as of `RecordBatch`. */
  get entries(): pulumi.Output<readonly ZoneEntry[]> {
    return this.batch.entries;
  }
}

function declareShares(
  { name, label, domain, child }: ZoneOfShares,
  shares: readonly Omit<DomainShareArgs, "domain">[],
): void {
  const names = new Set<string>();
  const { domain: _zone, ...inputNames } = shareInputs;
  for (const [index, share] of shares.entries()) {
    const { args: own, errors } = readArguments<(typeof shares)[number]>(share, inputNames);
    const { email, mode, subDomain, from } = own;
    const of = typeof email === "string" && !names.has(email) ? email : String(index);
    names.add(of);
    const inputs = { domain, email, mode, subDomain, from } as DomainShareArgs;
    const origin = { label: `${label} shares[${index}]`, errors };
    new DomainShare(`${name}-${of}`, withOrigin(inputs, origin), child);
  }
}

interface ZoneOfShares {
  readonly name: string;
  readonly label: string;
  readonly domain: string | undefined;
  readonly child: pulumi.CustomResourceOptions;
}
