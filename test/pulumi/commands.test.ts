/** The commands of `pulumi` that the documentation names: the real engine has each with its options. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureEngine } from "../../tools/engine/index";
import { named, optionsOf } from "../support/page";

/** Options that the engine's help hides. test/pulumi/saved-plan.test.ts uses both. */
const hidden = ["up --plan", "preview --save-plan"];
/** Options that the pages name with the later engine that has them (docs/native.md, Installation). */
const later = ["package add --server"];
const unlisted: ReadonlySet<string> = new Set([...hidden, ...later]);

describe("the commands in the documentation", () => {
  it("of pulumi have the options that the real engine has", async () => {
    const { bin } = await ensureEngine({ say: () => undefined });
    const groups = new Set(["config", "stack", "plugin", "policy", "state", "package"]);
    const wanted = new Map<string, { readonly where: string; readonly option: string }[]>();
    for (const { page, words } of named("pulumi")) {
      const [, first = "", second = ""] = words;
      // The options of `do` are the inputs of the named type. test/pulumi/native.test.ts uses them.
      if (first === "do" || !/^[a-z][a-z-]*$/.test(first)) continue;
      const command = groups.has(first) && /^[a-z][a-z-]*$/.test(second) ? `${first} ${second}` : first;
      const list = optionsOf(words).map((option) => ({ where: `${page}: ${words.join(" ")}`, option }));
      wanted.set(command, [...(wanted.get(command) ?? []), { where: page, option: "--help" }, ...list]);
    }
    assert.ok(wanted.size > 8);
    const help = async (command: string) =>
      (await promisify(execFile)(join(bin, "pulumi"), [...command.split(" "), "--help"])).stdout;
    for (const [command, list] of wanted) {
      const text = await help(command);
      const [, usage = "", aliases = ""] =
        /^Usage:\n {2}pulumi ([a-z -]+\w)[^]*?(?:^Aliases:\n {2}(.*)$|^Flags:)/m.exec(text) ?? [];
      const last = command.split(" ").at(-1) ?? "";
      assert.ok(
        usage === command || aliases.split(", ").includes(last),
        `${list[0]?.where ?? ""}: pulumi ${command} is no command, but ${usage}`,
      );
      for (const { where, option } of list.filter(({ option }) => !unlisted.has(`${command} ${option}`)))
        assert.match(text, new RegExp(`(^|\\s)${option}\\b`, "m"), `${where}: ${option}`);
    }
  });
});
