/** The operator's commands beside a stack, with the real engine. */
import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StartOptions } from "../../emulator";
import { byBothFrontEnds, ours, says, story, writesOf } from "../support/story";

interface Printed {
  readonly domains: readonly { readonly domain: string; readonly stacks: readonly string[] }[];
  readonly errors: readonly { readonly code: string; readonly text: string }[];
}

const records = [{ name: "www", type: "A", value: "192.0.2.1", ttl: 600 }];
const service: StartOptions = {
  domains: [
    { name: "example.com", records },
    { name: "example.net", status: "pause" },
  ],
};

describe("an operator's commands", function () {
  this.timeout(240_000);

  byBothFrontEnds("dump a zone, list the account with its stacks, and annotate a zone file", (frontEnd) =>
    story({ frontEnd, service }, async (told) => {
      const { stack, emulator, deploy } = told;
      const file = join(stack.folder, "main.txt");
      const dumped = await ours(told, "dump", "example.com", "--out", file);
      equal(dumped.code, 0, dumped.err);
      await deploy(`new dns.Zone("example.com", { domain: "example.com", file: "main.txt" });`);
      equal(writesOf(emulator), 0);

      const account = await ours(told, "account", "--json");
      const { domains } = JSON.parse(account.out) as Printed;
      const managed = domains.map((each) => [each.domain, each.stacks]);
      const expected = [
        ["example.net", []],
        ["example.com", ["test"]],
      ];
      deepEqual([account.code, managed], [2, expected]);

      writeFileSync(file, readFileSync(file, "utf8").replace("www 600", "www 300"));
      const plan = await ours(told, "plan", "--format", "github", "--file", `example.com=${file}`);
      match(plan.out, /^::error file=\S*main\.txt,line=\d+,col=1,title=blocked::www\.example\.com\. A /m);
    }),
  );

  byBothFrontEnds("name the account of a token that does not have the domains, once for all", (frontEnd) => {
    const zones = ["one.example", "two.example"];
    const program = zones
      .map((zone) => `new dns.Zone("${zone}", { domain: "${zone}", records: ["www A 192.0.2.1"] });`)
      .join("\n");
    return story({ frontEnd, program }, async (told) => {
      const planned = await ours(told, "plan", "--json");
      const { errors } = JSON.parse(planned.out) as Printed;
      deepEqual([planned.code, errors.map(({ code }) => code)], [1, ["zone.refused"]], planned.out);
      for (const zone of zones) match(errors[0]?.text ?? "", new RegExp(`^  ${zone} `, "m"));
      const failed = await told.failing();
      says(failed, "the account owner@example.com does not have these domains [zone.refused]");
      equal(writesOf(told.emulator), 0);
    });
  });
});
