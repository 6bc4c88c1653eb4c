/**
 * `ts-node -T scripts/console-picture.ts ADDRESS`: the picture of the console in the README, docs/console.png, from the
 * address that `npm run demo -- --keep` printed. A record is changed on the way, as the text beside the picture says.
 */
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { ensureBrowser } from "./browser";

const file = join(resolve(__dirname, ".."), "docs", "console.png");

async function main(address: string): Promise<void> {
  const { program, env } = await ensureBrowser();
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const browser = await chromium.launch({ executablePath: program, env: { ...Object.fromEntries(inherited), ...env } });
  try {
    const page = await browser.newPage({ viewport: { width: 1180, height: 680 }, colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(address);
    await page.getByRole("switch", { name: /^example\.com\. AAAA/ }).click();
    await page.getByRole("button", { name: /^Edit example\.com\. A 192\.0\.2\.11/ }).click();
    await page.getByRole("dialog").getByLabel("Value").fill("203.0.113.9");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("203.0.113.9", { exact: true }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // Rows that were scrolled to would hide the head.
    await page.mouse.move(0, 0);
    await page.evaluate("document.querySelector('main').scrollTop = 0");
    await page.waitForTimeout(100);
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}

main(process.argv[2] ?? "").catch((error: unknown) => {
  process.stderr.write(`console-picture: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
