/** Loads TypeScript with esbuild, which takes a quarter of the time of ts-node. `npm run types` checks the types. */
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { transformSync } = require("esbuild");

process.setSourceMapsEnabled(true);
Module._extensions[".ts"] = (module, file) => {
  const { code } = transformSync(readFileSync(file, "utf8"), {
    loader: "ts",
    format: "cjs",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    sourcefile: file,
  });
  module._compile(code, file);
};
