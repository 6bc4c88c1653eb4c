import assert from "node:assert/strict";
import { codes } from "../../provider/problems";
import { cli } from "./run";

describe("pulumi-legacydns explain", () => {
  it("prints a code's cause, example and remedies", async () => {
    const { code, out, err } = await cli(["explain", "value.unusual"]);
    assert.deepEqual({ code, err }, { code: 0, err: "" });
    assert.match(out, /^value\.unusual\n\nWarning\. \w/);
    assert.match(out, /^records\[0\]\.value: a text of 4200 octets: .* \[value\.unusual\]$/m);
    assert.match(out, /^- if the service refuses it, declare a usual value$/m);
    assert.doesNotMatch(out, /```/);
  });

  it("accepts the brackets of the message", async () => {
    assert.deepEqual(await cli(["explain", "[ttl.unfit]"]), await cli(["explain", "ttl.unfit"]));
  });

  it("prints the page of zone checks for a check", async () => {
    assert.match((await cli(["explain", "mx-cname"])).out, /^An MX record points to a name of this zone/m);
  });

  it("knows a code of each kind", async () => {
    for (const code of codes.filter((_, index) => index % 40 === 0))
      assert.equal((await cli(["explain", code])).code, 0, code);
  });

  it("names the nearest code for an unknown one", async () => {
    const { code, out, err } = await cli(["explain", "ttl.unfi"]);
    assert.deepEqual({ code, out }, { code: 1, out: "" });
    assert.equal(err, `error: "ttl.unfi" is not valid [word.unknown]\n  help: did you mean ttl.unfit?\n`);
    assert.doesNotMatch((await cli(["explain", "nothing"])).err, /did you mean/);
  });
});
