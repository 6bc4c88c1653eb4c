import assert from "node:assert/strict";
import { retainWay } from "../../provider/reconcile/messages";

describe("the way to leave a record where it is", () => {
  it("is where the removal is set now: the environment reaches neither a Provider nor a resource's own option", () => {
    assert.equal(retainWay("stack", "up"), "`LEGACYDNS_REMOVAL=retain pulumi up`");
    assert.match(retainWay("provider", "up"), /^set `removal: "retain"` on the Provider, or on this resource, and run/);
    assert.match(retainWay("resource", "up"), /^set `removal: "retain"` on this resource, which has a `removal` of its own, and run/);
    assert.match(retainWay("stack", "delete"), /LEGACYDNS_REMOVAL=retain pulumi destroy/);
    for (const setBy of ["provider", "resource"] as const) assert.match(retainWay(setBy, "delete"), /^declare the resource once more with `removal: "retain"`/);
  });
});
