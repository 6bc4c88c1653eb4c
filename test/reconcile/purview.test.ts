import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../../provider/support/clock";
import { PurviewReader } from "../../provider/api";
import { startLab, type Lab } from "../support/lab";

describe("a domain's purview on disk", () => {
  let lab: Lab;
  let now = 1_700_000_000_000;
  const clock: Clock = { ...systemClock, now: () => now, wall: () => now };
  /** A new process: only the disk survives. */
  const read = (domain = "example.com") => new PurviewReader(lab.client, lab.settings, clock).get({ domain });
  const calls = (): number => lab.service.admin.counts()["Domain.Purview"] ?? 0;
  const files = (): string[] =>
    readdirSync(join(lab.settings.stateDir, "purview")).map((name) =>
      join(lab.settings.stateDir, "purview", name),
    );

  beforeEach(async () => {
    lab = await startLab();
  });
  afterEach(() => lab.close());

  it("is good for a day, to the second, and not for a time to come", async () => {
    const first = await read();
    now += 86_400_000 - 1000;
    assert.deepEqual(await read(), first);
    assert.equal(calls(), 1);
    now += 1000;
    await read();
    assert.equal(calls(), 2);
    now -= 3_600_000;
    await read();
    assert.equal(calls(), 3, "a clock that was put back makes it stale");
  });

  it("is whole, whichever of many processes wrote it last, and nothing else is left behind", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => read()));
    for (const each of all) assert.deepEqual(each, all[0]);
    const [file = "", ...others] = files();
    assert.deepEqual(others, []);
    assert.doesNotThrow(() => JSON.parse(readFileSync(file, "utf8")) as unknown);
    lab.service.admin.clearCalls();
    assert.deepEqual(await read(), all[0]);
    assert.equal(calls(), 0);
  });

  it("is asked for again if the file is broken, another domain's, or of another form", async () => {
    const first = await read();
    for (const text of [
      "",
      '{"at":',
      "[]",
      JSON.stringify({ at: now, domain: "example.net", entries: [] }),
      JSON.stringify({ at: now, domain: "example.com", entries: [{ name: 1 }] }),
    ]) {
      writeFileSync(files()[0] ?? "", text);
      lab.service.admin.clearCalls();
      assert.deepEqual(await read(), first);
      assert.equal(calls(), 1, text);
    }
  });

  it("of two domains is two files, and a failed reading is no answer to keep", async () => {
    lab.service.admin.addFault({ operation: "Domain.Purview", kind: "code", code: "-7", count: 1 });
    const reader = new PurviewReader(lab.client, lab.settings, clock);
    await assert.rejects(reader.get({ domain: "example.com" }));
    await Promise.all([reader.get({ domain: "example.com" }), reader.get({ domain: "example.net" })]);
    assert.equal(files().length, 2);
  });
});
