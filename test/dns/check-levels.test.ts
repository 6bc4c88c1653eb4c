/** The levels of checks, as a word, a list or an object. */
import { deepEqual, equal, fail, match } from "node:assert/strict";
import { allOff, levelOf, overlaid, readCheckLevels } from "../../provider/dns/checks";
import { textOf } from "../../provider/problems";

describe("the levels of checks", () => {
  const levels = (given: unknown) => {
    const read = readCheckLevels(given);
    return "levels" in read ? read.levels : fail(textOf(read.problem));
  };

  it("levels of checks are a word, a list, an object, or an object as JSON", () => {
    deepEqual(levels("off"), { other: "off", byCode: {} });
    const some = { other: "refuse", byCode: { "mx-cname": "off", "ttl-long": "warn" } };
    for (const given of [
      { "*": "refuse", "mx-cname": "off", "ttl-long": "warn" },
      "refuse, mx-cname=off ttl-long=warn",
      '{"mx-cname":"off","*":"refuse","ttl-long":"warn"}',
      "mx-cname=off,ttl-long=warn,*=refuse",
    ]) {
      deepEqual(levels(given), some);
    }
    equal(levelOf("mx-cname", levels("mx-cname=refuse")), "refuse");
    equal(levelOf("mx-missing", levels("mx-cname=refuse")), "warn");
    const all = ["mx-missing", "wildcard-hidden", "mx-single"] as const;
    deepEqual(
      all.map((code) => levelOf(code, levels("refuse"))),
      ["refuse", "note", "off"],
    );
    deepEqual(
      all.map((code) => levelOf(code, levels("off, mx-single=warn"))),
      ["off", "off", "warn"],
    );
    equal(levelOf("mx-missing", levels("note")), "note");
    equal(allOff(levels("off,mx-cname=warn")), false);
    equal(allOff(levels("off,mx-cname=off")), true);
  });

  it("wrong levels of checks name the code or level that is meant", () => {
    const problem = (given: unknown) => {
      const read = readCheckLevels(given);
      return "problem" in read ? textOf(read.problem) : fail();
    };
    match(problem("mx-cnam=off"), /^"mx-cnam" is not valid; did you mean mx-cname\?$/);
    match(problem("loud"), /^"loud" is not a level of a check; write note, warn, refuse or off/);
    match(problem({ "mx-cname": true }), /^a boolean is not a level of a check/);
    match(problem("{"), /this text is not a level/);
    match(problem(3), /a number is not a level/);
  });

  it("levels of a resource override those of the stack", () => {
    const stack = levels("refuse,ttl-long=off");
    deepEqual(overlaid(stack, { "private-address": "off" }), {
      other: "refuse",
      byCode: { "ttl-long": "off", "private-address": "off" },
    });
    deepEqual(overlaid(stack, "warn"), { other: "warn", byCode: {} });
    deepEqual(overlaid(stack, undefined), stack);
  });
});
