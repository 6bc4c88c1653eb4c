/** Ctrl-C, through the real engine: what was sent is finished and saved, and nothing more is sent. */
import assert from "node:assert/strict";
import { bare } from "../support/native";
import { until } from "../support/processes";
import { countsOf, zoneLines } from "../support/service";
import { story } from "../support/story";

describe("the native plugin, stopped by the first Ctrl-C", () => {
  it("finishes the job that is on its way, saves it, and sends no other; the next up makes the rest", () =>
    story(
      {
        plugin: true,
        service: { settings: { jobMs: 500 } },
        env: { LEGACYDNS_MAX_RECORDS_PER_JOB: "5" },
        program: `${bare} new RecordBatch("hosts", { domains: ["example.com"], records: Array.from({ length: 30 }, (_, i) => ({ name: "host" + i, type: "A", value: "192.0.2." + (i + 1), ttl: 600 })) });`,
      },
      async ({ emulator, stack, up, quietUp }) => {
        const running = stack.start({}, "up", "--yes", "--skip-preview");
        await until("a job is sent", () => (countsOf(emulator)["Batch.Record.Create"] ?? 0) > 0);
        process.kill(running.pid, "SIGINT");
        const stopped = await running.ended;
        const made = zoneLines(emulator, "example.com").length;
        assert.ok(made > 0 && made < 30, `${made} records:\n${stopped.output}`);
        const [hosts] = await stack.resources();
        assert.match(String(hosts?.outputs?.["__ledger"]), /^ledger 2\n\+ /, stopped.output);
        await stack.run("cancel", "--yes");
        await up();
        assert.equal(zoneLines(emulator, "example.com").length, 30);
        await quietUp();
      },
    ));
});
