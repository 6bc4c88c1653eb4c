/** `npm run docs`: builds the documentation site into dist/site, from docs/ and the TypeScript declarations, without any network. */
import { join, resolve } from "node:path";
import { buildSite } from "./docs/site";

const out = join(resolve(__dirname, ".."), "dist", "site");
buildSite(out).then(
  () => process.stdout.write(`${join(out, "index.html")}\n`),
  (error: unknown) => {
    process.stderr.write(`docs: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
