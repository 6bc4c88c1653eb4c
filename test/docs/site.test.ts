import { deepEqual, doesNotMatch, equal, match, ok, throws } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { relinked, siteOf, writeSite } from "../../docs/site/pages";
import { inFolder } from "../cli/run";
import { linkedFrom, read, root } from "../support/page";

describe("the documentation site", () => {
  const { pages, english, chinese } = siteOf(root);

  it("has every page of docs/README.md once in its navigation, in the order of that page", () => {
    const sources = new Map([...pages].map(([source, address]) => [`/${address}`, source]));
    const shown = [...english, ...chinese].flatMap(({ items }) => items.map(({ link }) => sources.get(link)));
    deepEqual(shown, linkedFrom("docs/README.md"));
    equal(sources.size, pages.size, "two pages have one address");
    deepEqual(
      chinese.flatMap(({ items }) => items.map(({ link }) => link)),
      ["/zh/index.md", "/zh/get-started.md"],
    );
  });

  it("has pages whose links lead to its pages and pictures, or to the repository", () =>
    inFolder((folder) => {
      writeSite(root, folder, []);
      for (const address of pages.values())
        relinked(readFileSync(join(folder, address), "utf8"), (target) => {
          const path = /^\/(.*)$/.exec(target)?.[1] ?? "";
          const file = join(folder, path.endsWith(".svg") ? "public" : "", path);
          ok(path !== "" && existsSync(file), `${address}: ${target}`);
          return target;
        });
    }));

  it("keeps addresses, anchors and fences as they are", () => {
    const page = "[a](b.md#c) [d](#e) ![f](g.svg) [h](https://i.example)\n```md\n[a](b.md)\n```\n";
    equal(
      relinked(page, (target) => `/${target}`),
      "[a](/b.md#c) [d](#e) ![f](/g.svg) [h](https://i.example)\n```md\n[a](b.md)\n```\n",
    );
    const isMissing = () => {
      throw new Error("no file");
    };
    throws(() => relinked("[a](b.md)", isMissing), /no file/);
  });

  it("is built from a lock file without addresses, by one version, and fails if a link is dead", () => {
    const lock = read("docs/site/package-lock.json");
    doesNotMatch(lock, /"resolved"|https?:\/\/(?!opencollective|github\.com|paypal)[^"]*\.tgz/);
    match(read("docs/site/package.json"), /"vitepress": "\d+\.\d+\.\d+"/);
    doesNotMatch(read("docs/site/.vitepress/config.mts"), /ignoreDeadLinks/);
  });
});
