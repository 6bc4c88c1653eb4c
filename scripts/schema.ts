/** `npm run --silent schema`: writes native/schema.json, the schema of the native plugin, anew. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSchema, schemaText } from "./plugin/schema";
import { root } from "./support/main";

writeFileSync(join(root, "native/schema.json"), schemaText(makeSchema()));
