import { deepEqual, equal, match } from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { withService, type CliRun } from "./run";
import {
  a,
  apex,
  batch,
  clockWith,
  resource,
  sealed,
  served,
  verified,
  verify,
  withMute,
  withState,
} from "./verified";

describe("pulumi-legacydns verify", () => {
  describe("compares whole answers", () => {
    const zone = [a("192.0.2.1", "www"), a("192.0.2.9", "www"), a("192.0.2.8", "www", { enabled: false })];
    const declared = [batch(["www A 192.0.2.1"])];

    it("and ends with 2 for a record that nothing declares, unless it is allowed", async () => {
      const { code, out } = await verified(zone, declared);
      deepEqual(
        [code, out],
        [
          2,
          `name              type  declared   served
www.example.com.  A     192.0.2.1  also 192.0.2.9

1 of 1 declared records are served; 1 answer with further records
`,
        ],
      );
      const allowed = await verified(zone, declared, ["--only-declared"]);
      deepEqual(allowed, { code: 0, out: "1 of 1 declared records are served\n", err: "" });
      const json = JSON.parse((await verified(zone, declared, ["--json"])).out);
      const more = { kind: "more", name: "www.example.com.", type: "A" };
      deepEqual(
        [json.ok, json.summary.more, json.differences],
        [false, 1, [{ ...more, declared: "192.0.2.1", served: "192.0.2.9" }]],
      );
    });

    for (const [what, records, shown] of [
      [
        "of an old answer in the place of a missing record",
        zone.slice(1),
        /^name .*\nwww\.example\.com\. +A +192\.0\.2\.1 +192\.0\.2\.9 \(record (\d+)\)\n\n/,
      ],
      ["if the service lists the record", zone, / also 192\.0\.2\.9 \(record (\d+)\)$/m],
    ] as const)
      it(`and shows the id ${what}`, () =>
        withService(served(records), (env, { admin, dnsPort }) =>
          withState(declared, async (file) => {
            const { out } = await verify(file, dnsPort, [], { env });
            const old = admin.zone("example.com").find(({ value }) => value === "192.0.2.9");
            equal(shown.exec(out)?.[1], String(old?.id), out);
          }),
        ));

    it("but allows what matches `ignore`, may be a secret or is of the service", async () => {
      const { outputs } = declared[0] as { outputs: object };
      const ignoring = resource("RecordBatch", { outputs: { ...outputs, ignore: ["www A 192.0.2.9"] } });
      const ns = batch(["@ NS ns1.dns-host.example."]);
      const secret = { name: "key", type: "TXT" };
      const record = { domain: "example.com", ...secret, value: sealed("v"), ttl: "default" };
      const texts = ["hush", "public"].map((value) => ({ ...secret, value }));
      const hidden = {
        domains: ["example.com"],
        records: "key.example.com. 600 TXT public\n; key.example.com. 600 TXT (secret 1)\n",
        secrets: sealed("x"),
      };
      const runs = [
        await verified(zone, [ignoring, ns]),
        await verified(texts, [batch(["key TXT public"]), resource("Record", { outputs: record })]),
        await verified(texts, [resource("RecordBatch", { outputs: hidden })]),
      ];
      for (const { code, out } of runs) deepEqual([code, /also|hush/.test(out)], [0, false], out);
    });
  });

  describe("with --wait", () => {
    const waited = (meanwhile: (service: Emulator, waits: number) => void): Promise<CliRun> =>
      verified(
        [a("192.0.2.1"), a("192.0.2.9", "www")],
        [batch(["@ A 192.0.2.1", "www A 192.0.2.2", "api A 192.0.2.3"])],
        ["--wait", "60"],
        { clockOf: (service) => clockWith((waits) => meanwhile(service, waits)) },
      );

    it("asks again until every declared record is served, and prints the missing ones", async () => {
      const { code, out, err } = await waited(({ admin }, waits) => {
        if (waits === 1) admin.addRecord("example.com", a("192.0.2.3", "api"));
        if (waits === 2) admin.addRecord("example.com", a("192.0.2.2", "www"));
        // Until then, the old address is served beside the new one.
        if (waits === 3) admin.removeRecord("example.com", { name: "www", type: "A", value: "192.0.2.9" });
      });
      equal(
        out,
        "Caches can hold old answers until 1970-01-01T00:10:05Z\n3 of 3 declared records are served, after 10 seconds\n",
      );
      equal(code, 0);
      match(err, /^1 of 3 .* api\.example\.com\. A and 1 more \(0 of 60 s\)\n$/);
    });

    it("has a limit without a duration, and takes the served TTLs for the caches if no old answer was seen", async () => {
      const quick = { clockOf: () => clockWith() };
      const fine = await verified([a("192.0.2.1")], apex, ["--wait"], quick);
      deepEqual(
        [fine.code, fine.out],
        [0, "Caches can hold old answers until 1970-01-01T00:10:00Z\n1 of 1 declared records are served\n"],
      );
      const { code, out } = await verified([a("192.0.2.2")], apex, ["--wait"], quick);
      match(out, /1 is not, after 600 seconds\n$/);
      const wrong = await verified([a("192.0.2.1")], apex, ["--wait", "soon"]);
      deepEqual([code, wrong.code], [2, 1]);
    });

    it("ends with 2 after the time, and lists the missing records", async () => {
      const { code, out } = await waited(({ admin }, waits) => {
        if (waits === 1) admin.addRecord("example.com", a("192.0.2.3", "api"));
      });
      equal(
        out,
        `name              type  declared   served
www.example.com.  A     192.0.2.2  192.0.2.9

2 of 3 declared records are served; 1 is not, after 60 seconds
`,
      );
      equal(code, 2);
    });

    it("also waits for a server that does not answer yet", () =>
      withMute((port) =>
        withState(apex, async (file) => {
          const { code, out } = await verify(file, port, ["--wait", "1"], { clock: clockWith() });
          deepEqual(
            [code, out],
            [1, "0 of 1 declared records are served; no answer for 1, after 1 second\n"],
          );
        }),
      ));
  });
});
