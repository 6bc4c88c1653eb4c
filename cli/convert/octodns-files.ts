/**
 * The files of octoDNS's zones, found by the rules of its YamlProvider 1.18. A zone's files are
 * `example.com.yaml` in a folder, the files of a split folder `example.com.`, and a file that all zones
 * share. A file whose zone is not certain is refused.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { groupBy } from "../../provider/support/collections";
import type { Conversion } from "./conversion";

/** Settings of octoDNS's YamlProvider, under its names. */
export interface FolderOptions {
  /** The end of a split folder's name, with the dot. */
  readonly splitExtension?: string;
  readonly sharedFilename?: string;
}

interface ZoneFile {
  readonly file: string;
  readonly zone: string;
  /** octoDNS's `directory`. */
  readonly folder: string;
}

const ending = ".yaml";
const usualExtension = ".";

/**
 * @param paths files, split folders, and values of octoDNS's `directory`
 * @returns canonical domain → its files, in octoDNS's reading order
 */
export function octodnsFiles(
  paths: readonly string[],
  options: FolderOptions,
  conversion: Conversion,
): Map<string, string[]> {
  const finder = new Finder(options, conversion);
  const found = paths.flatMap((path) => [...finder.find(path)]);
  const zones = groupBy(found, ({ zone, file }) => conversion.zone(zone, file));
  const files = [...zones].flatMap(([domain, own]) =>
    domain === undefined ? [] : [[domain, filesOf(own, options, conversion)] as const],
  );
  finder.noteUnnamed(found);
  return new Map(files);
}

function filesOf(
  own: readonly ZoneFile[],
  { sharedFilename }: FolderOptions,
  conversion: Conversion,
): string[] {
  const other = own.find(({ zone }) => zone !== own[0]?.zone);
  if (other !== undefined)
    conversion.error(
      other.file,
      `octoDNS refuses the zone ${other.zone}, since another file calls it ${own[0]?.zone ?? ""}`,
    );
  const shared = sharedFilename === undefined ? [] : own.map(({ folder }) => join(folder, sharedFilename));
  return [...new Set([...own.map(({ file }) => file), ...shared])].sort();
}

class Finder {
  constructor(
    private readonly options: FolderOptions,
    private readonly conversion: Conversion,
  ) {}

  *find(path: string): Generator<ZoneFile> {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) this.conversion.error(path, "there is no such file");
    else if (!status.isDirectory()) yield* this.ofFile(path);
    else if (this.splitZone(path) === undefined) yield* this.inFolder(path);
    else yield* this.inSplitFolder(path);
  }

  /** The zone of a split folder; undefined for any other folder. */
  private splitZone(folder: string): string | undefined {
    const { splitExtension = usualExtension } = this.options;
    const name = basename(resolve(folder));
    const zone = name.endsWith(splitExtension) ? name.slice(0, -splitExtension.length) : "";
    return zone.includes(".") ? zone : undefined;
  }

  private *ofFile(file: string): Generator<ZoneFile> {
    const { conversion, options } = this;
    const [name, folder] = [basename(file), dirname(file)];
    const [split, zone] = [this.splitZone(folder), zoneOfName(name)];
    const at = basename(resolve(folder));
    if (!name.endsWith(ending)) conversion.error(file, `octoDNS reads files that end in ${ending} alone`);
    else if (name === options.sharedFilename) return;
    else if (split !== undefined) yield { file, zone: split, folder: join(folder, "..") };
    else if (options.splitExtension === undefined && at.slice(1).includes("."))
      conversion.error(
        file,
        `the zone is not certain, since the folder ${at} may be that of one zone: name the folder, or give --split-extension`,
      );
    else if (zone !== undefined) yield { file, zone, folder };
    else
      conversion.error(
        file,
        "the zone is not certain: the file is not ZONE.yaml, and not in a folder of --split-extension",
      );
  }

  private *inSplitFolder(folder: string): Generator<ZoneFile> {
    const files = yamlFiles(folder);
    if (files.length === 0) this.conversion.error(folder, `no file that ends in ${ending} is in this folder`);
    for (const file of files) yield { file, zone: this.splitZone(folder) ?? "", folder: join(folder, "..") };
  }

  private *inFolder(folder: string): Generator<ZoneFile> {
    const { conversion, options } = this;
    const split = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && this.splitZone(entry.name) !== undefined)
      .map(({ name }) => join(folder, name));
    for (const path of split)
      if (options.splitExtension !== undefined) yield* this.inSplitFolder(path);
      else
        conversion.error(
          path,
          "octoDNS reads this folder if its split_extension is set: give --split-extension, or name the files",
        );
    let zones = split.length;
    for (const file of yamlFiles(folder)) {
      const zone = zoneOfName(basename(file));
      if (zone !== undefined) {
        zones += 1;
        yield { file, zone, folder };
      } else if (basename(file) !== options.sharedFilename)
        conversion.note(file, "not read, since it is not a zone of octoDNS; see --shared-filename");
    }
    if (zones === 0) conversion.error(folder, "no zone of octoDNS is in this folder");
  }

  /** Notes files that octoDNS may read for the same zones, but that were not named. */
  noteUnnamed(found: readonly ZoneFile[]): void {
    const { splitExtension = usualExtension } = this.options;
    const named = new Set(found.map(({ file }) => resolve(file)));
    const zones = groupBy(found, ({ folder, zone }) => join(folder, zone));
    for (const [path, [first]] of zones) {
      const split = `${path}${splitExtension}`;
      for (const file of [`${path}${ending}`, ...(existsSync(split) ? yamlFiles(split) : [])])
        if (existsSync(file) && !named.has(resolve(file)))
          this.conversion.note(file, `not named, so the records of ${first?.zone ?? ""} in it are left out`);
    }
  }
}

/** The zone of a file `example.com.yaml`; undefined if octoDNS does not read the name as a zone. */
function zoneOfName(name: string): string | undefined {
  const zone = name.slice(0, -ending.length);
  return zone.includes(".") && /^[^$*.]/.test(zone) ? zone : undefined;
}

/** The files that octoDNS reads in a folder, hidden ones included. */
function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(ending))
    .map(({ name }) => join(folder, name))
    .sort();
}
