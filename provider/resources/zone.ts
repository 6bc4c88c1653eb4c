/** `Zone`: a whole domain, from a file in the repository or from specs, with its shares. */
import * as pulumi from "../support/sdk";
import type {
  CheckOptions,
  RecordBatchArgs,
  RemovalOptions,
  UndeclaredOptions,
  ZoneEntry,
} from "../lifecycle/inputs";
import { zoneSource } from "../lifecycle/zone-source";
import { reason } from "../problems";
import { readArguments, type InputNames } from "./arguments";
import { defaultLineOf, providerOf } from "./program";
import { DomainShare, shareInputs, type DomainShareArgs } from "./domain-share";
import { withOrigin } from "./origin";
import { RecordBatch } from "./record-batch";

/** The inputs of a `Zone`. */
export interface ZoneArgs extends RemovalOptions, UndeclaredOptions, CheckOptions {
  /** The zone, for example `example.com`. Plain: it decides how the file is read. */
  readonly domain: string;
  /**
   * A zone file inside the repository, seen from the program's folder: YAML by `.yaml` or `.yml`, else a
   * master file (RFC 1035 §5). One of `file`, `text` and `records`.
   */
  readonly file?: string;
  /**
   * The text of a master file, in place of a file: for a program that does not run in the repository's
   * folder.
   */
  readonly text?: string;
  /** The input `records` of `RecordBatch`. */
  readonly records?: RecordBatchArgs["records"];
  /**
   * Also declares the NS records of the domain itself. By default, those of a zone file are skipped with a
   * note.
   */
  readonly apexNs?: boolean;
  /** Existing shares of the domain, with their mode and scope. */
  readonly shares?: readonly Omit<DomainShareArgs, "domain">[];
}

const inputNames: InputNames<ZoneArgs> = {
  ...{ domain: true, file: true, text: true, records: true, apexNs: true, shares: true },
  ...{ removal: true, adopt: true, undeclared: true, ignore: true, checks: true },
};

/**
 * A whole domain: its records, from a zone file, a text or specs.
 *
 * @remarks In a program in TypeScript it is a component with children: one `RecordBatch`, and a `DomainShare` for each of its
 * `shares`. In other languages it is one resource, and shares are declared beside it.
 * @example
 * new Zone("example.com", { domain: "example.com", file: "zones/example.com.zone" });
 */
export class Zone extends pulumi.ComponentResource {
  /** The records as the text of a zone, as of `RecordBatch`. */
  readonly zoneText: pulumi.Output<string>;
  private readonly batch: RecordBatch;

  /**
   * Declares a whole domain, from a zone file, YAML, a text or specs.
   *
   * @example
   * new Zone("example.com", { domain: "example.com", file: "zones/example.com.zone" });
   *
   * @param name the resource's name in the program; the children are named after it.
   * @param args the domain, and one of `file`, `text` and `records`.
   * @throws never: problems are shown in the preview, all at once, those of a file with file, line and column.
   */
  constructor(name: string, args: ZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super("legacydns:index:Zone", name, {}, opts);
    const label = `Zone ${JSON.stringify(name)}`;
    const { args: given, errors: unknown } = readArguments(args, inputNames);
    const { domain, file, text, records, apexNs, shares, removal, adopt, undeclared, ignore, checks } = given;
    const provider = providerOf(this);
    const source = zoneSource(
      { domain, file, text, records, apexNs },
      { folder: process.cwd(), defaultLine: defaultLineOf(provider) },
    );
    const child: pulumi.CustomResourceOptions = {
      parent: this,
      ...(provider === undefined ? {} : { provider }),
    };
    const noList =
      shares === undefined || Array.isArray(shares) ? [] : [{ ...reason("shares.unfit"), path: "shares" }];
    const origin = {
      label,
      errors: [...unknown, ...source.errors, ...noList],
      notes: source.notes,
      records: source.expansion,
    };
    const batch = new RecordBatch(
      name,
      withOrigin(
        {
          domains: domain ?? [],
          records: source.records as RecordBatchArgs["records"],
          removal,
          adopt,
          undeclared,
          ignore,
          checks,
        },
        origin,
      ),
      child,
    );
    declareShares({ name, label, domain, child }, Array.isArray(shares) ? shares : []);
    this.batch = batch;
    this.zoneText = batch.zoneText;
    this.registerOutputs({ zoneText: this.zoneText });
  }

  /** The records as values, as of `RecordBatch`. */
  get entries(): pulumi.Output<readonly ZoneEntry[]> {
    return this.batch.entries;
  }
}

/** Declares the shares of a zone as its children. */
function declareShares(
  { name, label, domain, child }: ZoneOfShares,
  shares: readonly Omit<DomainShareArgs, "domain">[],
): void {
  const names = new Set<string>();
  for (const [index, share] of shares.entries()) {
    const { args: own, errors } = readArguments<DomainShareArgs>(share, shareInputs);
    const { domain: another, email, mode, subDomain, from } = own;
    if (another !== undefined) errors.push({ ...reason("share.of-zone"), path: "domain" });
    const of = typeof email === "string" && !names.has(email) ? email : String(index);
    names.add(of);
    // The share itself reports missing inputs.
    const inputs = { domain, email, mode, subDomain, from } as DomainShareArgs;
    new DomainShare(
      `${name}-${of}`,
      withOrigin(inputs, { label: `${label} shares[${index}]`, errors }),
      child,
    );
  }
}

interface ZoneOfShares {
  readonly name: string;
  /** The zone's name in messages. */
  readonly label: string;
  readonly domain: string | undefined;
  /** The options of a child. */
  readonly child: pulumi.CustomResourceOptions;
}
