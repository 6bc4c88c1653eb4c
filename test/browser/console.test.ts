import { deepEqual, equal, ok } from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startEmulator, type Emulator } from "../../emulator";
import { examine, launched } from "../support/browser";

let browser: Browser;

before(async () => (browser = await launched()));
after(() => browser.close());

async function opened(
  tell: (page: Page, emulator: Emulator) => Promise<void>,
  look: BrowserContextOptions = { viewport: { width: 1280, height: 800 } },
) {
  const emulator = await startEmulator({ domains: ["example.com", "example.net"] });
  const context = await browser.newContext(look);
  context.setDefaultTimeout(30_000);
  try {
    for (const [name, type, value] of [
      ["www", "A", "192.0.2.1"],
      ["api", "A", "192.0.2.2"],
      ["api", "AAAA", "2001:db8::2"],
      ["shop", "CNAME", "www.example.com"],
    ] as const)
      emulator.admin.addRecord("example.com", { name, type, value, ttl: 600 });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("dialog", (dialog) => problems.push(`a dialog: ${dialog.message()}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/\(Bad Request|Forbidden\)|CONNECTION_REFUSED/.test(message.text()))
        problems.push(message.text());
    });
    await page.goto(emulator.consoleUrl ?? "");
    await page.getByText("Live", { exact: true }).waitFor();
    await tell(page, emulator);
    deepEqual(problems, []);
  } finally {
    await context.close();
    await emulator.close();
  }
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();
const sees = (page: Page, text: string, options?: { exact: true }) => page.getByText(text, options).waitFor();

async function shows(page: Page, ...expected: string[]) {
  const seen = () =>
    page.locator("main tbody tr").evaluateAll((all) =>
      all
        .map((row) =>
          [...row.querySelectorAll("td")].slice(0, 3).map(({ textContent }) => textContent.trim()),
        )
        .map((texts) => texts.join(" "))
        .filter((text) => !text.startsWith("@ NS")),
    );
  const late = Date.now() + 30_000;
  while (JSON.stringify(await seen()) !== JSON.stringify(expected) && Date.now() < late)
    await page.waitForTimeout(50);
  deepEqual(await seen(), expected);
}

const all = ["api A 192.0.2.2", "api AAAA 2001:db8::2", "shop CNAME www.example.com.", "www A 192.0.2.1"];

describe("the console in a browser", () => {
  it("shows the records of a domain as they change, and finds them by words, type and state", () =>
    opened(async (page, { admin }) => {
      await shows(page, ...all);
      const search = page.getByRole("searchbox", { name: "Search" });
      await search.fill("API 192");
      await shows(page, "api A 192.0.2.2");
      await sees(page, "1 of 6 records");
      await search.fill("");
      await page.getByLabel("Type").selectOption("CNAME");
      await shows(page, "shop CNAME www.example.com.");
      await page.getByLabel("Type").selectOption("");
      admin.disableRecord("example.com", { name: "www", type: "A" });
      await page.getByLabel("State").selectOption("disabled");
      await shows(page, "www A 192.0.2.1");
      for (let n = 0; n < 120; n += 1)
        admin.addRecord("example.net", {
          name: `m${String(n).padStart(3, "0")}`,
          type: "A",
          value: "192.0.2.1",
        });
      await follow(page, "example.net");
      await sees(page, "122 of 122 records");
      await follow(page, "Next");
      await sees(page, "m119", { exact: true });
    }));

  it("adds, changes, disables, enables and removes a record, and shows refusals", () =>
    opened(async (page, { admin }) => {
      const has = (line: string) => ok(admin.zoneText("example.com").includes(line), line);
      await follow(page, "Add a record");
      await page.getByLabel("Name before").fill("mail");
      await page.getByLabel("Value").fill("192.0.2.300");
      await page.getByLabel("TTL").fill("900");
      await press(page, "Add record");
      await sees(page, "Record value 192.0.2.300 is not valid for A");
      await page.getByLabel("Type").selectOption("MX");
      await page.getByLabel("Value").fill("mx1.example.org");
      await page.getByLabel("Priority").fill("5");
      await press(page, "Add record");
      await sees(page, "5 mx1.example.org.", { exact: true });
      has("mail 900 MX 5 mx1.example.org.");

      await follow(page, "Edit www.example.com. A 192.0.2.1");
      await page.getByLabel("Value").fill("192.0.2.77");
      await page.getByLabel("TTL").fill("60");
      await press(page, "Save changes");
      await sees(page, "192.0.2.77", { exact: true });
      has("www 60 A 192.0.2.77");

      await press(page, "Disable www.example.com. A");
      await sees(page, "Done: Disable www.example.com. A");
      has("www 60 A 192.0.2.77 (disabled)");
      await press(page, "Enable www.example.com. A");
      await sees(page, "Done: Enable www.example.com. A");
      has("www 60 A 192.0.2.77");

      await press(page, "Remove www.example.com. A");
      await shows(page, ...all.slice(0, 2), "mail MX 5 mx1.example.org.", "shop CNAME www.example.com.");
    }));

  it("locks a domain, and adds another one", () =>
    opened(async (page, { admin }) => {
      await press(page, "Lock example.com");
      await page.getByRole("button", { name: "Serve example.com" }).waitFor();
      equal(admin.domains()[0]?.status, "lock");
      await follow(page, "Add a domain");
      await page.getByLabel("Name").fill("third.example");
      await press(page, "Add domain");
      await follow(page, "third.example");
      await page.getByRole("heading", { name: "third.example" }).waitFor();
    }));

  it("reconnects after a lost connection, and shows that meanwhile; a new start has a new address", () =>
    opened(async (page, emulator) => {
      await emulator.mute();
      await sees(page, "Connection lost: trying again");
      emulator.admin.addRecord("example.com", { name: "meanwhile", type: "A", value: "192.0.2.9" });
      await emulator.listen();
      await sees(page, "meanwhile", { exact: true });
      await emulator.close();
      const anew = await startEmulator({ port: emulator.port });
      await sees(page, "The emulator was started anew: open the address that it printed");
      await anew.close();
    }));

  it("is used by the keyboard alone, and the focus stays where it was when records change", () =>
    opened(async (page, { admin }) => {
      await shows(page, ...all);
      const tab = () => page.keyboard.press("Tab");
      const focused = () =>
        page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
      await tab();
      equal(await focused(), "Skip to the content");
      await page.keyboard.press("Enter");
      const edit = "Edit api.example.com. A 192.0.2.2";
      for (let n = 0; n < 16 && (await focused()) !== edit; n += 1) await tab();
      admin.addRecord("example.com", { name: "aaa", type: "A", value: "192.0.2.9" });
      await sees(page, "aaa", { exact: true });
      equal(await focused(), edit);
      await page.keyboard.press("Enter");
      await page.getByLabel("Value").focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.type("192.0.2.55");
      await tab();
      await tab();
      await page.keyboard.type("120");
      await page.keyboard.press("Enter");
      await sees(page, "192.0.2.55", { exact: true });
      ok(admin.zoneText("example.com").includes("api 120 A 192.0.2.55"));
    }));

  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    it(`has no fault that axe finds, in ${colorScheme} at a width of ${width}, and no view is wider than its window`, () =>
      opened(
        async (page, { admin }) => {
          admin.disableRecord("example.com", { name: "www", type: "A" });
          await sees(page, "shop", { exact: true });
          await examine(page, "records");
          for (const view of ["Add a record", "Add a domain"]) {
            await follow(page, view);
            await page.getByRole("heading", { name: view }).waitFor();
            await sees(page, "Live", { exact: true });
            await examine(page, view);
          }
        },
        { colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" },
      ));
  }
});
