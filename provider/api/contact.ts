/**
 * The reminder that the User-Agent names nobody: the service bans clients for that (service-notes, Transport). It is given
 * once a run, though a program and the hosts of its resources are processes of their own, with the first call of any.
 */
import * as path from "node:path";
import { z } from "zod";
import type { Clock } from "../clock";
import { readPrivateJson, writePrivate } from "../private-file";
import type { Settings } from "../settings";

/** How long the processes of one run may begin after each other, in milliseconds. */
const ONE_RUN_MS = 10 * 60_000;

const given = z.object({ run: z.string(), time: z.number() });

export const contactReminder =
  "the service bans clients that do not say whom to write to, and no contact is set. Set it: " +
  "`pulumi config set legacydns:contact you@example.com`, or `export LEGACYDNS_CONTACT=you@example.com` (an explicit Provider takes it as its input `contact`)";

/**
 * Whether to remind: no contact is set, and no process of this run has said so. Notes that it is said now.
 * @param run what the processes of one run have in common; undefined for a process that is a run by itself
 */
export function mustRemind(settings: Pick<Settings, "contact" | "stateDir">, run: string | undefined, clock: Clock): boolean {
  if (settings.contact !== undefined) return false;
  if (run === undefined) return true;
  const file = path.join(settings.stateDir, "contact-reminded.json");
  const last = given.safeParse(readPrivateJson(file));
  if (last.success && last.data.run === run && Math.abs(clock.now() - last.data.time) < ONE_RUN_MS) return false;
  writePrivate(file, `${JSON.stringify({ run, time: clock.now() })}\n`);
  return true;
}
