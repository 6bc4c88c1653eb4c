/** Promise 4: a deletion never takes a record that the run declares, whichever resource declares it. */
import { deepEqual, equal } from "node:assert/strict";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, fullMode } from "../support/story";

const [a, b, c] = ["a 600 A 192.0.2.2", "b 600 A 192.0.2.3", "c 600 A 192.0.2.4"] as const;
const www = (resource: string) => record(resource, "192.0.2.1", { name: "www" });

describe("promise 4: no deletion of a declared record", () => {
  byBothFrontEnds(
    "records that move between resources keep their ids, without an alias and without a write",
    { ...fullMode, program: www("before") + batch("old", [a, b, c]) },
    async ({ admin, stack, up, deploy, quietUp, ids, lines, writes }) => {
      await up();
      const before = ids();
      for (const program of [
        www("after") + batch("new", [a, b, c]),
        record("b", "192.0.2.3") + batch("new", [a, "www 600 A 192.0.2.1"]) + batch("more", [c]),
      ]) {
        const run = await deploy(program);
        equal(writes(), 0, run.output);
        equal(admin.counts()["Record.List"] ?? 0, 1, run.output);
        deepEqual(ids(), before);
      }
      const names = stack.resources().map(({ urn }) => urn.split("::").at(-1));
      deepEqual(names.sort(), ["b", "more", "new"]);
      await quietUp();
      await deploy(record("b", "192.0.2.3") + batch("all", [a, c]));
      deepEqual(lines(), ["a A 192.0.2.2 600", "b A 192.0.2.3 600", "c A 192.0.2.4 600"]);
    },
  );
});
