import { deepEqual, equal } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generated } from "../../tools/generate/generate";
import { referenceFolder } from "../../tools/generate/reference";

describe("each generated file", () => {
  it("is what `npm run generate` writes (the pipeline also compares the SDKs, which need Go)", () => {
    const files = generated();
    for (const [file, text] of files) equal(readFileSync(file, "utf8"), text, file);
    deepEqual(
      readdirSync(referenceFolder)
        .map((name) => join(referenceFolder, name))
        .sort(),
      [...files.keys()].filter((file) => dirname(file) === referenceFolder).sort(),
    );
  });
});
