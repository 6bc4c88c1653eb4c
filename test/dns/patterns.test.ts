import { deepEqual, equal } from "node:assert/strict";
import { patternMatcher, patternProblems } from "../../provider/dns";
import { problemLine } from "../support/problems";

describe("patterns of `ignore`", () => {
  const isIn = (pattern: string, name: string, type: string) => patternMatcher([pattern])({ name, type });

  it("a pattern matches a name, a type or both, with stars", () => {
    deepEqual(
      [
        isIn("_acme-challenge*", "_acme-challenge.www", "TXT"),
        isIn("_ACME-challenge* txt", "_acme-challenge", "TXT"),
        isIn("* TXT", "www", "TXT"),
      ],
      [true, true, true],
    );
    deepEqual(
      [
        isIn("keep *", "keep", "A"),
        isIn("keep", "keep", "MX"),
        isIn("keep *", "other", "A"),
        isIn("* TXT", "www", "A"),
      ],
      [true, true, false, false],
    );
    equal(isIn("* 显性URL", "www", "显性URL"), true);
  });

  it("a pattern with a misspelt type is refused", () => {
    deepEqual(patternProblems(["keep AA", "a b c", "keep 600", "* TXT"], "ignore").map(problemLine), [
      'ignore[0]: "keep AA": AA type.unknown did you mean AAAA?',
      'ignore[1]: value.unfit "a b c" a pattern "_acme-challenge*" or "* TXT"',
      'ignore[2]: value.unfit "keep 600" a pattern "_acme-challenge*" or "* TXT"',
    ]);
  });
});
