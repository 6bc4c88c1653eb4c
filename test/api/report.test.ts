import { deepEqual } from "node:assert/strict";
import { streamReporter } from "../../provider/support/reporter";

const reporterOn = (isTTY: boolean) => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  return { written, reporter: streamReporter({ isTTY, columns: 30, write }) };
};

describe("The reporter", () => {
  it("writes a line each and no status without a terminal", () => {
    const { written, reporter } = reporterOn(false);
    reporter.info("done");
    reporter.progress("waiting");
    reporter.warn("look");
    reporter.error("failed");
    deepEqual(written, ["done\n", "warning: look\n", "error: failed\n"]);
  });

  it("overwrites the status on a terminal, and cuts it to one line", () => {
    const { written, reporter } = reporterOn(true);
    reporter.progress("waiting for\nsomething that takes a very long time");
    reporter.progress("still");
    reporter.info("done");
    reporter.info("more");
    deepEqual(written, ["waiting for something that ta", "\r\u001b[Kstill", "\r\u001b[Kdone\n", "more\n"]);
  });

  it("escapes invisible and control characters", () => {
    const { written, reporter } = reporterOn(true);
    for (const level of ["info", "warn", "error", "progress"] as const)
      reporter[level]("a\u202e\u001b[2J\u0007");
    const seen = "a\\u202e\\u001b[2J\\u0007";
    deepEqual(written, [`${seen}\n`, `warning: ${seen}\n`, `error: ${seen}\n`, seen]);
  });
});
