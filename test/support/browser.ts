/** The console's page in a real browser, without a window. A problem in the page's own log fails the test that saw it. */
import assert from "node:assert/strict";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { ensureBrowser } from "../../scripts/browser";
import type { Emulator } from "../../emulator";

/** Starts a browser. @throws NoBrowser, with remedies, if the machine has none */
export async function startBrowser(): Promise<Browser> {
  const { program } = await ensureBrowser();
  return chromium.launch({ executablePath: program });
}

/** Opens the emulator's console, and closes it again; no step of it may take half a minute. */
export async function inConsole(
  browser: Browser,
  emulator: Pick<Emulator, "consoleUrl">,
  tell: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(30_000);
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      // An edit that the service refuses is answered with 400, which the browser logs.
      if (message.type() === "error" && !message.text().includes("400 (Bad Request)"))
        problems.push(message.text());
    });
    page.on("dialog", (dialog) => problems.push(`a dialog: ${dialog.message()}`));
    await page.goto(emulator.consoleUrl ?? "");
    await page.getByText("Live", { exact: true }).waitFor();
    await tell(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}
