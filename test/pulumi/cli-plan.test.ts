/** The operator's commands beside a stack, with the real engine. */
import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "parse5";
import { type StackPlan } from "../../cli/plan/report";
import { batch, record, zone } from "../support/programs";
import {
  type Story,
  byBothFrontEnds,
  fullMode,
  listedIdsIn,
  liveCodesIn,
  must,
  ours,
  story,
} from "../support/story";

/** Compares a text with `snapshots/NAME.txt`, or writes it if UPDATE_SNAPSHOTS=1 is set. */
function matchesSnapshot(name: string, text: string): void {
  const file = join(__dirname, "snapshots", `${name}.txt`);
  if (process.env["UPDATE_SNAPSHOTS"] === "1") writeFileSync(file, `${text}\n`);
  equal(`${text}\n`, readFileSync(file, "utf8"), `${name} differs from its snapshot`);
}

const records = [{ name: "old", type: "A", value: "192.0.2.50", ttl: 600 }];
const stays = ["@ 600 A 192.0.2.1", "www A 192.0.2.2"];
const domain = "example.net";
const one = record("one", "192.0.2.1", { domain, ttl: undefined });
const before = batch("web", [...stays, "gone 600 A 192.0.2.9"]) + one;
const after = `
${batch("web", [...stays, "new 600 A 192.0.2.9", "old A 192.0.2.50"], { removal: "retain" })}
new dns.RecordBatch("keys", { domains: "example.com", records: [{ name: "k", type: "TXT", value: pulumi.secret("hush-hush") }] });
${one}
${record("hostile", "</pre><script>alert('x')</script>```", { domain, name: "x", type: "TXT" })}
const two = ${record("two", "192.0.2.2", { domain, ttl: undefined })}
new dns.Record("late", { domain: "example.net", name: "late", type: "TXT", value: two.id });`;
const planned = `example.com  2 to create, 1 to adopt, 1 retained, 2 unchanged
  . gone.example.com. A 192.0.2.9  600 (retained)
  + k.example.com. TXT (secret)    default
  + new.example.com. A 192.0.2.9   600

example.net  3 to create, 1 unchanged
  + late.example.net. TXT (known after the update)             default (compared at the update)
  + two.example.net. A 192.0.2.2                               default
  + x.example.net. TXT "</pre><script>alert('x')</script>\`\`\`"  600

5 to create, 1 to adopt, 1 retained, 3 unchanged.
`;

async function verifies(told: Story): Promise<void> {
  const server = `127.0.0.1:${String(told.emulator.dnsPort)}`;
  const served = await ours(told, "verify", "--server", server);
  deepEqual([served.code, served.out, served.err], [0, "4 of 4 declared records are served\n", ""]);
  told.admin.disableRecord("example.net", { name: "one", type: "A" });
  const paused = await ours(told, "verify", "--server", server, "--domain", "example.net");
  match(paused.out, /^one\.example\.net\. {2}A {5}192\.0\.2\.1 {2}no such name$/m);
  told.admin.setRecord("example.net", { name: "one", type: "A" }, { enabled: true });
}

/** Plans without a write, and returns all that the plan printed and wrote. */
async function plansInEveryForm(told: Story): Promise<string> {
  const { admin } = told;
  admin.clearCalls();
  const files = ["plan.html", "plan.md", "plan.json"].map((name) => join(told.stack.folder, name));
  const plan = await ours(told, "plan", "--fail-on-changes", ...files.flatMap((file) => ["--out", file]));
  deepEqual(
    Object.keys(admin.counts()).filter((name) => !/\.(List|Info|Purview)$/.test(name)),
    [],
  );
  equal(plan.code, 2, plan.err);
  equal(plan.out, planned);
  const [page = "", comment = "", json = ""] = files.map((file) => readFileSync(file, "utf8"));
  matchesSnapshot("plan-comment", comment.trimEnd());
  equal((JSON.parse(json) as { domains: unknown[] }).domains.length, 2);
  const broken: string[] = [];
  parse(page, { onParseError: ({ code }: { code: string }) => broken.push(code) });
  deepEqual(broken, []);
  match(page, /<span class="line add">\+ new\.example\.com\. A 192\.0\.2\.9 +600/);
  doesNotMatch(page, /<script/);
  return plan.out + page + comment + json;
}

describe("plan and verify, with the real engine", () => {
  it("plans an up in every form, and verifies its records", () =>
    story(
      {
        program: before,
        service: { domains: [{ name: "example.com", records }, "example.net"], dnsPort: 0 },
      },
      async (told) => {
        await told.up();
        await verifies(told);
        told.stack.program(after);
        const printed = await plansInEveryForm(told);
        await told.up();
        const all = await ours(told, "plan", "--fail-on-changes", "--unchanged", "--json");
        equal(all.code, 0, all.out);
        const quiet = (JSON.parse(all.out) as StackPlan).domains.flatMap(({ lines }) => lines);
        deepEqual(
          quiet.map(({ sign, text }) => `${sign}${text.split(" ", 1).join("")}`),
          [
            ...["example.com.", "k.example.com.", "new.example.com.", "old.example.com.", "www.example.com."],
            ...["late.example.net.", "one.example.net.", "two.example.net.", "x.example.net."],
          ].map((name) => ` ${name}`),
        );

        told.stack.program(batch("web", ["@ 300 A 192.0.2.1"]));
        const refused = await ours(told, "plan", "--format", "markdown");
        equal(refused.code, 0);
        equal((await ours(told, "plan", "--fail-on-blocked")).code, 3);
        match(refused.out, /<summary>Blocked: \d+<\/summary>[^]*- example\.com: the live TTL differs/);
        doesNotMatch(printed + refused.out + all.out, /hush/);
      },
    ));
});

describe("an operator's commands", () => {
  byBothFrontEnds(
    "dump a zone, list the account with its stacks, and annotate a zone file",
    { service: { domains: ["example.com", { name: "example.net", status: "pause" }] } },
    async (told) => {
      const { stack, add, deploy, writes } = told;
      add("www 600 A 192.0.2.1");
      const file = join(stack.folder, "main.txt");
      const dumped = await ours(told, "dump", "example.com", "--out", file);
      equal(dumped.code, 0, dumped.err);
      await deploy(zone(undefined, { file: "main.txt" }));
      equal(writes(), 0);

      const account = await ours(told, "account", "--json");
      const { domains } = JSON.parse(account.out) as {
        readonly domains: readonly { readonly domain: string; readonly stacks: readonly string[] }[];
      };
      const managed = domains.map((each) => [each.domain, each.stacks]);
      const expected = [
        ["example.net", []],
        ["example.com", ["test"]],
      ];
      deepEqual([account.code, managed], [2, expected]);

      writeFileSync(file, readFileSync(file, "utf8").replace("www 600", "www 300"));
      const plan = await ours(told, "plan", "--format", "github", "--file", `example.com=${file}`);
      match(plan.out, /^::error file=\S*main\.txt,line=\d+,col=1,title=blocked::www\.example\.com\. A /m);
    },
  );

  byBothFrontEnds(
    "plan the deletion of resources that an alias has renamed since their last update",
    fullMode,
    async (told) => {
      const { deploy, stack } = told;
      const secret = (name: string, options = "") =>
        `new dns.Record("${name}", { domain: "example.com", name: "key", type: "TXT", value: pulumi.secret("hush"), ttl: 600 }${options});`;
      const stays = record("stays", "192.0.2.1");
      await deploy(stays + record("old", "192.0.2.2") + secret("hidden"));
      const alias = (name: string) => `{ aliases: [{ name: "${name}" }] }`;
      await deploy(
        stays +
          record("renamed", "192.0.2.2", { name: "old" }, alias("old")) +
          secret("shown", `, ${alias("hidden")}`),
      );
      stack.program(stays);
      const { code, err, out } = await ours(told, "plan", "--fail-on-changes");
      equal(code, 2, err);
      match(out, /^ {2}- old\.example\.com\. A 192\.0\.2\.2/m);
      match(out + err, /Record "shown": the up deletes it, and its records are not known here/);
    },
  );

  byBothFrontEnds(
    "name unmanaged live records in the preview before the first up, by id",
    {},
    async ({ stack, add, writes }) => {
      add("www 600 A 192.0.2.1");
      const beside = add("www 600 A 198.51.100.199");
      const others = [
        add("www 600 AAAA 2001:db8::1"),
        add("www 600 A 198.51.100.198", { line: "电信" }),
        add("stranger 600 A 198.51.100.7"),
      ];
      for (const [options, codes, ids] of [
        [{}, ["live.beside"], [beside]],
        [{ undeclared: "report" }, ["live.undeclared"], [beside, ...others]],
        [{ ignore: ["www A 198.51.100.*"] }, [], []],
      ] as const) {
        stack.program(zone(["www 600 A 192.0.2.1"], options));
        const { output } = await must(stack.preview());
        deepEqual([liveCodesIn(output), listedIdsIn(output)], [codes, ids], output);
      }
      equal(writes(), 0);
    },
  );
});
