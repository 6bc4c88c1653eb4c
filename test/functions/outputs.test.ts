import { doesNotMatch, equal, match, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as dns from "../../provider/functions";
import { root } from "../support/page";
import { errorOf, withService } from "./support";

function valueOf<T>(output: pulumi.Output<T>) {
  return (output as unknown as { promise(): Promise<T> }).promise();
}

describe("the output forms of look-ups", () => {
  it(
    "are secret if an argument is, and then name no argument in an error",
    withService({}, async () => {
      const hidden = dns.getDomainOutput({ domain: pulumi.secret("example.com") });
      equal(await pulumi.isSecret(hidden), true);
      equal(await pulumi.isSecret(dns.getDomainOutput({ domain: "example.com" })), false);
      const wrong = await errorOf(valueOf(dns.getDomainOutput({ domain: pulumi.secret("hidden.example") })));
      match(wrong.message, /^getDomain: Domain\.Info of \(secret\): the domain is wrong/);
      doesNotMatch(JSON.stringify(wrong), /hidden/);
      const invalid = await errorOf(valueOf(dns.getDomainOutput({ domain: pulumi.secret("hidden") })));
      doesNotMatch(invalid.message, /hidden/);
    }),
  );

  it(
    "reject with the same readable error",
    withService({}, async () => {
      const { message } = await errorOf(
        valueOf(dns.getRecordOutput({ domain: pulumi.output("com"), recordId: "x" })),
      );
      match(
        message,
        /^getRecord: domain: .* \[domain\.unfit\]\n.*\ngetRecord: recordId: .* \[value\.unfit\]\n/,
      );
    }),
  );
});

describe("the account behind look-ups", () => {
  it(
    "keeps one pace for all look-ups of a program",
    withService({}, async (emulator) => {
      process.env["LEGACYDNS_REQUESTS_PER_SECOND"] = "20";
      const started = Date.now();
      await Promise.all([...Array(10).keys()].map((id) => errorOf(dns.getBatchJob({ jobId: id + 1 }))));
      ok(Date.now() - started >= 200);
      equal(emulator.admin.counts()["Batch.Detail"], 10);
    }),
  );

  it(
    "lets the program's process end at once",
    withService({}, async () => {
      const program = `require("./provider/functions").getDomain({ domain: "example.com" }).then((d) => console.log(d.name, Date.now()));`;
      const args = ["-r", "./tools/support/typescript.cjs", "-e", program];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
      const [name, answered] = stdout.split(" ");
      equal(name, "example.com");
      const lived = Date.now() - Number(answered);
      ok(lived < 3000, `the process took ${lived} ms to end`);
    }),
  );
});
