/** The operator's commands beside a stack, with the real engine. */
import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StartOptions } from "../../emulator";
import { zone } from "../support/programs";
import { byBothFrontEnds, listedIdsIn, liveCodesIn, must, ours, says, story } from "../support/story";

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
      const { stack, deploy, writes } = told;
      const file = join(stack.folder, "main.txt");
      const dumped = await ours(told, "dump", "example.com", "--out", file);
      equal(dumped.code, 0, dumped.err);
      await deploy(zone(undefined, { file: "main.txt" }));
      equal(writes(), 0);

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
    const domains = ["one.example", "two.example"];
    const program = domains.map((domain) => zone(["www A 192.0.2.1"], {}, domain)).join("");
    return story({ frontEnd, program }, async (told) => {
      const planned = await ours(told, "plan", "--json");
      const { errors } = JSON.parse(planned.out) as Printed;
      deepEqual([planned.code, errors.map(({ code }) => code)], [1, ["zone.refused"]], planned.out);
      for (const domain of domains) match(errors[0]?.text ?? "", new RegExp(`^  ${domain} `, "m"));
      const failed = await told.failing();
      says(failed, "the account owner@example.com does not have these domains [zone.refused]");
      equal(told.writes(), 0);
    });
  });

  byBothFrontEnds("name unmanaged live records in the preview before the first up, by id", (frontEnd) =>
    story({ frontEnd }, async ({ stack, add, writes }) => {
      add("www 600 A 192.0.2.1");
      const beside = add("www 600 A 198.51.100.199");
      const others = [
        add("www 600 AAAA 2001:db8::1"),
        add("www 600 A 198.51.100.198", { line: "电信" }),
        add("stranger 600 A 198.51.100.7"),
      ];
      const previewed = async (
        options: object,
      ): Promise<[codes: string[], ids: number[], output: string]> => {
        stack.program(zone(["www 600 A 192.0.2.1"], options));
        const { output } = await must(stack.preview());
        return [liveCodesIn(output), listedIdsIn(output), output];
      };

      const [codes, ids, output] = await previewed({});
      deepEqual([codes, ids], [["live.beside"], [beside]], output);
      match(output, /^ +www\.example\.com\. A 198\.51\.100\.199 +record \d+$/m);
      const [reportCodes, reported] = await previewed({ undeclared: "report" });
      deepEqual([reportCodes, reported], [["live.undeclared"], [beside, ...others]]);
      const [ignoreCodes, named] = await previewed({ ignore: ["www A 198.51.100.*"] });
      deepEqual([ignoreCodes, named], [[], []]);
      equal(writes(), 0);
    }),
  );
});
