/**
 * Makes programs and provider hosts start sooner, of which the tests start a thousand: loaded by `--require`, in tests alone.
 * It keeps what V8 has compiled of the packages under node_modules, and takes it from there the next time: about a third of
 * what such a process costs is the compilation of Pulumi's SDK. Node.js has this built in from version 22 on
 * (NODE_COMPILE_CACHE); this file does it for 20. And it leaves out what the SDK loads and nothing here uses.
 */
"use strict";
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join, resolve, sep } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { constants, Script } = require("node:vm");

const packages = resolve(__dirname, "../../node_modules");
const folder = join(packages, ".cache", "legacydns-tests", process.version);

/** What smaller files cost is less than what a look into the cache does. */
const smallest = 2_000;

function keepCompiled() {
  const compile = Module.prototype._compile;
  const fresh = [];
  Module.prototype._compile = function (content, filename, ...rest) {
    if (content.length < smallest || !filename.startsWith(packages + sep) || content.startsWith("#!"))
      return compile.call(this, content, filename, ...rest);
    const file = fileOf(filename);
    const cachedData = kept(file);
    const script = new Script(Module.wrap(content), {
      filename,
      columnOffset: -Module.wrapper[0].length,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.push([file, script]);
    return script
      .runInThisContext()
      .call(this.exports, this.exports, requireOf(this), this, filename, dirname(filename));
  };
  // At the end, so that functions are in it that were compiled when they were called first.
  process.on("exit", () => {
    for (const [file, script] of fresh) keep(file, script);
  });
}

/**
 * V8 takes what it kept where the text's length is the same: so the name holds when the file was last changed, too. A program
 * and a host compile other functions of a file: so the name holds which of them it is.
 */
function fileOf(filename) {
  const { ctimeMs, size } = statSync(filename);
  return join(
    folder,
    createHash("sha1").update(`${process.argv[1]} ${filename} ${ctimeMs} ${size}`).digest("hex"),
  );
}

function kept(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function keep(file, script) {
  const scratch = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(scratch, script.createCachedData());
    renameSync(scratch, file);
  } catch {
    // A cache that cannot be written costs time and nothing else.
  }
}

function startsFile(path) {
  return (process.argv[1] ?? "").replaceAll(sep, "/").endsWith(`/@pulumi/pulumi/${path}`);
}

/** Has these packages loaded by the first use of what they export, and not before. */
function loadWhenUsed(names) {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    if (!names.includes(request)) return load.call(this, request, ...rest);
    return new Proxy(
      {},
      { get: (_, key) => (key === "__esModule" ? true : load.call(this, request, ...rest)[key]) },
    );
  };
}

function requireOf(module) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

/**
 * The SDK sets this flag as it starts, and V8 refuses what it kept under other flags: set from the first on, it holds for what is
 * loaded before as well.
 */
setFlagsFromString("--allow-natives-syntax");
const program = startsFile("cmd/run/index.js") && process.argv.at(-1).endsWith(".js");
const host = startsFile("cmd/dynamic-provider/index.js");
// The engine's host for Node.js that is built from source knows no options (docs/decisions/0002), and takes each program for TypeScript.
if (program) delete process.env.PULUMI_NODEJS_TYPESCRIPT;
// A third of a start goes to what the SDK loads for traces, for the places in its own sources that a stack trace names, for the
// Automation API, and to store a program's functions.
if (program || host)
  loadWhenUsed([
    "source-map-support/register",
    ...[
      "exporter-zipkin",
      "instrumentation",
      "instrumentation-grpc",
      "resources",
      "sdk-trace-base",
      "sdk-trace-node",
    ].map((name) => `@opentelemetry/${name}`),
  ]);
if (host) loadWhenUsed(["@npmcli/arborist", "normalize-package-data", "typescript", "./automation"]);
if (Module.enableCompileCache === undefined) keepCompiled();
else Module.enableCompileCache(folder);
