/** The loop that the console is for: deployed, edited in the page, named by a preview, put right, and seen in the page again. */
import assert from "node:assert/strict";
import { inConsole, startBrowser } from "../support/browser";
import { zoneLines } from "../support/service";
import { says, story } from "../support/story";

const program = `
  new dns.RecordBatch("zone", { domains: "example.com", records: [
    { name: ["www", "api", "blog"], type: "A", value: "192.0.2.1", ttl: 600 },
    { type: "MX", value: "mx1.example.org", priority: 10, ttl: 3600 },
  ] });`;

describe("the console and the engine", () => {
  it("a record that was edited and one that was removed in the page are named by a preview and put right by `up --refresh`", () =>
    story({ program, service: { settings: { undocumented: true } }, env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" } }, async ({ emulator, stack, up }) => {
      const browser = await startBrowser();
      try {
        await inConsole(browser, emulator, async (page) => {
          const row = (name: string): ReturnType<typeof page.locator> => page.locator("tr", { has: page.getByText(name, { exact: true }) });
          await up();
          // The page was open before: it shows what the run made, and its calls.
          await row("www").getByText("192.0.2.1", { exact: true }).waitFor();
          await page.locator(".latest").getByText("Batch.Record.Create").waitFor();
          const declared = zoneLines(emulator, "example.com");

          await row("www").getByRole("button", { name: "Edit" }).click();
          await page.getByRole("dialog").getByLabel("Value").fill("203.0.113.9");
          await page.getByRole("button", { name: "Save changes" }).click();
          await row("www").getByText("203.0.113.9", { exact: true }).waitFor();
          await row("blog").getByRole("button", { name: "Remove" }).click();
          await page.getByRole("button", { name: "Remove record" }).click();
          await row("blog").waitFor({ state: "detached" });

          const preview = await stack.preview("--refresh", "--diff");
          assert.equal(preview.code, 0, preview.output);
          says(preview, "+ www.example.com. 600 A 192.0.2.1", /- www\.example\.com\. 600 A 203\.0\.113\.9/, "+ blog.example.com. 600 A 192.0.2.1");

          await up("--refresh");
          await row("www").getByText("192.0.2.1", { exact: true }).waitFor();
          await row("blog").waitFor();
          assert.deepEqual(zoneLines(emulator, "example.com"), declared);
          await page.getByRole("link", { name: /^Calls/ }).click();
          await page.locator("summary", { hasText: "Record.Modify" }).getByText("ok").waitFor();
        });
      } finally {
        await browser.close();
      }
    }));
});
