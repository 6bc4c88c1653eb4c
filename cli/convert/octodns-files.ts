/**
 * The files of octoDNS's zones, found by the rules of its YamlProvider 1.18. A zone's files are
 * `example.com.yaml` in a folder, the files of a split folder `example.com.`, and a file that all zones
 * share. A file whose zone is not certain is refused.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { canonicalDomain } from "../../provider/dns";
import { textOf } from "../../provider/problems";
import type { Conversion } from "./conversion";

/** Settings of octoDNS's YamlProvider, under its names. */
export interface FolderOptions {
  /** `split_extension`: the end of a split folder's name, with the dot. */
  readonly splitExtension: string | undefined;
  /** `shared_filename` */
  readonly sharedFilename: string | undefined;
}

/** A zone and its files, in octoDNS's reading order. */
export interface ZoneFiles {
  /** In canonical form. */
  readonly domain: string;
  readonly files: readonly string[];
}

const ending = ".yaml";
const usualExtension = ".";

/** The zones of files and folders. @param paths files, split folders, and values of octoDNS's `directory` */
export function octodnsFiles(
  paths: readonly string[],
  options: FolderOptions,
  conversion: Conversion,
): ZoneFiles[] {
  const finder = new Finder(options, conversion);
  for (const path of paths) finder.add(path);
  return finder.found();
}

class Finder {
  /** Canonical domain → its files, and the zone's name in them. */
  private readonly zones = new Map<string, { readonly written: string; readonly files: Set<string> }>();
  /** octoDNS's `directory` → the zones in it. */
  private readonly folders = new Map<string, Set<string>>();

  constructor(
    private readonly options: FolderOptions,
    private readonly conversion: Conversion,
  ) {}

  add(path: string): void {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) this.conversion.fileError(path, "there is no such file");
    else if (!status.isDirectory()) this.addFile(path);
    else if (this.splitZone(path) !== undefined) this.addSplitFolder(path);
    else this.addFolder(path);
  }

  found(): ZoneFiles[] {
    const zones = [...this.zones].map(([domain, { files }]) => ({ domain, files: [...files].sort(compare) }));
    this.noteUnnamed();
    return zones;
  }

  /** The zone of a split folder; undefined for any other folder. */
  private splitZone(folder: string): string | undefined {
    const { splitExtension = usualExtension } = this.options;
    const name = basename(resolve(folder));
    const zone = name.endsWith(splitExtension) ? name.slice(0, name.length - splitExtension.length) : "";
    return zone.includes(".") ? zone : undefined;
  }

  private addFile(file: string): void {
    const { conversion, options } = this;
    const [name, folder] = [basename(file), dirname(file)];
    if (!name.endsWith(ending))
      return void conversion.fileError(file, `octoDNS reads files that end in ${ending} alone`);
    if (name === options.sharedFilename) return;
    const split = this.splitZone(folder);
    if (split !== undefined) return this.put(split, file, join(folder, ".."));
    const at = basename(resolve(folder));
    if (options.splitExtension === undefined && at.slice(1).includes("."))
      return void conversion.fileError(
        file,
        `the zone is not certain, since the folder ${at} may be that of one zone: name the folder if octoDNS has it as its directory, or give octoDNS's split_extension with --split-extension`,
      );
    const zone = zoneOfName(name);
    if (zone === undefined)
      return void conversion.fileError(
        file,
        "the zone is not certain: octoDNS has the files of a zone as ZONE.yaml, or in a folder that its split_extension names (--split-extension)",
      );
    this.put(zone, file, folder);
  }

  private addSplitFolder(folder: string): void {
    const zone = this.splitZone(folder) ?? "";
    const files = yamlFiles(folder);
    if (files.length === 0)
      this.conversion.fileError(folder, `no file that ends in ${ending} is in this folder`);
    for (const name of files) this.put(zone, join(folder, name), join(folder, ".."));
  }

  /** octoDNS's `directory`: every zone in it. */
  private addFolder(folder: string): void {
    const { conversion, options } = this;
    const split = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && this.splitZone(entry.name) !== undefined,
    );
    const names = yamlFiles(folder);
    const zoneNames = names.filter((name) => zoneOfName(name) !== undefined);
    for (const { name } of split) {
      const path = join(folder, name);
      if (options.splitExtension !== undefined) this.addSplitFolder(path);
      else
        conversion.fileError(
          path,
          "octoDNS reads this folder if its split_extension is set: give that with --split-extension, or name the files",
        );
    }
    for (const name of zoneNames) this.put(zoneOfName(name) ?? "", join(folder, name), folder);
    for (const name of names)
      if (!zoneNames.includes(name) && name !== options.sharedFilename)
        conversion.fileNote(
          folder,
          join(folder, name),
          "not read, since octoDNS takes it for no zone; --shared-filename names a file that all zones share",
        );
    if (split.length === 0 && zoneNames.length === 0)
      conversion.fileError(folder, "no zone of octoDNS is in this folder");
  }

  /** @param folder octoDNS's `directory` */
  private put(written: string, file: string, folder: string): void {
    const { conversion, options, zones } = this;
    const found = canonicalDomain(written);
    if ("problem" in found) return void conversion.fileError(file, textOf(found.problem));
    const { domain } = found;
    const zone = zones.get(domain) ?? { written, files: new Set<string>() };
    if (zone.written !== written)
      conversion.fileError(
        file,
        `its zone ${written} is that of another file, which calls it ${zone.written}; octoDNS refuses both together`,
      );
    if (!zones.has(domain)) {
      zones.set(domain, zone);
      conversion.zones.set(domain, []);
    }
    zone.files.add(file);
    this.folders.set(folder, (this.folders.get(folder) ?? new Set()).add(domain));
    if (options.sharedFilename !== undefined) zone.files.add(join(folder, options.sharedFilename));
  }

  /** Notes files that octoDNS may read for the same zones, but that were not named. */
  private noteUnnamed(): void {
    const { splitExtension = usualExtension } = this.options;
    const named = new Set(
      [...this.zones.values()].flatMap(({ files }) => [...files].map((file) => resolve(file))),
    );
    for (const [folder, domains] of this.folders)
      for (const domain of domains) {
        const written = this.zones.get(domain)?.written ?? domain;
        const split = join(folder, `${written}${splitExtension}`);
        const files = existsSync(split) ? yamlFiles(split).map((name) => join(split, name)) : [];
        for (const file of [join(folder, `${written}${ending}`), ...files])
          if (existsSync(file) && !named.has(resolve(file)))
            this.conversion.fileNote(
              folder,
              file,
              `not named, so the records of ${domain} in it are left out`,
            );
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
    .map(({ name }) => name)
    .sort(compare);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
