/**
 * Loads TypeScript with esbuild, which takes a quarter of the time of ts-node. `npm run types` checks the types.
 * Each test worker loads the same files, so node_modules/.cache keeps the code of a file until its text changes.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join, relative } = require("node:path");

const root = join(__dirname, "../..");
const folder = join(root, "node_modules/.cache/typescript");
const hash = (...texts) => createHash("sha1").update(texts.join("\0")).digest("hex");
const loader = hash(readFileSync(__filename), require("esbuild/package.json").version);

function transform(source, file) {
  return require("esbuild").transformSync(source, {
    loader: "ts",
    format: "cjs",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    sourcefile: file,
  }).code;
}

/** One entry per file of the project: its first line is the hash of the path and the text that it was made of. */
function codeOf(file) {
  const source = readFileSync(file, "utf8");
  const mark = `// ${hash(loader, file, source)}\n`;
  const entry = join(folder, `${hash(relative(root, file))}.js`);
  const kept = existsSync(entry) ? readFileSync(entry, "utf8") : "";
  if (kept.startsWith(mark)) return kept.slice(mark.length);
  const code = transform(source, file);
  mkdirSync(folder, { recursive: true });
  // Two processes may write the same entry, and a third one must not read half of it.
  writeFileSync(`${entry}.${process.pid}`, mark + code);
  renameSync(`${entry}.${process.pid}`, entry);
  return code;
}

process.setSourceMapsEnabled(true);
Module._extensions[".ts"] = (module, file) => module._compile(codeOf(file), file);
