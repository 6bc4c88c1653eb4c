/** Promise 9: a failed login stops all calls. */
import { equal } from "node:assert/strict";
import { record } from "../support/programs";
import { byBothFrontEnds } from "../support/story";

const program = `
const look = ["example.com", "example.net"].flatMap((domain) => [dns.getDomain({ domain }), dns.getPurview({ domain }), dns.getRecords({ domain })]);
for (const each of look) each.catch(() => undefined);
${record("www", "192.0.2.1")}${record("api", "192.0.2.2")}
exports.plans = Promise.all(look).then((all) => all.length);`;

describe("promise 9: calm", () => {
  byBothFrontEnds(
    "a wrong token is sent once by a machine, whether look-ups or resources call first",
    { program, env: { LEGACYDNS_LOGIN_TOKEN: "1,wrong" } },
    async ({ admin, stack, failing }) => {
      await failing();
      equal(admin.calls().length, 1);
      await stack.preview();
      equal(admin.calls().length, 1);
    },
  );
});
