import { deepEqual, rejects } from "node:assert/strict";
import { importedShare } from "../../../provider/frontends/native/imports";
import type { Props } from "../../../provider/lifecycle/lifecycle";
import { fullService, fullSettings, hostOf, labs } from "../../support/lab";
import { collectingReporter } from "../../support/reporter";

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
    deepEqual(await take(`example.com/${email}/r`), { ...share, mode: "r" });
    deepEqual(await take(`example.com/${email}/rw/dev`), { ...share, mode: "rw", subDomain: "dev" });
    for (const id of [`example.com/${email}`, `example.com/${email}//dev`, `example.com/${email}/write`])
      await rejects(take(id), /its mode is neither r .* nor rw/);
  });

  it("reads the mode from the service in full mode, and needs none in the id", async () => {
    const take = await importer(fullSettings);
    deepEqual(await take(`example.com/${email}`), { ...share, mode: "rw" });
    deepEqual(await take(`example.com/${email}//dev`), { ...share, mode: "r", subDomain: "dev" });
    deepEqual(await take(`example.com/${email}/r`), { ...share, mode: "rw" });
    await rejects(take(`example.com/${email}/write`), /its mode is neither r .* nor rw/);
  });
});
