/** Records of every form, from their declaration to a destroy. */
import { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { batch, record } from "../support/programs";
import { byBothFrontEnds, fullMode, must, says, story } from "../support/story";

const kinds = `
  new dns.RecordBatch("kinds", { domains: "example.com", records: [
    { name: "line", type: "A", value: "192.0.2.1", ttl: 600 },
    { name: "line", type: "A", value: "198.51.100.1", ttl: 600, line: "电信" },
    { name: "café", type: "A", value: "192.0.2.2", ttl: 600 },
    { name: "*", type: "A", value: "192.0.2.3", ttl: 600 },
    { name: "*.deep", type: "CNAME", value: "www.example.net", ttl: 600 },
    { name: "long", type: "TXT", value: "x".repeat(300) + ' "quoted" back\\\\slash', ttl: 600 },
    { name: "_sip._tcp", type: "SRV", value: "10 60 5060 SIP.Example.com", ttl: 600 },
    { type: "CAA", value: '0 ISSUE "letsencrypt.org"', ttl: 600 },
    { name: "six", type: "AAAA", value: "2001:DB8:0:0::1", ttl: 600 },
    "text 600 A 192.0.2.4",
  ] });
  ${batch("text", "t1 600 A 192.0.2.5 ; a comment\n\nt2 300 TXT hello world\n")}
  ${batch("flat", "; ttl=default\nf1.example.com. 600 A 192.0.2.6\nf2.example.com. A 192.0.2.7 ; disabled\n")}
  ${batch("both", [{ name: "both", type: "A", value: "192.0.2.8", ttl: 600 }], { domains: ["example.com", "example.net"] })}
  ${record("txt", 'v=1; a "b" c', { type: "TXT" })}
  ${record("rec-line", "192.0.2.9", { name: "rec", line: "电信" })}
  ${record("rec", "192.0.2.10")}`;

describe("records", () => {
  byBothFrontEnds(
    "records that the service stores in another form are made once and deleted by a destroy",
    {
      ...fullMode,
      service: { settings: { undocumented: true, ownForms: [{ type: "显性URL", form: "lower" }] } },
      program: `
          const to = { type: "显性URL", value: "http://Www.Example.org/Path", ttl: 600 };
          new dns.RecordBatch("zones", { domains: ["example.com", "example.net"], records: [{ name: "www", ...to }] });
          new dns.Record("one", { domain: "example.com", name: "one", ...to });`,
    },
    async ({ stack, up, quietUp, lines, writes }) => {
      const made = [
        "one 显性URL http://www.example.org/path 600",
        "www 显性URL http://www.example.org/path 600",
      ];
      says(await up(), "stored as http://www.example.org/path");
      deepEqual(lines(), made);
      await quietUp();
      const refreshed = await up("--refresh");
      equal(writes(), 0, refreshed.output);
      doesNotMatch(refreshed.output, /stored as|updated/);
      await must(stack.destroy());
      deepEqual([lines(), lines("example.net")], [[], []]);
    },
  );

  byBothFrontEnds(
    "records of every kind reach the zone as declared, and read back as the same",
    { program: kinds },
    async ({ admin, stack, up, quietUp, lines }) => {
      await up();
      const live = lines();
      for (const line of [
        "line A 192.0.2.1 600",
        "line A 198.51.100.1 600 [电信]",
        "* A 192.0.2.3 600",
        "*.deep CNAME www.example.net. 600",
        "_sip._tcp SRV 10 60 5060 sip.example.com. 600",
        "six AAAA 2001:db8::1 600",
        "text A 192.0.2.4 600",
        "t1 A 192.0.2.5 600",
        "f1 A 192.0.2.6 600",
        "f2 A 192.0.2.7 600",
        "both A 192.0.2.8 600",
        "rec A 192.0.2.9 600 [电信]",
      ]) {
        ok(live.includes(line), `${line} is not in\n${live.join("\n")}`);
      }
      equal(live.length, 18, live.join("\n"));
      deepEqual(lines("example.net"), ["both A 192.0.2.8 600"]);
      await quietUp();
      admin.clearCalls();
      await must(stack.refresh("--expect-no-changes"));
      deepEqual(admin.counts(), { "Record.List": 2 });
      await quietUp();
    },
  );
});

const own = (value: string, options = "{}") => record("own", value, { type: "CNAME" }, options);
const always = '{ replaceOnChanges: ["*"] }';

describe("a replaced CNAME in full mode", () => {
  byBothFrontEnds(
    "becomes the new one, by replaceOnChanges or by --replace with a refresh",
    { program: own("a.example.net."), ...fullMode },
    async ({ admin, stack, up, quietUp, lines }) => {
      await up();
      const urn = stack.resources()[0]?.urn ?? "";
      for (const [value, options, ...args] of [
        ["b.example.net.", always],
        ["c.example.net.", "{}", "--refresh", "--replace", urn],
      ] as const) {
        stack.program(own(value, options));
        admin.clearCalls();
        const { output } = await must(stack.upWithPreview(...args));
        doesNotMatch(output, /\[live\./);
        equal(admin.counts()["Record.Modify"], 1, output);
        deepEqual(lines(), [`own CNAME ${value} 600`]);
      }
      await quietUp();
      await must(stack.destroy());
      deepEqual(lines(), []);
    },
  );
});

describe("drift", () => {
  it("is not repaired if the program ignores the change", () =>
    story(
      {
        program:
          batch("com", ["a 600 A 192.0.2.1", "b 600 A 192.0.2.2"], {}, '{ ignoreChanges: ["records"] }') +
          record("one", "192.0.2.1", {}, '{ ignoreChanges: ["ttl"] }') +
          record("two", "192.0.2.1", {}, '{ ignoreChanges: ["value"] }'),
      },
      async ({ up, quietUp, add, edit, writes }) => {
        await up();
        edit("a", { ttl: 60 });
        edit("one", { ttl: 60 });
        edit("two", { value: "192.0.2.9" });
        add("other A 192.0.2.99");
        const run = await up("--refresh");
        equal(writes(), 0, run.output);
        await quietUp();
      },
    ));
});
