/** The service's console in a real browser, by mouse and keyboard, in dark and in light. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { startEmulator, type Emulator, type StartOptions } from "../../emulator";
import { inConsole, startBrowser } from "../support/browser";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
let browser: Browser;

before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

async function withEmulator(
  options: StartOptions,
  tell: (emulator: Emulator) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator({ domains: ["example.com", "example.net"], ...options });
  try {
    for (const [name, type, value] of [
      ["www", "A", "192.0.2.1"],
      ["api", "A", "192.0.2.2"],
      ["api", "AAAA", "2001:db8::2"],
      ["shop", "CNAME", "www.example.com"],
    ] as const) {
      emulator.admin.addRecord("example.com", { name, type, value, ttl: 600 });
    }
    await tell(emulator);
  } finally {
    await emulator.close();
  }
}

const rows = (page: Page): Promise<string[]> =>
  page.locator("main table tbody tr").evaluateAll((all) =>
    all
      .map((row) =>
        [...row.querySelectorAll("td")]
          .slice(0, 3)
          .map((cell) => cell.textContent)
          .join(" "),
      )
      .filter((text) => !text.startsWith("@ NS")),
  );

const press = (on: Page | Locator, name: string): Promise<void> => on.getByRole("button", { name }).click();
const sees = (page: Page, text: string, options?: { exact: true }): Promise<void> =>
  page.getByText(text, options).waitFor();

/** Waits until the page shows these records. */
async function shows(page: Page, ...expected: string[]): Promise<void> {
  const late = Date.now() + 30_000;
  let seen = await rows(page);
  while (JSON.stringify(seen) !== JSON.stringify(expected) && Date.now() < late) {
    await page.waitForTimeout(50);
    seen = await rows(page);
  }
  assert.deepEqual(seen, expected);
}

const all = ["api A 192.0.2.2", "api AAAA 2001:db8::2", "shop CNAME www.example.com.", "www A 192.0.2.1"];

const call = async (emulator: Emulator, operation: string, params: Record<string, string>): Promise<void> => {
  await fetch(`${emulator.url}/${operation}`, {
    method: "POST",
    body: new URLSearchParams({ login_token: emulator.token, format: "json", ...params }),
  });
};

describe("the console in a browser", () => {
  it("shows the records of a domain as they change, and finds them by words, type and state", () =>
    withEmulator({}, (emulator) =>
      inConsole(browser, emulator, async (page) => {
        await shows(page, ...all);
        const search = page.getByRole("searchbox", { name: "Search records" });
        await search.fill("API 192");
        await shows(page, "api A 192.0.2.2");
        await sees(page, "1 of 6 records");
        await search.fill("");
        await page.getByLabel("Type", { exact: true }).selectOption("CNAME");
        await shows(page, "shop CNAME www.example.com.");
        await page.getByLabel("Type", { exact: true }).selectOption("");
        emulator.admin.disableRecord("example.com", { name: "www", type: "A" });
        await page.getByLabel("State").selectOption("disabled");
        await shows(page, "www A 192.0.2.1");
        await page.getByLabel("State").selectOption("");
        emulator.admin.addRecord("example.com", { name: "new", type: "A", value: "192.0.2.9" });
        await shows(page, ...all.slice(0, 2), "new A 192.0.2.9", ...all.slice(2));
        await page.getByRole("link", { name: /^example\.net/ }).click();
        await page.getByRole("heading", { name: "example.net" }).waitFor();
        await shows(page);
        for (let n = 1; n <= 120; n += 1)
          emulator.admin.addRecord("example.net", {
            name: `m${String(n).padStart(3, "0")}`,
            type: "A",
            value: "192.0.2.1",
          });
        await press(page, "Next");
        await sees(page, "101 to 122");
        await sees(page, "m120", { exact: true });
      }),
    ));

  it("adds, changes, disables, enables and removes a record, and shows refusals", () =>
    withEmulator({}, (emulator) =>
      inConsole(browser, emulator, async (page) => {
        await press(page, "Add record");
        const form = page.getByRole("dialog", { name: "Add a record to example.com" });
        await form.getByLabel("Name", { exact: true }).fill("mail");
        await form.getByLabel("Value").fill("192.0.2.300");
        await form.getByLabel("TTL").fill("soon");
        await press(form, "Add record");
        await form.getByRole("alert").getByText("TTL in seconds must be a whole number, not soon").waitFor();
        await form.getByLabel("TTL").fill("900");
        await press(form, "Add record");
        await form.getByRole("alert").getByText("Record value 192.0.2.300 is not valid for A").waitFor();
        await form.getByLabel("Type").selectOption("MX");
        await form.getByLabel("Value").fill("mx1.example.org");
        await form.getByLabel("Priority").fill("5");
        await press(form, "Add record");
        await sees(page, "Added mail.example.com. MX mx1.example.org.");
        assert.ok(emulator.admin.zoneText("example.com").includes("mail 900 MX 5 mx1.example.org."));

        await press(page, "Edit www.example.com. A");
        await page.getByRole("dialog").getByLabel("Value").fill("192.0.2.77");
        await page.getByRole("dialog").getByLabel("TTL").fill("60");
        await press(page, "Save changes");
        await sees(page, "Changed www.example.com. A: value, ttl");
        assert.ok(emulator.admin.zoneText("example.com").includes("www 60 A 192.0.2.77"));

        const state = page.getByRole("switch", { name: "www.example.com. A 192.0.2.77 is enabled" });
        await state.click();
        await sees(page, "Disabled www.example.com. A");
        assert.ok(emulator.admin.zoneText("example.com").includes("www 60 A 192.0.2.77 (disabled)"));
        await page.getByRole("switch", { name: "www.example.com. A", checked: false }).waitFor();
        await state.click();
        await sees(page, "Enabled www.example.com. A");
        assert.ok(emulator.admin.zoneText("example.com").includes("www 60 A 192.0.2.77"));

        await press(page, "Remove www.example.com. A");
        await press(page.getByRole("dialog", { name: "Remove this record?" }), "Remove record");
        await shows(page, ...all.slice(0, 2), "mail MX 5 mx1.example.org.", "shop CNAME www.example.com.");
        await page.getByLabel("Status of example.com").selectOption("lock");
        await sees(page, "example.com is locked");
        assert.equal(emulator.admin.domains()[0]?.status, "lock");
        await press(page, "Add a domain");
        await page.getByRole("dialog").getByLabel("Name").fill("third.example");
        await press(page, "Add domain");
        await page.getByRole("heading", { name: "third.example" }).waitFor();
      }),
    ));

  it("shows a record's data as text, even if it looks like markup", () =>
    withEmulator({}, async (emulator) => {
      const value = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
      emulator.admin.addRecord(
        "example.com",
        { name: "evil", type: "TXT", value, remark: "</td><b>bold</b>" },
        { force: true },
      );
      await inConsole(browser, emulator, async (page) => {
        await sees(page, value);
        await sees(page, "</td><b>bold</b>");
        assert.equal(await page.locator("main img, main b, main script").count(), 0);
        await press(page, "Remove evil.example.com. TXT");
        await page.getByRole("dialog").getByText(value).waitFor();
      });
    }));

  it("shows jobs with their progress, and holds, releases and finishes one", () =>
    withEmulator({ settings: { stickAfter: 3, jobStartMs: 0, jobMs: 1 } }, (emulator) =>
      inConsole(browser, emulator, async (page) => {
        await page.getByRole("link", { name: "Jobs" }).click();
        await sees(page, "No jobs yet");
        const records = Array.from({ length: 8 }, (_, n) => ({
          sub_domain: `j${n}`,
          record_type: "A",
          record_line: "默认",
          value: n === 1 ? "nonsense" : "192.0.2.1",
        }));
        await call(emulator, "Batch.Record.Create", {
          domain_id: String(emulator.admin.domains()[0]?.id),
          records: JSON.stringify(records),
        });
        await sees(page, "3 of 8 done, 1 refused");
        await sees(page, "held", { exact: true });
        await sees(page, "Adds 8 records in example.com");
        assert.equal(await page.getByRole("progressbar").getAttribute("value"), "3");
        await page.locator("summary", { hasText: "Records" }).click();
        await sees(page, "Record value nonsense is not valid for A");
        emulator.admin.set({ jobMs: 60_000, stickAfter: null });
        await press(page, "Release job");
        await sees(page, "done", { exact: true });
        await sees(page, "8 of 8 done, 1 refused");
        await call(emulator, "Batch.Record.Create", {
          domain_id: String(emulator.admin.domains()[0]?.id),
          records: JSON.stringify(records.map((each) => ({ ...each, sub_domain: `${each.sub_domain}x` }))),
        });
        await press(page, "Hold job");
        await sees(page, "held", { exact: true });
        await press(page, "Finish job");
        await page.getByText("held", { exact: true }).waitFor({ state: "detached" });
        assert.equal(emulator.admin.zone("example.com").length, 4 + 14);
      }),
    ));

  it("shows calls live, with their parameters and faults; faults are switched on and off", () =>
    withEmulator({}, (emulator) =>
      inConsole(browser, emulator, async (page) => {
        await page.getByRole("link", { name: "Faults" }).click();
        await press(page, "Switch on: Too many requests");
        await sees(page, "hit 0 of 3");
        await call(emulator, "Domain.List", {});
        await sees(page, "hit 1 of 3");
        await press(page, "Switch off: http, status 429");
        await sees(page, "None: every call reaches the service");
        await press(page, "Describe another fault");
        const form = page.getByRole("dialog");
        await form.getByLabel("Kind").selectOption("code");
        await form.getByLabel("Calls").selectOption("Domain.Info");
        await form.getByLabel("Code", { exact: true }).fill("-42");
        await press(form, "Switch on");
        await sees(page, "Domain.Info, before they take effect");

        await page.getByRole("link", { name: /^Calls/ }).click();
        await sees(page, "fault: before http");
        await call(emulator, "Record.List", { domain: "nowhere.example" });
        await page.locator("summary", { hasText: "Record.List" }).getByText("code 13").waitFor();
        await page.locator("summary", { hasText: "Record.List" }).click();
        await page.getByRole("definition").getByText("(redacted)").waitFor();
        await page.getByRole("searchbox", { name: "Search calls" }).fill("record.list");
        await page.locator("summary", { hasText: "Domain.List" }).waitFor({ state: "detached" });
        await press(page, "Clear the log");
        await sees(page, "No calls yet");
      }),
    ));

  it("reconnects after a lost connection, and shows that meanwhile; a new start has a new address", () =>
    withEmulator({}, async (emulator) => {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(emulator.consoleUrl ?? "");
        await sees(page, "Live", { exact: true });
        await emulator.mute();
        await sees(page, "Connection lost: trying again");
        emulator.admin.addRecord("example.com", { name: "meanwhile", type: "A", value: "192.0.2.9" });
        await emulator.listen();
        await sees(page, "meanwhile", { exact: true });
        await emulator.close();
        const anew = await startEmulator({ port: emulator.port });
        await sees(page, "The emulator was started anew: open the address that it printed");
        await anew.close();
      } finally {
        await context.close();
      }
    }));

  it("is used by the keyboard alone, and the focus stays where it was when records change", () =>
    withEmulator({}, (emulator) =>
      inConsole(browser, emulator, async (page) => {
        await shows(page, ...all);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to the content");
        await page.keyboard.press("Enter");
        const focused = (): Promise<string> =>
          page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
          );
        for (let n = 0; n < 12 && (await focused()) !== "Edit api.example.com. A 192.0.2.2"; n += 1)
          await page.keyboard.press("Tab");
        emulator.admin.addRecord("example.com", { name: "aaa", type: "A", value: "192.0.2.9" });
        await sees(page, "aaa", { exact: true });
        assert.equal(await focused(), "Edit api.example.com. A 192.0.2.2");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("192.0.2.55");
        await page.keyboard.press("Tab");
        await page.keyboard.type("120");
        await page.keyboard.press("Enter");
        await sees(page, "Changed api.example.com. A: value");
        await sees(page, "192.0.2.55", { exact: true });
        assert.equal(await focused(), "Edit api.example.com. A 192.0.2.55");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }),
    ));

  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    it(`has no fault that axe finds, in ${colorScheme} at a width of ${width}, and no view is wider than its window`, () =>
      withEmulator({ settings: { stickAfter: 1, jobStartMs: 0 } }, async (emulator) => {
        emulator.admin.disableRecord("example.com", { name: "www", type: "A" });
        emulator.admin.addFault({ kind: "http", status: 503, count: 1 });
        await call(emulator, "Batch.Record.Create", {
          domain_id: String(emulator.admin.domains()[0]?.id),
          records: JSON.stringify([
            { sub_domain: "j1,j2", record_type: "A", record_line: "默认", value: "192.0.2.1" },
          ]),
        });
        await call(emulator, "Domain.List", {});
        await inConsole(
          browser,
          emulator,
          async (page) => {
            const examine = async (what: string): Promise<void> => {
              await page.evaluate(axe);
              const found = await page.evaluate(
                "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))",
              );
              assert.deepEqual(found, [], what);
              assert.ok(
                await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                `${what} fits`,
              );
            };
            await sees(page, "shop", { exact: true });
            await examine("records");
            await press(page, "Edit www.example.com. A");
            await page.getByRole("dialog").waitFor();
            await examine("the form");
            await page.keyboard.press("Escape");
            for (const view of ["Jobs", "Calls", "Faults", "Settings"]) {
              await page.getByRole("link", { name: view }).click();
              await page.getByRole("heading", { name: view, exact: true }).waitFor();
              await examine(view);
            }
          },
          { colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" },
        );
      }));
  }
});
