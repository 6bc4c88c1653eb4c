/** The facts of package.json. The schema and the SDKs take their addresses from `repository` there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/main";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly [field in "name" | "version" | "license" | "description"]: string;
} & { readonly engines: { readonly node: string }; readonly repository: { readonly url: string } };
const [, path = ""] =
  /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)\.git$/.exec(manifest.repository.url) ?? [];
if (path === "")
  throw new Error("package.json: repository.url must be git+https://github.com/OWNER/NAME.git");

export const project = {
  ...manifest,
  owner: path.split("/", 1).join(),
  repository: `https://github.com/${path}`,
  /** The engine downloads the plugin from the releases there. */
  pluginDownloadURL: `github://api.github.com/${path}`,
  logoUrl: `https://raw.githubusercontent.com/${path}/main/docs/logo.svg`,
  goModule: `github.com/${path}/sdk/go/legacydns`,
} as const;
