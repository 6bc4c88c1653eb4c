/** Makes programs and provider hosts start sooner: it loads packages that nothing here uses only on their first use. */
"use strict";
const Module = require("node:module");
const { resolve, sep } = require("node:path");

function startsFile(path) {
  return (process.argv[1] ?? "").replaceAll(sep, "/").endsWith(`/@pulumi/pulumi/${path}`);
}

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

const program = startsFile("cmd/run/index.js") && process.argv.at(-1).endsWith(".js");
const host = startsFile("cmd/dynamic-provider/index.js");
// A host that is built from source knows no options (docs/decisions/0002), and takes each program for TypeScript.
if (program) delete process.env.PULUMI_NODEJS_TYPESCRIPT;
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
Module.enableCompileCache?.(resolve(__dirname, "../../node_modules/.cache/legacydns-tests"));
