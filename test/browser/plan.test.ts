/** The page of a plan. With `PULUMI_LEGACYDNS_SCREENSHOTS=folder`, each look is kept as a picture. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { pageOf } from "../../cli/plan/page";
import { inFolder, write } from "../cli/run";
import { everySection } from "../cli/previews";
import { examine, launched } from "../support/browser";

let browser: Browser;
before(async () => (browser = await launched()));
after(() => browser.close());

const shown = (colorScheme: "light" | "dark", width: number, tell: (page: Page) => Promise<void>) =>
  inFolder(async (folder) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    try {
      write(folder, { "plan.html": pageOf(everySection()) });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      await page.goto(pathToFileURL(join(folder, "plan.html")).href);
      await tell(page);
      deepEqual(problems, []);
    } finally {
      await context.close();
    }
  });

const styleOf = (page: Page, selector: string, name: string) =>
  page.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue("${name}")`,
  ) as Promise<string>;

describe("the page of a plan in a browser", () => {
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 375],
    ["dark", 375],
  ] as const)
    it(`has no fault that axe finds, and fits, in ${colorScheme} at a width of ${width}`, () =>
      shown(colorScheme, width, async (page) => {
        await examine(page, `${colorScheme} ${width}`);
        const folder = process.env["PULUMI_LEGACYDNS_SCREENSHOTS"];
        if (folder !== undefined)
          await page.screenshot({ path: join(folder, `plan-${colorScheme}-${width}.png`), fullPage: true });
      }));

  it("has another colour for each kind of line, in a font of fixed width, and another ground in the dark", () =>
    shown("light", 1280, async (page) => {
      const kinds = ["add", "change", "delete", "blocked", "quiet"];
      const colours = await Promise.all(kinds.map((kind) => styleOf(page, `.line.${kind}`, "color")));
      equal(new Set(colours).size, kinds.length, colours.join(" "));
      ok((await styleOf(page, ".line", "font-family")).endsWith("monospace"));
      const light = await styleOf(page, "body", "background-color");
      await page.emulateMedia({ colorScheme: "dark" });
      ok(light !== (await styleOf(page, "body", "background-color")));
    }));

  it("gives a whole command of a help to one click", () =>
    shown("light", 375, async (page) => {
      const command = page.locator(".help code").first();
      await command.click();
      equal(await page.evaluate("String(getSelection())"), await command.textContent());
    }));
});
