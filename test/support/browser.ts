/** A browser of the machine, and the examination of a page in it. */
import { deepEqual, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { findOnPath } from "../../tools/support/programs";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export async function launched(): Promise<Browser> {
  let executablePath = process.env["PULUMI_LEGACYDNS_BROWSER"];
  for (const name of ["chromium", "chromium-headless-shell", "google-chrome"])
    executablePath ??= await findOnPath(name, process.env);
  ok(
    executablePath,
    "no browser on the PATH: install Chromium 123 or newer, or set PULUMI_LEGACYDNS_BROWSER",
  );
  return chromium.launch({ executablePath });
}

/** Asserts that axe finds no fault, and that the page is not wider than its window. */
export async function examine(page: Page, what: string): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))",
  );
  deepEqual(found, [], what);
  ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${what} fits`);
}
