import assert from "node:assert/strict";
import { codes } from "../../provider/problems";
import { cli } from "./run";

describe("pulumi-legacydns explain", () => {
  it("prints a code's cause, example and remedies", async () => {
    const { code, out, err } = await cli(["explain", "mx.priority-unusual"]);
    assert.deepEqual({ code, err }, { code: 0, err: "" });
    assert.match(out, /^mx\.priority-unusual\n\nWarning\. \w/);
    assert.match(out, /^records\[0\]\.priority: "30" lies outside 1-20.* \[mx\.priority-unusual\]$/m);
    assert.match(out, /^- choose a priority from 1 to 20$/m);
    assert.doesNotMatch(out, /```/);
  });

  it("accepts the brackets of the message", async () => {
    assert.deepEqual(await cli(["explain", "[ttl.zero]"]), await cli(["explain", "ttl.zero"]));
  });

  it("prints the page of zone checks for a check", async () => {
    assert.match((await cli(["explain", "mx-cname"])).out, /^An MX record points to a name of this zone/m);
  });

  it("knows a code of each kind", async () => {
    for (const code of codes.filter((_, index) => index % 40 === 0))
      assert.equal((await cli(["explain", code])).code, 0, code);
  });

  it("names the nearest code for an unknown one", async () => {
    const { code, out, err } = await cli(["explain", "ttl.zer"]);
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.equal(
      err,
      `error: "ttl.zer" is no code of a message [code.unknown]\n  help: did you mean ttl.zero?\n`,
    );
    assert.doesNotMatch((await cli(["explain", "nothing"])).err, /did you mean/);
  });
});
