/** Settings as the engine gives them, and the problems of wrong ones. */
import { ok } from "node:assert/strict";
import { messageOf } from "../../provider/problems";
import { parseSettings, SettingsError, type SettingsSource } from "../../provider/settings";

const good = { "legacydns:baseUrl": "https://dns.example/api/", "legacydns:loginToken": "1,t0ken-value" };
const namespaced = (config: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name.includes(":") ? name : `legacydns:${name}`, value]),
  );
export const contact = { "legacydns:contact": "you@example.com" };
export const source = (
  config: Record<string, unknown> = {},
  env: Record<string, string> = {},
  explicit = false,
): SettingsSource => ({
  config: { ...good, ...(explicit ? config : namespaced(config)) },
  env: { HOME: "/home/user", ...env },
  explicit,
});
export function problemsOf(wrong: SettingsSource): Record<string, string> {
  try {
    parseSettings(wrong);
  } catch (error) {
    ok(error instanceof SettingsError, String(error));
    const texts = error.problems.map((problem) => [problem.setting, messageOf(problem)] as const);
    for (const [, text] of texts) ok(error.message.includes(text));
    return Object.fromEntries(texts);
  }
  return {};
}
