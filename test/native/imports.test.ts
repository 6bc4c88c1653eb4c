import assert from "node:assert/strict";
import { importedShare } from "../../native/imports";
import type { Props } from "../../provider/lifecycle/lifecycle";
import { fullService, fullSettings, hostOf, labs } from "../support/lab";
import { collectingReporter } from "../support/reporter";

const email = "partner@example.net";
const share = { domain: "example.com", email };

describe("the import of a share", () => {
  const start = labs({ ...fullService, accounts: [{ email: "owner@example.com" }, { email }] });

  async function importer(settings: Record<string, string> = {}): Promise<(id: string) => Promise<Props>> {
    const lab = await start({}, settings);
    lab.admin.addShare("example.com", { email, mode: "rw" });
    lab.admin.addShare("example.com", { email, mode: "r", subDomain: "dev" });
    const host = hostOf(lab, collectingReporter());
    return (id) => importedShare(id, host);
  }

  it("takes the mode from the id in documented mode, and refuses an id without it", async () => {
    const take = await importer();
    assert.deepEqual(await take(`example.com/${email}/r`), { ...share, mode: "r" });
    assert.deepEqual(await take(`example.com/${email}/rw/dev`), { ...share, mode: "rw", subDomain: "dev" });
    for (const id of [`example.com/${email}`, `example.com/${email}//dev`, `example.com/${email}/write`])
      await assert.rejects(take(id), /its mode is neither r .* nor rw/);
  });

  it("reads the mode from the service in full mode, and needs none in the id", async () => {
    const take = await importer(fullSettings);
    assert.deepEqual(await take(`example.com/${email}`), { ...share, mode: "rw" });
    assert.deepEqual(await take(`example.com/${email}//dev`), { ...share, mode: "r", subDomain: "dev" });
    assert.deepEqual(await take(`example.com/${email}/r`), { ...share, mode: "rw" });
    await assert.rejects(take(`example.com/${email}/write`), /its mode is neither r .* nor rw/);
  });
});
