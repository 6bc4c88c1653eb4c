/**
 * A program of this folder, loaded with what V8 made of it the last time: compiling a megabyte takes longer than all that
 * a run without changes does with it. What is kept is code alone, in the user's own cache folder; where it does not fit
 * this very program and this Node.js, or cannot be read or written, the program is compiled as ever.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import * as fs from "node:fs";
import { createRequire, Module } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { Script } from "node:vm";
import { writePrivate } from "../provider/private-file";

const digestLength = 32;

/** The user's own folder for what can be made anew; undefined where there is none. */
export function cacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  if ((env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "") return undefined;
  const own = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  const folder =
    own !== undefined && own !== ""
      ? own
      : join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
  return isAbsolute(folder) ? join(folder, "pulumi-legacydns") : undefined;
}

/** A digest of what was compiled, by which Node.js, and of the code itself: half a file, or another program's, is none. */
function seal(source: string, code: Buffer): Buffer {
  return createHash("sha256")
    .update(process.version)
    .update(process.arch)
    .update("\0")
    .update(source)
    .update("\0")
    .update(code)
    .digest();
}

/** The code that is kept, if this user alone can have written it. */
function kept(file: string, source: string): Buffer | undefined {
  try {
    const { uid, mode } = fs.statSync(dirname(file));
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const data = fs.readFileSync(file);
    const code = data.subarray(digestLength);
    return data.length > digestLength && timingSafeEqual(data.subarray(0, digestLength), seal(source, code))
      ? code
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a program in CommonJS exports.
 * @param file its absolute path.
 * @param cache where its compiled form is kept; undefined: nowhere.
 * @param atEnd takes what is to be done when all that a run needs has been compiled; nothing where what is kept was used.
 */
export function load(
  file: string,
  cache: string | undefined,
  atEnd: (work: () => void) => void = (work) => process.once("exit", work),
): unknown {
  const source = fs.readFileSync(file, "utf8");
  const cachedData = cache === undefined ? undefined : kept(cache, source);
  const script = new Script(Module.wrap(source), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cache !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    atEnd(() => {
      const code = script.createCachedData();
      writePrivate(cache, Buffer.concat([seal(source, code), code]));
    });
  }
  const module = { exports: {} };
  const run = script.runInThisContext() as (
    exports: object,
    require: NodeJS.Require,
    own: object,
    filename: string,
    folder: string,
  ) => void;
  run(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}
