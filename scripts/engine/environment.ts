/**
 * The environment in which an engine runs for a test or a demo: its own home, a backend in a folder, no question, no
 * download, no word to anyone, and nothing inherited from the user's own Pulumi.
 */
import { mkdirSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pathOf } from "./programs";
import type { Engine } from "./ways";

/** Where the engine keeps what it keeps. */
export interface EngineFolders {
  /** PULUMI_HOME: credentials, workspaces, plugins. Made when it is missing. */
  readonly home: string;
  /** The folder of the states. Made when it is missing. */
  readonly backend: string;
  /** Encrypts the secrets in the states; any text will do for states that nobody keeps. */
  readonly passphrase?: string;
  /** What is inherited; without it the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The environment for `engine`, its programs first on the PATH. Variables of the provider itself are kept. */
export function engineEnvironment(engine: Pick<Engine, "bin">, folders: EngineFolders): NodeJS.ProcessEnv {
  const base = folders.env ?? process.env;
  const { home, backend, passphrase = "not a secret" } = folders;
  for (const folder of [home, backend]) mkdirSync(folder, { recursive: true });
  const inherited = Object.entries(base).filter(
    ([name]) =>
      (!name.startsWith("PULUMI_") || name.startsWith("PULUMI_LEGACYDNS_")) &&
      // Traces of a surrounding pipeline would be continued by the engine.
      name !== "TRACEPARENT" &&
      name.toUpperCase() !== "PATH",
  );
  // An engine that the PATH finds anyway stays where it is: moving its folder to the front could change which
  // Node.js runs the program.
  const path = pathOf(base);
  const first = path.split(delimiter).find((folder) => folder !== "");
  return {
    ...Object.fromEntries(inherited),
    PATH: first === engine.bin ? path : [engine.bin, path].filter((part) => part !== "").join(delimiter),
    PULUMI_HOME: resolve(home),
    PULUMI_BACKEND_URL: pathToFileURL(resolve(backend)).href,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_DISABLE_CI_DETECTION: "true",
    PULUMI_DIY_BACKEND_NO_LEGACY_WARNING: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
}
