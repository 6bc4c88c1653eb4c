import { ok } from "node:assert/strict";
import { LegacyDnsError, type Client } from "../../provider/api";
import { fresh, full, fullService, fullSettings, hosts, labs, modify, type Lab } from "../support/lab";

const start = labs(
  { settings: { ...fullService.settings, indexDelay: 1 } },
  { ...fullSettings, LEGACYDNS_INDEX_DELAY: "1", LEGACYDNS_REQUEST_TIMEOUT: "1" },
);

/**
 * The answers of changes 1 to 3 and 7 are lost before their effect, those of 4 to 6 after it. The last four
 * are under way at once, and no reading finds one of them out before the answer of change 7 is lost.
 */
function losing({ client, clock }: Lab, asked: string[]): Client {
  let end = (): void => undefined;
  const lost = new Promise<void>((resolve) => (end = resolve));
  return {
    ...client,
    close: () => client.close(),
    call: async (operation, request, options) => {
      const id = "recordId" in request ? String(request.recordId) : "";
      if (operation === "Record.Info" && asked.indexOf(id) > 2) await lost;
      if (operation !== modify) return client.call(operation, request, options);
      const number = asked.push(id);
      while (number > 3 && asked.length < 7) await clock.sleep(40);
      if (number > 3 && number < 7) await client.call(operation, request, options);
      if (number === 7) {
        await clock.sleep(4_000);
        setImmediate(end);
      }
      const target = `record ${id}`;
      throw new LegacyDnsError({ operation, target, meaning: "cut", help: [], outcome: "uncertain" });
    },
  };
}

describe("a series of writes that stops", () => {
  it("names a write whose outcome is unknown, not one that has been found out", async () => {
    const lab = await start();
    const first = await lab.must(full(hosts(8)), fresh);
    const asked: string[] = [];
    const client = losing(lab, asked);
    const changed = full(hosts(8).map((line, i) => line.replace(" 600 ", ` ${700 + i} `)));
    const { failures } = await lab.up(changed, first, lab.reconciler({ client }));
    const stopped = failures.find(({ code }) => code === "write.not-sent");
    const [, named = ""] = /\brecord (\d+)/.exec(String(stopped?.why)) ?? [];
    const foundOut = asked.slice(3, 6);
    ok(asked.includes(named) && !foundOut.includes(named), `${named}, not one of ${foundOut.join(", ")}`);
  });
});
