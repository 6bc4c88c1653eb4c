/** The how-to guides and the incident as stories: their programs, files and commands, with the real engine. */
import { deepEqual, equal, fail, match, notEqual, ok } from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transpiled as env } from "../support/examples";
import { type Block, blocksOf } from "../support/page";
import { record, zone } from "../support/programs";
import {
  type Stack,
  type Story,
  byBothFrontEnds,
  fullMode,
  listedIdsIn,
  liveCodesIn,
  ours,
  says,
} from "../support/story";
import { runBlock } from "../support/told-page";

const addresses = (address: string) => [
  `www 3600 A ${address}`,
  `api 86400 A ${address}`,
  "mail 3600 A 192.0.2.25",
];
const zoneAt = (address: string, more = {}) => zone(addresses(address), more);
const low = { maxTtl: 300 };
const confirmed = { ...fullMode.env, LEGACYDNS_CONFIRMED_DOMAINS: "example.com" };

const program = (stack: Stack, text: string) => writeFileSync(join(stack.folder, "index.ts"), text);

function blocks(page: string, ...languages: string[]) {
  const found = blocksOf(page).filter(({ language }) => languages.includes(language));
  return (at: number) => found[at] ?? fail(`${page} has no ${languages.join()} ${at}`);
}

const rollBack = (records: readonly string[], single: string) =>
  `import * as dns from "pulumi-legacydns";\n${zone(records)}${record("single", single)}`;
const good = rollBack(
  [
    "@ 600 A 192.0.2.1",
    "www 600 A 192.0.2.10",
    "api 600 A 192.0.2.11",
    "mail 600 A 192.0.2.12",
    "old 600 A 192.0.2.13",
  ],
  "192.0.2.20",
);
/** Two other values, another TTL, a removed, a renamed and an added record. */
const bad = rollBack(
  [
    "@ 600 A 192.0.2.1",
    "www 600 A 192.0.2.99",
    "api 60 A 192.0.2.11",
    "new 600 A 192.0.2.13",
    "added 7200 A 192.0.2.99",
  ],
  "192.0.2.99",
);
const longestTtl = "7,200 s";

function idsByRecord({ admin }: Story): Record<string, number> {
  const live = admin.zone("example.com", { hold: false });
  return Object.fromEntries(
    live.map(({ id, name, ttl, type, value }) => [`${name} ${ttl} ${type} ${value}`, id]),
  );
}

/** @returns the zone before the bad change, which has an unmanaged record, too */
async function badChange(told: Story, deployBad: () => Promise<unknown>): Promise<Record<string, number>> {
  const { admin, stack, up, add } = told;
  const commit = async (text: string) => {
    program(stack, text);
    await stack.shell("git add index.ts && git commit -qm change");
  };
  await stack.shell("git init -q && git config user.name t && git config user.email t@example.com");
  await commit(good);
  await up();
  add("stranger A 192.0.2.77");
  const before = idsByRecord(told);
  await commit(bad);
  await deployBad();
  admin.clearCalls();
  return before;
}

describe("the pages of common jobs", () => {
  byBothFrontEnds("bring a live zone under code without a write", { main: "index.ts", env }, async (told) => {
    const page = "docs/existing-zones.md";
    const [code, run] = [blocks(page, "ts"), blocks(page, "console")];
    for (const name of ["www", "api", "mail"]) told.add(`${name} A 192.0.2.1`);
    await runBlock(run(0), told);
    const { output } = await told.stack.shell("cat index.ts");
    equal(output.trim(), code(0).text.trim());
    await runBlock(run(1), told);
    equal(told.writes(), 0);
  });

  byBothFrontEnds(
    "edit and delete in full mode, as the page shows",
    { main: "index.ts", service: fullMode.service, env },
    async (told) => {
      const page = "docs/edit-and-delete.md";
      const [code, diff, run, sh] = ["ts", "diff", "console", "sh"].map((each) => blocks(page, each));
      ok(code && diff && run && sh);
      const { stack, up, lines } = told;
      await runBlock(sh(0), told);
      program(stack, code(0).text);
      await up();
      const [before = "", after = ""] = diff(0)
        .text.split("\n")
        .map((line) => line.slice(1));
      ok(code(0).text.includes(before));
      program(stack, code(0).text.replace(before, after));
      await runBlock(run(0), told);
      await runBlock(run(1), told);
      const edited = ["api A 192.0.2.2 60", "www A 192.0.2.1 600"];
      deepEqual(lines(), edited);
      const destroy = { ...sh(1), text: sh(1).text.replace("destroy", "destroy --yes") };
      await runBlock(destroy, told);
      deepEqual(lines(), edited);
    },
  );

  byBothFrontEnds(
    "roll back in full mode, with the commands of the page",
    { main: "index.ts", ...fullMode, env: { ...env, ...confirmed } },
    async (told) => {
      const before = await badChange(told, told.up);
      const [, planned] = await runBlock(blocks("docs/roll-back.md", "sh")(0), told);
      ok(planned);
      says(planned, longestTtl);
      const after = idsByRecord(told);
      deepEqual(Object.keys(after).sort(), Object.keys(before).sort());
      const isNew = (record: string) => after[record] !== before[record];
      deepEqual(Object.keys(after).filter(isNew).sort(), ["mail 600 A 192.0.2.12", "old 600 A 192.0.2.13"]);
    },
  );

  byBothFrontEnds(
    "roll back in documented mode, with the commands and the console of the page",
    { main: "index.ts", env },
    async (told) => {
      const sh = blocks("docs/roll-back.md", "sh");
      const { admin, failing, ids, writes } = told;
      const before = await badChange(told, async () => {
        const { output } = await failing();
        deepEqual(liveCodesIn(output), ["live.left-over", "live.ttl"]);
      });
      const runs = await runBlock(sh(0), told, true);
      deepEqual(
        runs.map(({ code }) => code === 0),
        [true, true, false],
      );
      const [, planned, reverted] = runs;
      ok(planned && reverted);
      says(planned, longestTtl);
      for (const { output } of [planned, reverted]) deepEqual(liveCodesIn(output), ["live.left-over"]);

      const wasThere = new Set(Object.values(before));
      const added = ids().filter((id) => !wasThere.has(id));
      deepEqual(listedIdsIn(planned.output), added, planned.output);
      for (const id of added) admin.removeRecord("example.com", id);
      await runBlock(sh(1), told);
      deepEqual(idsByRecord(told), before);
      equal(writes(), 0);
    },
  );

  byBothFrontEnds(
    "deploy and verify a zone file of another host before the delegation changes",
    { main: "index.ts", service: { dnsPort: 0 }, env },
    async (told) => {
      const page = "docs/move-a-domain.md";
      const [code, text, sh] = [blocks(page, "ts"), blocks(page, "text"), blocks(page, "sh")];
      const { stack, up, ids } = told;
      await stack.shell("git init -q && mkdir zones");
      writeFileSync(join(stack.folder, "zones/example.com.zone"), text(0).text);
      program(stack, code(0).text);
      for (const at of [1, 2]) await runBlock(sh(at), told);
      says(await stack.shell("cat zones/example.com.zone"), /^www.example.com. 300 IN A/m);
      await up();
      await runBlock({ ...sh(3), text: sh(3).text.replace(" --server 192.0.2.53", "") }, told);
      equal(ids().length, 3);
    },
  );

  it("have the records that the stories use", () => {
    const text = blocksOf("docs/move-a-service.md").map((block) => block.text);
    for (const address of ["192.0.2.10", "192.0.2.20"])
      ok(text.some((each) => addresses(address).every((record) => each.includes(record))));
  });

  byBothFrontEnds(
    "move a service, and roll back, in full mode",
    { ...fullMode, program: zoneAt("192.0.2.10"), env: confirmed },
    async (scene) => {
      const { admin, stack, up, deploy, quietUp, lines } = scene;
      const has = (address: string, [api, others]: readonly [number, number]) =>
        deepEqual(lines(), [
          `api A ${address} ${api}`,
          `mail A 192.0.2.25 ${others}`,
          `www A ${address} ${others}`,
        ]);
      await up();
      stack.program(zoneAt("192.0.2.10", low));
      const planned = await ours(scene, "plan");
      match(planned.out, /3 to update.* for 86,400 s/s);
      await up();
      equal(admin.counts()["Batch.Record.Modify"], 1);
      has("192.0.2.10", [300, 300]);
      await quietUp();
      for (const address of ["192.0.2.20", "192.0.2.10"]) {
        await deploy(zoneAt(address, low));
        has(address, [300, 300]);
      }
      await deploy(zoneAt("192.0.2.10"));
      has("192.0.2.10", [86400, 3600]);
    },
  );
});

const page = "docs/incident.md";

describe("the page of a zone that was edited at night", () => {
  const blocks = blocksOf(page);
  const [zone, program, see, served, keep, undo, done, beside, gone] = blocks;
  ok(zone && program && see && served && keep && undo && done && beside && gone);
  equal(blocks.length, 9);
  /** An unmanaged address beside the declared one. */
  async function old({ admin, stack, up, add }: Story, runs: (console: Block) => Promise<unknown>) {
    ok(program && beside && gone);
    const plain = program.text.replace(', undeclared: "report"', "");
    notEqual(plain, program.text);
    writeFileSync(join(stack.folder, "index.ts"), plain);
    await up();
    const id = add("www A 198.51.100.199");
    await runs(beside);
    const { output } = await stack.refresh();
    const [, diagnostics = ""] = output.split("Diagnostics:");
    equal(diagnostics.split("[live.beside]").length, 2, output);
    admin.removeRecord("example.com", id);
    await runs(gone);
  }

  byBothFrontEnds(
    "shows what each command prints, and ends with the zone as it is declared",
    { main: "index.ts", service: { dnsPort: 0 } },
    async (told) => {
      const { stack, up, add, edit, erase, lines } = told;
      const file = join(stack.folder, "zones", "example.com.zone");
      const runs = (console: Block) => runBlock(console, told, true);
      mkdirSync(join(stack.folder, "zones"));
      writeFileSync(file, zone.text);
      writeFileSync(join(stack.folder, "index.ts"), program.text);
      await up();
      stack.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";

      edit("www", { value: "203.0.113.9" });
      erase("status", { type: "CNAME" });
      edit("mail", { ttl: 60 });
      add("maintenance A 192.0.2.99");
      await runs(see);
      await runs(served);

      const [removed = "", added = ""] = keep.text
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(1));
      ok(zone.text.includes(`${removed}\n`));
      writeFileSync(file, zone.text.replace(removed, added));
      await runs(undo);

      edit("mail", { ttl: 600 });
      erase("maintenance");
      await runs(done);
      deepEqual(lines(), [
        "@ MX 10 mail.example.com. 600",
        "mail A 192.0.2.25 600",
        "status CNAME status.example.net. 600",
        "www A 203.0.113.9 600",
      ]);
      await old(told, runs);
    },
  );
});
