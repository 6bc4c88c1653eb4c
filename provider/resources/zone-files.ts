/**
 * Zone files on disk, with their included files. A program may run for a stranger's pull request, so
 * nothing outside of the repository is read.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Included, SourcePosition, ZoneFileResult } from "../dns/zone-file";
import { readZoneFile } from "../dns/zone-file/read";
import { defined } from "../support/defined";
import { about, isError, reason, type Fault, type Reason } from "../problems";

export interface ZoneSourceOptions {
  readonly domain: string;
  readonly root: string;
  readonly folder?: string;
  readonly defaultLine: string;
  readonly apexNs?: boolean;
  readonly mostListed?: number;
  /** Octets of all files (default: 32 MiB). */
  readonly maxBytes?: number;
}

export function loadZoneFile(path: string, options: ZoneSourceOptions): ZoneFileResult {
  const { apexNs, defaultLine, domain, mostListed } = options;
  const shelf = new Shelf(options);
  const found = shelf.open(path, options.folder ?? options.root);
  if ("problem" in found) return failed(path, found.problem);
  const { file, text } = found;
  const include = (name: string, from: SourcePosition): Included =>
    shelf.open(name, dirname(resolve(shelf.root, from.file)));
  const read = { file, domain, defaultLine, include, ...defined({ apexNs, mostListed }) };
  return notEmpty(readZoneFile(text, read), path);
}

/** A file that a script has emptied, or cut off after its SOA record, must not empty the zone. */
export function notEmpty(result: ZoneFileResult, file: string): ZoneFileResult {
  if (result.records.length > 0 || result.problems.some(isError)) return result;
  const empty = failed(file, reason("file.empty", { file }));
  return { ...result, problems: [...result.problems, ...empty.problems] };
}

/**
 * The folder above which no file is read: the higher one of the nearest folder with `.git` and the nearest
 * with a Pulumi project. Without both, the given folder.
 */
export function repositoryRoot(from: string): string {
  const repository = nearestWith([".git"], from) ?? from;
  // `main` of a project may name a folder below it as the program's.
  const project = projectFolder(from) ?? from;
  return project.length < repository.length ? project : repository;
}

/** The folder of the project that the engine finds: the given one, or above it. */
export function projectFolder(from: string): string | undefined {
  return nearestWith(["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"], from);
}

function nearestWith(marks: readonly string[], from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function failed(file: string, why: Reason): ZoneFileResult {
  return { records: [], problems: [{ ...why, path: "", position: { file, line: 1, column: 1 } }], notes: [] };
}

class Shelf {
  readonly root: string;
  private readonly folder: string | undefined;
  private left: number;
  private readonly most: number;

  constructor({
    root,
    folder,
    maxBytes = 32 * 1024 * 1024,
  }: Omit<ZoneSourceOptions, "domain" | "defaultLine">) {
    this.root = realpath(root) ?? resolve(root);
    this.folder = folder;
    this.left = this.most = maxBytes;
  }

  open(path: string, from: string): Included {
    if (path.includes("\0"))
      return { problem: reason("file.unreadable", { path: "a path with an octet 0", code: "EINVAL" }) };
    const wanted = resolve(realpath(from) ?? from, path);
    const real = realpath(wanted);
    // The same answer for existing and missing files outside.
    const isOutside = real === undefined ? !this.holds(wanted) || this.leadsOut(wanted) : !this.holds(real);
    if (isOutside || this.isHidden(real ?? wanted))
      return { problem: reason("path.refused", { path, root: this.root }) };
    if (real === undefined) {
      const beginning = from === this.folder ? "the program's folder" : this.label(realpath(from) ?? from);
      return { problem: reason("path.missing", { path, from: beginning }) };
    }
    return this.read(path, real);
  }

  /** Whether a missing file is outside, or behind a broken link. */
  private leadsOut(wanted: string): boolean {
    for (let at = wanted; ; at = dirname(at)) {
      const real = realpath(at);
      if (real !== undefined) return !this.holds(real);
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) return true;
    }
  }

  private read(path: string, real: string): Included {
    let descriptor: number | undefined;
    try {
      // O_NONBLOCK, because opening a named pipe would never end.
      descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const status = fstatSync(descriptor);
      if (!status.isFile()) return { problem: reason("file.unreadable", { path, code: "no regular file" }) };
      if (status.size > this.left) {
        return { problem: reason("file.large", { path, size: status.size, most: this.most }) };
      }
      this.left -= status.size;
      const text = decode(readFileSync(descriptor));
      return typeof text === "string"
        ? { file: this.label(real), text }
        : { problem: about(path, text.problem) };
    } catch (error) {
      return { problem: reason("file.unreadable", { path, code: codeOf(error) }) };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  private holds(path: string): boolean {
    const way = relative(this.root, path);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }

  /** Hidden files such as `.env` may contain secrets. The program itself may be in a hidden folder. */
  private isHidden(path: string): boolean {
    return relative(realpath(this.folder ?? this.root) ?? this.root, path)
      .split(sep)
      .some((part) => part.startsWith(".") && part !== "..");
  }

  private label(path: string): string {
    const way = relative(this.root, path);
    return way === "" ? "the root" : way.split(sep).join("/");
  }
}

function realpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function decode(octets: Buffer): string | Fault {
  if ((octets[0] === 0xff && octets[1] === 0xfe) || (octets[0] === 0xfe && octets[1] === 0xff))
    return { problem: reason("file.utf8", { line: 1 }) };
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
  } catch {
    const [before = ""] = octets.toString("utf8").split("\ufffd", 1);
    return { problem: reason("file.utf8", { line: before.split("\n").length }) };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
