/** The environment of an engine in a test or a demo: quiet, offline, without the user's own Pulumi. */
import { mkdirSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pathOf } from "../support/programs";
import type { Engine } from "./programs";

interface EngineFolders {
  readonly home: string;
  readonly backend: string;
  /** Default: the environment of this process. Its PULUMI_ variables are dropped, except the provider's own. */
  readonly env?: NodeJS.ProcessEnv;
}

export function engineEnvironment({ bin }: Pick<Engine, "bin">, folders: EngineFolders): NodeJS.ProcessEnv {
  const { home, backend, env = process.env } = folders;
  for (const folder of [home, backend]) mkdirSync(folder, { recursive: true });
  const inherited = Object.entries(env).filter(
    ([name]) =>
      (!name.startsWith("PULUMI_") || name.startsWith("PULUMI_LEGACYDNS_")) &&
      // The engine would continue the trace of a surrounding pipeline.
      name !== "TRACEPARENT" &&
      name.toUpperCase() !== "PATH",
  );
  const path = pathOf(env).split(delimiter);
  return {
    ...Object.fromEntries(inherited),
    PATH: [...(path.find((folder) => folder !== "") === bin ? [] : [bin]), ...path].join(delimiter),
    PULUMI_HOME: resolve(home),
    PULUMI_BACKEND_URL: pathToFileURL(resolve(backend)).href,
    PULUMI_CONFIG_PASSPHRASE: "not a secret",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_DISABLE_CI_DETECTION: "true",
    PULUMI_DIY_BACKEND_NO_LEGACY_WARNING: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
}
