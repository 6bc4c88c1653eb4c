/** What concerns the account and not its zones: who is told of by the User-Agent, and logins that fail. */
import assert from "node:assert/strict";
import { startService, settingsOf } from "../support/service";
import { Stack } from "../support/stack";

const program = `
const look = ["example.com", "example.net"].flatMap((domain) => [dns.getDomain({ domain }), dns.getPurview({ domain }), dns.getRecords({ domain })]);
for (const each of look) each.catch(() => undefined);
new dns.Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" });
new dns.Record("api", { domain: "example.com", name: "api", type: "A", value: "192.0.2.2" });
new dns.DomainShare("share", { domain: "example.com", email: "friend@example.org", mode: "r" });
exports.plans = Promise.all(look).then((all) => all.length);
`;
const domains = [
  { name: "example.com", shares: [{ email: "friend@example.org", mode: "r" as const }] },
  "example.net",
];

describe("A stack whose contact is not set", () => {
  it("says so once a run, in its preview or its update, with the way to set it, whether look-ups or resources call first", async () => {
    const service = await startService({ domains });
    const { LEGACYDNS_CONTACT: _contact, ...env } = settingsOf(service);
    const stack = await Stack.create({ program, env: { ...env, LEGACYDNS_CONTACT: "" } });
    try {
      const reminders = (output: string): number =>
        output.split("\n    warning: the service bans clients that do not say whom to write to").length - 1;
      const up = await stack.upWithPreview();
      assert.equal(up.code, 0, up.output);
      assert.equal(reminders(up.output), 1, up.output);
      assert.match(up.output, /pulumi config set legacydns:contact you@example\.com/);
      assert.match(up.output, /export LEGACYDNS_CONTACT=you@example\.com/);
      const refresh = await stack.refresh();
      assert.equal(reminders(refresh.output), 1, refresh.output);
      const told = await stack.runWith(
        { LEGACYDNS_CONTACT: "me@example.com" },
        "refresh",
        "--yes",
        "--skip-preview",
      );
      assert.equal(reminders(told.output), 0, told.output);
    } finally {
      await stack.dispose();
      await service.close();
    }
  });
});
