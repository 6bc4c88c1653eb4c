import { deepEqual, doesNotThrow, equal, rejects } from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PurviewReader } from "../../provider/api";
import { labs, type Lab } from "../support/lab";

describe("a domain's purview on disk", () => {
  let lab: Lab;
  let now = 1_700_000_000_000;
  const start = labs();
  beforeEach(async () => {
    lab = await start();
  });
  const readerOf = () =>
    new PurviewReader(lab.client, lab.settings, { ...lab.clock, now: () => now, wall: () => now });
  const read = () => readerOf().get({ domain: "example.com" });
  const calls = () => lab.calls("Domain.Purview");
  const files = () => {
    const folder = join(lab.settings.stateDir, "purview");
    return readdirSync(folder).map((name) => join(folder, name));
  };

  it("is good for a day, to the second, and not for a time to come", async () => {
    const first = await read();
    now += 86_400_000 - 1000;
    deepEqual(await read(), first);
    equal(calls(), 1);
    now += 1000;
    await read();
    equal(calls(), 2);
    now -= 3_600_000;
    await read();
    equal(calls(), 3, "a clock that was put back makes it stale");
  });

  it("is whole, whichever of many processes wrote it last, and nothing else is left behind", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => read()));
    for (const each of all) deepEqual(each, all[0]);
    const [file = "", ...others] = files();
    deepEqual(others, []);
    doesNotThrow(() => JSON.parse(readFileSync(file, "utf8")) as unknown);
    lab.admin.clearCalls();
    deepEqual(await read(), all[0]);
    equal(calls(), 0);
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
      lab.admin.clearCalls();
      deepEqual(await read(), first);
      equal(calls(), 1, text);
    }
  });

  it("of two domains is two files, and a failed reading is no answer to keep", async () => {
    lab.answer("Domain.Purview", "-7", { count: 1 });
    const reader = readerOf();
    await rejects(reader.get({ domain: "example.com" }));
    await Promise.all([reader.get({ domain: "example.com" }), reader.get({ domain: "example.net" })]);
    equal(files().length, 2);
  });
});
