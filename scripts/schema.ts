/** `npm run --silent schema`: writes native/schema.json, the schema of the native plugin, anew. */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeSchema, schemaText } from "./plugin/schema";

writeFileSync(join(resolve(__dirname, ".."), "native", "schema.json"), schemaText(makeSchema()));
