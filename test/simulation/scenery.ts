/** The dice choose the service and the settings of the programs. */
import { shapes, type SettingsInput } from "../../emulator";
import type { Scene } from "./troubles";

type Choosing = Pick<Scene, "dice" | "domains" | "has">;

export function serviceSettings({ dice, has }: Choosing, indexDelay: number): SettingsInput {
  const delay = () => dice.pick([null, null, null, 0, indexDelay / 2]);
  return {
    indexDelay,
    identical: dice.chance(0.7) ? "accept" : "refuse",
    ...(has("eras") && {
      answers: dice.pick(shapes.filter((shape) => shape !== "english" || !has("lines"))),
    }),
    ...(has("full") && { undocumented: true, modifyDelay: delay(), removeDelay: delay() }),
  };
}

/** Records that exist before the first run. */
export function fill({ admin, dice, domains }: Scene): void {
  for (let i = dice.between(0, 3); i > 0; i -= 1) {
    const value = dice.pick(["192.0.2.1", "192.0.2.77"]);
    const input = { name: dice.pick(["www", "api", "old"]), type: "A", value };
    try {
      admin.addRecord(dice.pick(domains), input, { indexed: true });
    } catch {}
  }
}

export function programSettings(
  { dice, domains, has }: Choosing,
  indexDelay: number,
): Record<string, string> {
  const full = has("full");
  const retains = has("retain") && dice.chance(0.4);
  return {
    LEGACYDNS_BASE_URL: "https://dns-host.example/api",
    LEGACYDNS_CONTACT: "tests@example.com",
    LEGACYDNS_INDEX_DELAY: String(indexDelay),
    LEGACYDNS_JOB_TIMEOUT: String(dice.pick([20, 60, 120])),
    LEGACYDNS_MAX_RECORDS_PER_JOB: String(dice.pick([1000, 1000, 2, 3])),
    LEGACYDNS_REMOVAL: retains ? "retain" : full ? "delete" : "verify",
    ...(full && { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" }),
    ...(full && dice.chance(0.85) && { LEGACYDNS_CONFIRMED_DOMAINS: domains.join(",") }),
  };
}
