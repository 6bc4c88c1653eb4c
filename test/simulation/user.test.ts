import { deepEqual, equal } from "node:assert/strict";
import { renderAll } from "../../provider/problems";
import { labs, of } from "../support/lab";
import { leaveOut, User } from "./user";

const names = Array.from({ length: 23 }, (_, i) => `h${i}`);
const hosts = names.map((name) => `${name} 600 A 192.0.2.1`);

describe("the simulated user", () => {
  const start = labs();
  for (const [title, live, lines, adopt, rounds] of [
    ["another TTL", { ttl: 60 }, hosts, true, [10, 10, 3]],
    ["what is disabled", { ttl: 600, enabled: false }, hosts, true, [10, 10, 3]],
    ["what may not be adopted", { ttl: 600 }, hosts, false, [10, 10, 3]],
    [
      "what excludes a CNAME",
      { ttl: 600 },
      names.map((name) => `${name} 600 CNAME www.example.org.`),
      true,
      [5, 5, 5, 5, 3],
    ],
  ] as const)
    it(`comes to an end with ${title}, ten records at a time`, async () => {
      const lab = await start();
      for (const name of names) lab.add(`${name} A 192.0.2.1`, live);
      const user = new User(lab.admin, ["example.com"], { edited: () => undefined });
      const declaration = { ...of(...lines), adopt };
      const refusals = async () => renderAll((await lab.preview(declaration)).failures);
      const followed: number[] = [];
      for (let texts = await refusals(); texts.length > 0; texts = await refusals()) {
        equal(texts.length, 1, texts.join("\n"));
        followed.push(user.follow(texts));
        equal(leaveOut(texts), followed.length < rounds.length);
      }
      deepEqual(followed, rounds);
      await lab.must(declaration);
      equal(lab.lines().length, names.length);
    });
});
