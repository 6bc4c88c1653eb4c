import { deepEqual } from "node:assert/strict";
import { silentReporter, streamReporter } from "../../provider/support/reporter";
import { collectingReporter } from "../support/reporter";

const collect = (isTTY: boolean) => {
  const written: string[] = [];
  return { written, stream: { isTTY, columns: 30, write: (text: string) => written.push(text) } };
};

describe("The reporter", () => {
  it("writes a line each and no status without a terminal", () => {
    const { written, stream } = collect(false);
    const reporter = streamReporter(stream);
    reporter.info("done");
    reporter.progress("waiting");
    reporter.warn("look");
    reporter.error("failed");
    deepEqual(written, ["done\n", "warning: look\n", "error: failed\n"]);
  });

  it("overwrites the status on a terminal, and cuts it to one line", () => {
    const { written, stream } = collect(true);
    const reporter = streamReporter(stream);
    reporter.progress("waiting for\nsomething that takes a very long time");
    reporter.progress("still");
    reporter.info("done");
    reporter.info("more");
    deepEqual(written, ["waiting for something that ta", "\r\u001b[Kstill", "\r\u001b[Kdone\n", "more\n"]);
  });

  it("escapes invisible and control characters", () => {
    const { written, stream } = collect(true);
    const reporter = streamReporter(stream);
    for (const level of ["info", "warn", "error", "progress"] as const)
      reporter[level]("a\u202e\u001b[2J\u0007");
    const seen = "a\\u202e\\u001b[2J\\u0007";
    deepEqual(written, [`${seen}\n`, `warning: ${seen}\n`, `error: ${seen}\n`, seen]);
  });

  it("collects its texts for tests, or is silent", () => {
    const reporter = collectingReporter();
    reporter.warn("a");
    reporter.progress("b");
    silentReporter.error("c");
    deepEqual(reporter.lines, [
      { level: "warn", text: "a" },
      { level: "progress", text: "b" },
    ]);
  });
});
