/** Promise 9: a failed login stops all calls. */
import assert from "node:assert/strict";
import { byBothFrontEnds, story } from "../support/story";

const program = `
const look = ["example.com", "example.net"].flatMap((domain) => [dns.getDomain({ domain }), dns.getPurview({ domain }), dns.getRecords({ domain })]);
for (const each of look) each.catch(() => undefined);
new dns.Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1" });
new dns.Record("api", { domain: "example.com", name: "api", type: "A", value: "192.0.2.2" });
exports.plans = Promise.all(look).then((all) => all.length);`;

describe("promise 9: calm", () => {
  byBothFrontEnds(
    "a wrong token is sent once by a machine, whether look-ups or resources call first",
    (frontEnd) =>
      story(
        { frontEnd, program, env: { LEGACYDNS_LOGIN_TOKEN: "1,wrong" } },
        async ({ emulator, stack, failing }) => {
          await failing();
          assert.equal(emulator.admin.calls().length, 1);
          await stack.preview();
          assert.equal(emulator.admin.calls().length, 1);
        },
      ),
  );
});
