/** `npm run docs`: builds the documentation site into dist/site, without any network. */
import { join } from "node:path";
import { buildSite } from "./docs/site";
import { main, root } from "./support/main";

main("docs", async () => {
  const out = join(root, "dist", "site");
  await buildSite(out);
  process.stdout.write(`${join(out, "index.html")}\n`);
});
