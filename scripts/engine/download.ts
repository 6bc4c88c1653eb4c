/** Pulumi's own installer. */
import { join } from "node:path";
import { reasonOf } from "../support/run";

/**
 * Installs the SDK's version.
 *
 * @param patience in ms. A closed network often swallows packets, and the installer would wait for minutes
 * @returns the folder of its programs, below `scratch`
 */
export async function download(
  scratch: string,
  site = "https://get.pulumi.com/",
  patience = 4_000,
): Promise<string> {
  try {
    const signal = AbortSignal.timeout(patience);
    await (await fetch(site, { method: "HEAD", redirect: "manual", signal })).body?.cancel();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${site} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  await PulumiCommand.install({ root: scratch });
  return join(scratch, "bin");
}
