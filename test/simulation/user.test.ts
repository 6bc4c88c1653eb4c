/**
 * The simulated user follows a message for every record that it names, and repeats the run for the others.
 */
import assert from "node:assert/strict";
import { emptyLedger } from "../../provider/reconcile/memory/ledger";
import { renderAll } from "../../provider/problems";
import { declare, startLab } from "../support/lab";
import { zoneLines } from "../support/service";
import { leaveOut, User } from "./user";

const names = Array.from({ length: 23 }, (_, i) => `h${i}`);

describe("the simulated user", () => {
  const cases = [
    {
      of: "another TTL",
      live: { ttl: 60 },
      lines: names.map((name) => `${name} 600 A 192.0.2.1`),
      adopt: true,
      rounds: [10, 10, 3],
    },
    {
      of: "what is disabled",
      live: { ttl: 600, enabled: false },
      lines: names.map((name) => `${name} 600 A 192.0.2.1`),
      adopt: true,
      rounds: [10, 10, 3],
    },
    {
      of: "what may not be adopted",
      live: { ttl: 600 },
      lines: names.map((name) => `${name} 600 A 192.0.2.1`),
      adopt: false,
      rounds: [10, 10, 3],
    },
    {
      of: "what excludes a CNAME",
      live: { ttl: 600 },
      lines: names.map((name) => `${name} 600 CNAME www.example.org.`),
      adopt: true,
      rounds: [5, 5, 5, 5, 3],
    },
  ];
  for (const { of, live, lines, adopt, rounds } of cases) {
    it(`comes to an end with ${of}, ten records at a time`, async () => {
      const lab = await startLab();
      try {
        const { admin } = lab.service;
        for (const name of names)
          admin.addRecord("example.com", { name, type: "A", value: "192.0.2.1", ...live }, { indexed: true });
        const user = new User(admin, ["example.com"], { edited: () => undefined });
        const declaration = { ...declare("example.com", lines), adopt };
        const followed: number[] = [];
        for (let texts = await refusals(); texts.length > 0; texts = await refusals()) {
          assert.equal(texts.length, 1, texts.join("\n"));
          followed.push(user.follow(texts));
          assert.equal(leaveOut(texts), followed.length < rounds.length);
        }
        assert.deepEqual(followed, rounds);
        const { failures } = await lab.reconciler().apply(declaration, [], emptyLedger);
        assert.deepEqual(failures, []);
        assert.equal(zoneLines(lab.service, "example.com").length, names.length);

        async function refusals(): Promise<string[]> {
          return renderAll((await lab.reconciler().preview(declaration)).failures);
        }
      } finally {
        await lab.close();
      }
    });
  }
});
