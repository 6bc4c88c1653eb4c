#!/usr/bin/env node
import { errorText } from "../provider/support/text";
import { run } from "./program";
import { processTerminal } from "./terminal";

// A reader that stops early, such as `| head`, is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

const terminal = processTerminal();

run(process.argv.slice(2), terminal)
  .then((code) => {
    if (code !== 0) process.exitCode = code;
  })
  .catch((error: unknown) => {
    terminal.err.line(`pulumi-legacydns: ${errorText(error)}`);
    process.exitCode = 1;
  });
