import { deepEqual, ok } from "node:assert/strict";
import { experiments } from "../../tools/bench/experiments";
import { programOf } from "../../cli/program";
import { processTerminal } from "../../cli/terminal";
import { manifest, named, optionsOf, prose } from "../support/page";

describe("the commands in the documentation", () => {
  it("of pulumi-legacydns have the options that the command line has", () => {
    const { commands } = programOf(processTerminal());
    const all = named("pulumi-legacydns").filter(({ words }) => !words[1]?.startsWith("-"));
    ok(all.length > 20);
    for (const { page, words } of all) {
      const command = commands.find((each) => each.name() === words[1]);
      ok(command, `${page}: ${words.join(" ")}: there is no such command`);
      const known = command.options.flatMap(({ long, short }) => [long, short]);
      for (const option of optionsOf(words))
        ok(option === "--help" || known.includes(option), `${page}: ${words.join(" ")}: ${option}`);
    }
  });

  it("of npm run are scripts of the package", () => {
    const all = named("npm").filter(({ words }) => words[1] === "run");
    ok(all.length > 10);
    for (const { page, words } of all) {
      const script = words.slice(2).find((word) => !word.startsWith("-")) ?? "";
      ok(script in manifest.scripts, `${page}: ${words.join(" ")}`);
    }
  });

  it("of the benchmarks have experiments that there are, and the page names all", () => {
    const names = experiments.map(({ name }) => name);
    const [, table = ""] = /^## Experiments\n([^]*?)\n## /m.exec(prose("tools/bench/README.md")) ?? [];
    const listed = (table.match(/^\| `[^|]*/gm) ?? []).join();
    deepEqual([...listed.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort(), names.toSorted());
    const asked = named("npm").flatMap(({ words }) =>
      words.includes("bench") ? words.filter((_, at) => words[at - 1] === "--only") : [],
    );
    ok(asked.length > 0);
    for (const name of asked) ok(names.includes(name), name);
  });
});
