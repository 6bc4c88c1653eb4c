import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { execFile } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../../emulator";
import { inFolder } from "../cli/run";
import { cliProcess } from "../package/process";
import { blocksOf, commandsOf, shows } from "../support/page";
import { freePort } from "../support/ports";

const page = "docs/emulator.md";
const run = promisify(execFile);

/** The page's commands, with free ports in the place of its own. */
function commandsWith(port: number, dnsPort: number) {
  const local = (text: string) => text.replaceAll("8053", String(port)).replaceAll("5353", String(dnsPort));
  const [start, ...others] = blocksOf(page)
    .filter(({ language }) => language === "console")
    .flatMap(commandsOf);
  ok(start);
  const known = (line: string) =>
    local(line)
      .replace(/_console\/[\w-]+/, "_console/…")
      .replace(/\d,[0-9a-f]{32}/, (token) => `${token.slice(0, 2)}…`);
  const restarts = others.filter(({ command }) => command.startsWith("pulumi-legacydns"));
  const asked = others.filter(({ command }) => command.startsWith("dig "));
  const script = others
    .filter((each) => !restarts.includes(each) && !asked.includes(each))
    .map(({ command }) => local(command).replaceAll("curl -s", "curl -sS --fail"));
  return {
    start,
    args: local(start.command).split(" ").slice(1),
    prints: start.prints.map(known),
    restarts,
    asked,
    script,
  };
}

describe("the page of the emulator", () => {
  it("shows commands that work, and the output of the first one", () =>
    inFolder(async (folder) => {
      const [port, dnsPort] = [await freePort(), await freePort()];
      const { start, args, prints, restarts, asked, script } = commandsWith(port, dnsPort);
      const tell = async (printed: string) => {
        shows(page, start.command, prints, printed);
        const { stdout } = await run("bash", ["-ec", script.join("\n")], { cwd: folder });
        match(stdout, /192\.0\.2\.1/);

        const resolver = new Resolver();
        resolver.setServers([`127.0.0.1:${dnsPort}`]);
        equal(asked.length, 2);
        await rejects(resolver.resolve4("www.example.com"), { code: "EREFUSED" });

        deepEqual(
          restarts.map((each) => each.command),
          ["pulumi-legacydns emulator --snapshot state.json"],
        );
        const state = JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) as object;
        await (await startEmulator({ ...state, port: 0 })).close();
      };
      await cliProcess(args, tell, { ready: /curl[^\n]*\n/ });
    }));

  it("shows a state file that the emulator starts from", async () => {
    const [state] = blocksOf(page).filter(({ language }) => language === "json");
    const emulator = await startEmulator({ ...(JSON.parse(state?.text ?? "") as object), port: 0 });
    deepEqual(emulator.admin.zoneText("example.com"), ["www 600 A 192.0.2.1"]);
    await emulator.close();
  });
});
