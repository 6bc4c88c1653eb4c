/**
 * The picture of the console in the README, docs/console.png. A digest of the page is kept, so that a test
 * notices a later change.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ensureBrowser } from "../browser";
import { root } from "../support/main";

const picture = join(root, "docs", "console.png");
const page = join(root, "emulator", "page");
const kept = join(__dirname, "console.sha256");

const digest = (files: readonly string[]): string =>
  files
    .reduce((hash, file) => hash.update(readFileSync(file)).update("\0"), createHash("sha256"))
    .digest("hex");

export function consoleDigests(): string {
  const files = ["views.ts", "files/console.css", "files/icon.svg"].map((name) => join(page, name));
  return `${digest(files)}  emulator/page\n${digest([picture])}  docs/console.png\n`;
}

export function keptDigests(): string {
  return readFileSync(kept, "utf8");
}

/**
 * A browser without a Chinese font draws all Chinese characters as the same box. Compares the pixels of
 * two.
 */
const showsChinese = `(() => {
  const pixels = (text) => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    context.font = "24px sans-serif";
    context.fillText(text, 4, 40);
    return context.getImageData(0, 0, 48, 48).data.join();
  };
  return pixels("默") !== pixels("认");
})()`;

export async function takeConsole(address: string): Promise<void> {
  const { program } = await ensureBrowser();
  const browser = await chromium.launch({ executablePath: program });
  try {
    const tab = await browser.newPage({
      viewport: { width: 1180, height: 680 },
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    await tab.goto(address);
    if ((await tab.evaluate(showsChinese)) !== true)
      throw new Error("no font has Chinese characters; on Debian, run: apt-get install fonts-wqy-zenhei");
    await tab.getByRole("button", { name: /^Disable example\.com\. AAAA/ }).click();
    await tab.getByRole("link", { name: /^Edit example\.com\. A 192\.0\.2\.11/ }).click();
    await tab.getByLabel("Value").fill("203.0.113.9");
    await tab.getByRole("button", { name: "Save changes" }).click();
    await tab.getByText("203.0.113.9", { exact: true }).waitFor();
    await tab.getByText("Live", { exact: true }).waitFor();
    // Rows that were scrolled to would hide the head.
    await tab.mouse.move(0, 0);
    await tab.evaluate("document.querySelector('main').scrollTop = 0");
    await tab.waitForTimeout(100);
    await tab.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
  writeFileSync(kept, consoleDigests());
}
