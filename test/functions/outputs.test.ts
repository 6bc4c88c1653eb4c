/** The output forms below the engine, the accounts behind look-ups, and how a program ends after one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as dns from "../../provider/functions";
import { settingsOf, startService } from "../support/service";
import { cleanUp, freshFolder } from "../api/support";
import { errorOf, freshToken, withEnvironment, withService } from "./support";

/** The value of an output, which the SDK's types keep to themselves. */
function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return (output as unknown as { promise(): Promise<T> }).promise();
}

describe("the output forms of look-ups", () => {
  it(
    "resolve like the promises, for plain arguments and outputs",
    withService(
      {
        domains: [
          {
            name: "example.com",
            records: [{ id: 501, name: "www", type: "A", value: "192.0.2.1" }],
            monitors: [{ id: "m-1", ip: "192.0.2.1", points: [] }],
          },
        ],
      },
      async (emulator) => {
        const jobId = emulator.admin.addJob({ type: "domain", items: [{ domain: "example.com" }] });
        const domain = "example.com";
        const later = pulumi.output(domain);
        assert.deepEqual(
          await valueOf(dns.getDomainOutput({ domain: later })),
          await dns.getDomain({ domain }),
        );
        assert.deepEqual(
          await valueOf(dns.getDomainsOutput({ keyword: pulumi.output("exam") })),
          await dns.getDomains({ keyword: "exam" }),
        );
        assert.deepEqual(await valueOf(dns.getDomainsOutput()), await dns.getDomains());
        assert.deepEqual(await valueOf(dns.getPurviewOutput({ domain })), await dns.getPurview({ domain }));
        assert.deepEqual(
          await valueOf(dns.getRecordOutput({ domain, recordId: pulumi.output(501) })),
          await dns.getRecord({ domain, recordId: "501" }),
        );
        assert.deepEqual(
          await valueOf(dns.getRecordsOutput({ domain: later, name: "www" })),
          await dns.getRecords({ domain, name: "www" }),
        );
        assert.deepEqual(
          await valueOf(dns.getMonitorHistoryOutput({ monitorId: "m-1", hours: Promise.resolve(2) })),
          await dns.getMonitorHistory({ monitorId: "m-1", hours: 2 }),
        );
        assert.deepEqual(
          await valueOf(dns.getCustomLinesOutput({ domain: later })),
          await dns.getCustomLines({ domain }),
        );
        assert.deepEqual(
          await valueOf(dns.getBatchJobOutput({ jobId: pulumi.output(String(jobId)) })),
          await dns.getBatchJob({ jobId }),
        );
        assert.deepEqual(
          Object.entries(emulator.admin.counts()).filter(([, count]) => count !== 1),
          [["Domain.List", 2]],
        );
      },
    ),
  );

  it(
    "are secret if an argument is, and then name no argument in an error",
    withService({}, async () => {
      const hidden = dns.getDomainOutput({ domain: pulumi.secret("example.com") });
      assert.equal(await pulumi.isSecret(hidden), true);
      assert.equal(await pulumi.isSecret(dns.getDomainOutput({ domain: "example.com" })), false);
      const wrong = await errorOf(valueOf(dns.getDomainOutput({ domain: pulumi.secret("hidden.example") })));
      assert.match(wrong.message, /^getDomain: Domain\.Info of \[secret\]: the domain is wrong/);
      assert.doesNotMatch(JSON.stringify(wrong), /hidden/);
      const invalid = await errorOf(valueOf(dns.getDomainOutput({ domain: pulumi.secret("hidden") })));
      assert.doesNotMatch(invalid.message, /hidden/);
    }),
  );

  it(
    "reject with the same readable error",
    withService({}, async () => {
      const { message } = await errorOf(
        valueOf(dns.getRecordOutput({ domain: pulumi.output("com"), recordId: "x" })),
      );
      assert.equal(
        message,
        'getRecord: 2 problems:\n  - domain: "com" is a single label; write the zone\'s whole name, for example "example.com"\n' +
          '  - recordId is "x": an id is a whole number, such as 1234567, or its digits as a text',
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
      // The first five go at once.
      assert.ok(Date.now() - started >= 200);
      assert.equal(emulator.admin.counts()["Batch.Detail"], 10);
    }),
  );

  it("uses the stack's configuration without the environment", async () => {
    const emulator = await startService({ token: freshToken() });
    try {
      await withEnvironment({}, async () => {
        pulumi.runtime.setAllConfig(
          { "legacydns:baseUrl": emulator.url, "legacydns:loginToken": emulator.token, "zones:other": "x" },
          ["legacydns:loginToken"],
        );
        assert.equal((await dns.getDomain({ domain: "example.com" })).name, "example.com");
        pulumi.runtime.setAllConfig({
          "legacydns:baseUrl": emulator.url,
          "legacydns:loginToken": emulator.token,
          "legacydns:baseURI": "x",
        });
        const { message } = await errorOf(dns.getDomain({ domain: "example.com" }));
        assert.match(
          message,
          /^legacydns look-ups: One setting is wrong:\n- legacydns:baseURI is not a setting\. Did you mean legacydns:baseUrl\?/,
        );
      });
    } finally {
      pulumi.runtime.setAllConfig({});
      await emulator.close();
    }
  });

  it("lets the program's process end at once", async () => {
    const emulator = await startService({ token: freshToken() });
    try {
      const functions = join(__dirname, "../../provider/functions");
      const program = `require(${JSON.stringify(functions)}).getDomain({ domain: "example.com" }).then((d) => console.log("answered " + d.name));`;
      const env = { ...process.env, ...settingsOf(emulator), LEGACYDNS_STATE_DIR: freshFolder() };
      const child = spawn(process.execPath, ["-r", "ts-node/register/transpile-only", "-e", program], {
        env,
        cwd: join(__dirname, "../.."),
      });
      let output = "";
      let answered = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        answered = Date.now();
      });
      child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
      const code = await new Promise((resolve) => child.on("close", resolve));
      assert.equal(code, 0, output);
      assert.match(output, /answered example\.com/);
      assert.ok(Date.now() - answered < 3000, `the process took ${Date.now() - answered} ms to end`);
    } finally {
      await emulator.close();
      cleanUp();
    }
  });
});
