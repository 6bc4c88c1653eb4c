/** The how-to guides as stories: their programs and commands, with the real engine. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../support/page";
import { byBothFrontEnds, ours, says, story, writesOf, zoneLines, type Stack } from "../support/story";
import { runBlock } from "../support/told-page";

const addresses = (address: string): string[] => [
  `www 3600 A ${address}`,
  `api 86400 A ${address}`,
  "mail 3600 A 192.0.2.25",
];
const zone = (address: string, more = ""): string =>
  `new dns.Zone("example.com", { domain: "example.com"${more}, records: ${JSON.stringify(addresses(address))} });`;
const low = ", maxTtl: 300";
const full = {
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
  service: { settings: { undocumented: true } },
};

const program = (stack: Stack, text: string): void => writeFileSync(join(stack.folder, "index.ts"), text);

function blocks(page: string, ...languages: string[]) {
  const found = blocksOf(page).filter(({ language }) => languages.includes(language));
  return (at: number) => found[at] ?? assert.fail(`${page} has no ${languages.join()} ${at}`);
}

describe("the pages of common jobs", () => {
  byBothFrontEnds("bring a live zone under code without a write", (frontEnd) => {
    const page = "docs/existing-zones.md";
    const [code, run] = [blocks(page, "ts"), blocks(page, "console")];
    const records = ["www", "api", "mail"].map((name) => ({ name, type: "A", value: "192.0.2.1" }));
    const service = { domains: [{ name: "example.com", records }] };
    return story({ frontEnd, main: "index.ts", service }, async (told) => {
      await runBlock(run(0), frontEnd, told, true);
      const { output } = await told.stack.shell("cat index.ts");
      assert.equal(output.trim(), code(0).text.trim());
      told.stack.env["PULUMI_NODEJS_TRANSPILE_ONLY"] = "true";
      await runBlock(run(1), frontEnd, told, true);
      assert.equal(writesOf(told.emulator), 0);
    });
  });

  byBothFrontEnds("edit and delete in full mode, as the page shows", (frontEnd) => {
    const page = "docs/edit-and-delete.md";
    const [code, diff, run, sh] = ["ts", "diff", "console", "sh"].map((each) => blocks(page, each));
    assert.ok(code && diff && run && sh);
    const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const service = { settings: { undocumented: true } };
    return story({ frontEnd, main: "index.ts", service, env }, async (told) => {
      const { stack, emulator, up } = told;
      await runBlock(sh(0), frontEnd, told, true);
      program(stack, code(0).text);
      await up();
      const [before = "", after = ""] = diff(0)
        .text.split("\n")
        .map((line) => line.slice(1));
      assert.ok(code(0).text.includes(before));
      program(stack, code(0).text.replace(before, after));
      await runBlock(run(0), frontEnd, told, true);
      await runBlock(run(1), frontEnd, told, true);
      const lines = ["api A 192.0.2.2 60", "www A 192.0.2.1 600"];
      assert.deepEqual(zoneLines(emulator, "example.com"), lines);
      const destroy = { ...sh(1), text: sh(1).text.replace("destroy", "destroy --yes") };
      await runBlock(destroy, frontEnd, told, true);
      assert.deepEqual(zoneLines(emulator, "example.com"), lines);
    });
  });

  byBothFrontEnds("roll back with the commands of the page", (frontEnd) => {
    const sh = blocks("docs/roll-back.md", "sh");
    const [env, service] = [{ PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...full.env }, full.service];
    return story({ frontEnd, main: "index.ts", service, env }, async (told) => {
      const { stack, emulator, up } = told;
      const git = "git -c user.name=t -c user.email=t@example.com";
      const commit = async (text: string) => {
        program(stack, `import * as dns from "pulumi-legacydns";\n${text}\n`);
        await stack.shell(`git add index.ts && ${git} commit -qm change`);
        await up();
      };
      await stack.shell("git init -q && git config user.name t && git config user.email t@example.com");
      await commit(zone("192.0.2.10"));
      const before = zoneLines(emulator, "example.com");
      await commit(zone("192.0.2.99"));
      assert.notDeepEqual(zoneLines(emulator, "example.com"), before);
      for (const line of sh(0).text.trimEnd().split("\n"))
        await runBlock({ ...sh(0), text: line }, frontEnd, told, true);
      assert.deepEqual(zoneLines(emulator, "example.com"), before);
    });
  });

  byBothFrontEnds(
    "deploy and verify a zone file of another host before the delegation changes",
    (frontEnd) => {
      const page = "docs/move-a-domain.md";
      const [code, text, sh] = [blocks(page, "ts"), blocks(page, "text"), blocks(page, "sh")];
      const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
      return story({ frontEnd, main: "index.ts", service: { dnsPort: 0 }, env }, async (told) => {
        const { stack, emulator, up } = told;
        await stack.shell("git init -q && mkdir zones");
        writeFileSync(join(stack.folder, "zones/example.com.zone"), text(0).text);
        program(stack, code(0).text);
        for (const at of [1, 2]) await runBlock(sh(at), frontEnd, told, true);
        assert.match(
          await stack.shell("cat zones/example.com.zone").then(({ output }) => output),
          /^www.example.com. 300 IN A/m,
        );
        await up();
        await runBlock(
          { ...sh(3), text: sh(3).text.replace(" --server 192.0.2.53", "") },
          frontEnd,
          told,
          true,
        );
        assert.equal(zoneLines(emulator, "example.com").length, 3);
      });
    },
  );

  it("have the records that the stories use", () => {
    const text = blocksOf("docs/move-a-service.md").map((block) => block.text);
    for (const address of ["192.0.2.10", "192.0.2.20"])
      assert.ok(text.some((each) => addresses(address).every((record) => each.includes(record))));
  });

  byBothFrontEnds("move a service, and roll back, in full mode", (frontEnd) =>
    story({ frontEnd, program: zone("192.0.2.10"), ...full }, async (scene) => {
      const { emulator, stack, up, deploy, quietUp } = scene;
      const live = (): string[] => zoneLines(emulator, "example.com");
      await up();
      stack.program(zone("192.0.2.10", low));
      const planned = await ours(scene, "plan");
      assert.match(planned.out, /3 to update.* for 86,400 s/s);
      await up();
      assert.equal(emulator.admin.counts()["Batch.Record.Modify"], 1);
      assert.deepEqual(live(), ["api A 192.0.2.10 300", "mail A 192.0.2.25 300", "www A 192.0.2.10 300"]);
      await quietUp();

      await deploy(zone("192.0.2.20", low));
      assert.deepEqual(live(), ["api A 192.0.2.20 300", "mail A 192.0.2.25 300", "www A 192.0.2.20 300"]);
      await deploy(zone("192.0.2.10", low));
      assert.deepEqual(live(), ["api A 192.0.2.10 300", "mail A 192.0.2.25 300", "www A 192.0.2.10 300"]);

      await deploy(zone("192.0.2.10"));
      assert.deepEqual(live(), ["api A 192.0.2.10 86400", "mail A 192.0.2.25 3600", "www A 192.0.2.10 3600"]);
    }),
  );

  byBothFrontEnds("block the lower TTLs once, and roll back, in documented mode", (frontEnd) =>
    story({ frontEnd, program: zone("192.0.2.10") }, async ({ emulator, stack, up, failing, quietUp }) => {
      const live = (): string[] => zoneLines(emulator, "example.com");
      await up();
      const before = live();
      stack.program(zone("192.0.2.10", low));
      const lowered = await failing();
      says(lowered, "[live.ttl]", "www.example.com. A 192.0.2.10");
      assert.deepEqual(live(), before);

      stack.program(zone("192.0.2.20"));
      await failing();
      assert.deepEqual(
        live().filter((line) => line.startsWith("www")),
        ["www A 192.0.2.10 3600", "www A 192.0.2.20 3600"],
      );
      stack.program(zone("192.0.2.10"));
      says(await failing(), "[live.left-over]", "www.example.com. A 192.0.2.20");
      for (const name of ["www", "api"])
        emulator.admin.removeRecord("example.com", { name, type: "A", value: "192.0.2.20" });
      await up("--refresh");
      assert.deepEqual(live(), before);
      await quietUp();
    }),
  );
});
