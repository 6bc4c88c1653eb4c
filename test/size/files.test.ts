import { deepEqual, equal, ok } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadZoneFile } from "../../provider/resources/zone-files";
import { cli, inFolder } from "../cli/run";

describe("a large file", () => {
  it("in octoDNS' form is converted in a time in proportion to the number of its records", () =>
    inFolder(async (folder) => {
      const file = join(folder, "example.com.yaml");
      const cpuOf = async (count: number) => {
        const names = Array.from(
          { length: count },
          (_, n) => `n${n}: { type: A, value: 192.0.2.${n % 256} }`,
        );
        writeFileSync(file, names.join("\n"));
        const before = process.cpuUsage();
        const args = ["convert", "--from", "octodns", "--force", "--out", join(folder, "out"), file];
        const run = await cli(args);
        const { user, system } = process.cpuUsage(before);
        equal(run.code, 0, run.err);
        return (user + system) / 1000;
      };
      await cpuOf(500);
      const [few, many] = [await cpuOf(500), await cpuOf(3000)];
      // Six times the records: work that grows with the square takes 36 times as long.
      ok(many < 10 * few + 300, `${few} ms, then ${many} ms`);
    }));

  it("of a zone has at most 250,000 entries, included files counted as often as they are included", () =>
    inFolder((folder) => {
      const part = Array.from({ length: 60_000 }, (_, i) => `h${i} A 192.0.2.1`);
      writeFileSync(join(folder, "part.zone"), part.join("\n"));
      const parts = Array.from({ length: 15 }, (_, i) => `$INCLUDE part.zone s${i}`);
      writeFileSync(join(folder, "a.zone"), parts.join("\n"));
      const options = { domain: "example.com", root: folder, defaultLine: "默认" };
      const { problems, records } = loadZoneFile("a.zone", options);
      // Five directives and four whole files come before.
      deepEqual(
        problems.map(({ code, path }) => `${path} ${code}`),
        ["part.zone:9996:1 file.many"],
      );
      equal(records.length, 249_995);
    }));
});
