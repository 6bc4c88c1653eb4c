/** The folder for the files of the provider, and the type of a secret setting. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { inspect } from "node:util";
import { renderAll } from "../provider/problems";
import { defaultStateDir, noStateDir, parseSettings, Secret } from "../provider/settings";
import { contact, problemsOf, source } from "./support/settings";

describe("Settings of the folder", () => {
  it("keep their files where the platform keeps state", () => {
    for (const [env, platform, home, folder] of [
      [{}, "linux", "/home/u", "/home/u/.local/state"],
      [{ XDG_STATE_HOME: "/state" }, "linux", "/home/u", "/state"],
      [{ XDG_STATE_HOME: "relative" }, "linux", "/home/u", "/home/u/.local/state"],
      [{}, "darwin", "/Users/u", "/Users/u/Library/Application Support"],
      [{ LOCALAPPDATA: "" }, "win32", "C:\\Users\\u", "C:\\Users\\u\\AppData\\Local"],
      [{ LOCALAPPDATA: "C:\\Users\\u\\Local" }, "win32", "C:\\Users\\u", "C:\\Users\\u\\Local"],
    ] as const)
      equal(
        defaultStateDir(env, platform, home),
        `${folder}${platform === "win32" ? "\\" : "/"}pulumi-legacydns`,
      );
    equal(parseSettings(source({ stateDir: "~/dns" })).stateDir, "/home/user/dns");
  });

  it("keep no files without a folder of the user's own, and warn", () => {
    equal(defaultStateDir({}, "linux", undefined), undefined);
    const { stateDir, warnings } = parseSettings(source(contact, { HOME: "none" }));
    equal(stateDir, noStateDir);
    match(renderAll(warnings).join(), /^HOME is not set.*pulumi config set legacydns:stateDir \/FOLDER$/s);
    match(problemsOf(source({ stateDir: "~/dns" }, { HOME: "none" }))["stateDir"] ?? "", /absolute path/);
  });
});

describe("A secret", () => {
  it("prints as (secret) however it is printed", () => {
    const secret = new Secret("t0ken");
    const printed = [
      `${secret.toString()}`,
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: { secret } }, { showHidden: true, depth: 9 }),
      String(secret),
    ];
    for (const text of printed) {
      ok(text.includes("(secret)"), text);
      ok(!text.includes("t0ken"), text);
    }
    equal(secret.reveal(), "t0ken");
    deepEqual(Object.keys(secret), []);
  });
});
