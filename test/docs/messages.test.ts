import { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageRuns, type Run } from "../support/messages";

const page = join(__dirname, "../../docs/messages.md");

const section = ({ title, shown }: Run) => `### ${title}\n\`\`\`text\n${shown.join("\n")}\n\`\`\`\n`;

describe("the page of messages", () => {
  let runs: Awaited<ReturnType<typeof messageRuns>>;
  before(async () => {
    runs = await messageRuns();
  });
  const all = () => [...runs.mistakes, ...runs.faults];

  it("shows what twenty mistakes and twelve faults print now", () => {
    const text = `# Messages
Twenty mistakes and twelve faults, each run once against the emulator. [Errors](errors.md) explains each code.

## Mistakes
${runs.mistakes.map(section).join("\n")}
## Faults
${runs.faults.map(section).join("\n")}`;
    equal(runs.mistakes.length, 20);
    equal(runs.faults.length, 12);
    if (process.env["UPDATE_SNAPSHOTS"] === "1") writeFileSync(page, text);
    equal(readFileSync(page, "utf8"), text);
  });

  it("has no run without a message", () => {
    deepEqual(
      all().filter(({ shown }) => shown.length === 0),
      [],
    );
  });

  it("keeps titles to 100 characters, lines to 160, and lists to three helps and ten records", () => {
    for (const { title, shown } of all())
      for (const text of shown.filter((each) => /^.* \[[\w.-]+\]$/m.test(each.split("\n", 1)[0] ?? ""))) {
        const [first = "", ...others] = text.split("\n");
        ok(first.replace(/^(error|warning): | \[[\w.-]+\]$/g, "").length <= 100, `${title}: ${first}`);
        for (const line of others) ok(line.length <= 160, `${title}: ${line}`);
        const helps = others.filter((line) => line.startsWith("  help: ")).length;
        ok(helps <= 3 && others.length - helps <= 12, title);
      }
  });

  it("prints at most 120 words as diagnostics of an update with four edits in documented mode", () => {
    const edit = runs.faults.find(({ title }) => title === "An edit in documented mode");
    const words =
      edit?.shown
        .filter((text) => text.startsWith("error: "))
        .join(" ")
        .split(/\s+/) ?? [];
    ok(words.length > 40 && words.length <= 120, String(words.length));
  });
});
