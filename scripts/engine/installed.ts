/**
 * The way `path`: the user's own engine, which is never changed, only asked whether it is complete and new enough.
 */
import { dirname } from "node:path";
import {
  CLI,
  DYNAMIC_PROVIDER,
  findCompanion,
  findOnPath,
  isNewEnough,
  MINIMUM_VERSION,
  NODEJS_HOST,
  versionOf,
} from "./programs";
import { type Engine, WayClosed } from "./ways";

const INSTALL = `install Pulumi ${MINIMUM_VERSION} or newer (below 4) and put it on the PATH`;

/**
 * The engine on the PATH of `env`.
 *
 * @throws WayClosed when there is none, when it is too old or too new, or when a program beside it is missing.
 */
export async function installedEngine(env: NodeJS.ProcessEnv): Promise<Engine> {
  const pulumi = await findOnPath(CLI, env);
  if (pulumi === undefined) throw new WayClosed("there is no pulumi on the PATH", INSTALL);
  let version: string;
  try {
    version = await versionOf(pulumi, env);
  } catch (cause) {
    throw new WayClosed(cause instanceof Error ? cause.message : String(cause), INSTALL, { cause });
  }
  if (!isNewEnough(version)) {
    throw new WayClosed(
      `${pulumi} is version ${version}; ${MINIMUM_VERSION} or newer, below 4, is needed`,
      INSTALL,
    );
  }
  for (const companion of [NODEJS_HOST, DYNAMIC_PROVIDER]) {
    if ((await findCompanion(companion, pulumi, env)) === undefined) {
      throw new WayClosed(
        `${pulumi} ${version} has no ${companion}, neither beside it nor on the PATH`,
        "install Pulumi's whole distribution, which brings its language hosts",
      );
    }
  }
  return { bin: dirname(pulumi), source: "path", version };
}
