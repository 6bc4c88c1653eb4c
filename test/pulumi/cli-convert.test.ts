import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RecordInput } from "../../emulator";
import { cli } from "../cli/run";
import { writesOf, zoneLines } from "../support/service";
import { says, story } from "../support/story";

/** One zone, as it is live, and as each of the other tools has it. */
const live = [
  { name: "@", type: "A", value: "192.0.2.1", ttl: 600 },
  { name: "@", type: "MX", value: "mx1.example.org.", mx: 10, ttl: 3600 },
  { name: "@", type: "TXT", value: "v=spf1 mx -all", ttl: 3600 },
  { name: "@", type: "CAA", value: '0 issue "letsencrypt.org"', ttl: 3600 },
  { name: "www", type: "CNAME", value: "example.com.", ttl: 600 },
  { name: "_sip._tcp", type: "SRV", value: "10 60 5060 sip.example.org.", ttl: 600 },
  { name: "s1._domainkey", type: "TXT", value: `v=DKIM1; k=rsa; p=${"MII".repeat(120)}`, ttl: 600 },
];
const key = live[6]?.value ?? "";

const octodns = `'':
  - { type: A, ttl: 600, value: 192.0.2.1 }
  - { type: MX, value: { exchange: mx1.example.org., preference: 10 } }
  - { type: TXT, value: v=spf1 mx -all }
  - { type: CAA, value: { flags: 0, tag: issue, value: letsencrypt.org } }
www: { type: CNAME, ttl: 600, value: example.com. }
_sip._tcp: { type: SRV, ttl: 600, value: { priority: 10, weight: 60, port: 5060, target: sip.example.org. } }
s1._domainkey: { type: TXT, ttl: 600, value: '${key.replaceAll(";", "\\;")}' }
`;

const dnscontrol = {
  domains: [
    {
      name: "example.com",
      records: [
        { type: "A", name: "@", ttl: 600, target: "192.0.2.1" },
        { type: "MX", name: "@", ttl: 3600, mxpreference: 10, target: "mx1.example.org." },
        { type: "TXT", name: "@", ttl: 3600, target: "v=spf1 mx -all" },
        { type: "CAA", name: "@", ttl: 3600, caaflag: 0, caatag: "issue", target: "letsencrypt.org" },
        { type: "CNAME", name: "www", ttl: 600, target: "example.com." },
        {
          type: "SRV",
          name: "_sip._tcp",
          ttl: 600,
          srvpriority: 10,
          srvweight: 60,
          srvport: 5060,
          target: "sip.example.org.",
        },
        { type: "TXT", name: "s1._domainkey", ttl: 600, target: key },
      ],
    },
  ],
};

const terraform = {
  format_version: "1.0",
  values: {
    root_module: {
      resources: [
        ...live.map(({ name, type, value, mx, ttl }) => ({
          mode: "managed",
          type: "dns_record",
          values: {
            domain: "example.com",
            sub_domain: name,
            record_type: type,
            record_line: "默认",
            value,
            mx: mx ?? 0,
            ttl,
          },
        })),
        {
          mode: "managed",
          type: "dns_record",
          values: {
            domain: "example.com",
            sub_domain: "www2",
            record_type: "A",
            record_line: "电信",
            value: "192.0.2.7",
            mx: 0,
            ttl: 600,
          },
        },
      ],
    },
  },
};

const sources: readonly (readonly [from: string, file: string, text: string])[] = [
  ["octodns", "example.com.yaml", octodns],
  ["dnscontrol", "ir.json", JSON.stringify(dnscontrol, null, 2)],
  ["terraform", "state.json", JSON.stringify(terraform, null, 2)],
];

describe("convert, with the real engine", () => {
  it("writes zones from octoDNS, dnscontrol and Terraform that an up adopts as a whole, without a write, as master files and as YAML", async () => {
    const domains = sources.map(([from]) => `${from}.example`);
    const recordsOf = (from: string): readonly RecordInput[] =>
      from === "terraform"
        ? [...live, { name: "www2", type: "A", value: "192.0.2.7", ttl: 600, line: "电信" }]
        : live;
    // Each tool's zone has a name of its own.
    const own = (from: string, text: string): string => text.replaceAll("example.com", `${from}.example`);
    const service = {
      domains: sources.map(([from]) => ({
        name: `${from}.example`,
        records: recordsOf(from).map((record) => ({ ...record, value: own(from, record.value ?? "") })),
      })),
    };
    await story({ service }, async ({ emulator, stack, up, quietUp }) => {
      const before = domains.map((domain) => zoneLines(emulator, domain));
      for (const form of ["zone", "yaml"]) {
        for (const [from, file, text] of sources) {
          writeFileSync(join(stack.folder, own(from, file)), own(from, text));
          const run = await cli([
            "convert",
            "--from",
            from,
            "--to",
            form,
            "--out",
            join(stack.folder, "zones"),
            join(stack.folder, own(from, file)),
          ]);
          assert.equal(run.code, 0, run.err);
        }
        stack.program(
          domains
            .map(
              (domain) =>
                `new dns.Zone("${domain}", { domain: "${domain}", file: "zones/${domain}.${form}", undeclared: "report" });`,
            )
            .join("\n"),
        );
        const adopted = await up();
        if (form === "zone")
          for (const [from] of sources)
            says(adopted, `${from}.example: ${recordsOf(from).length} records live already, no write needed`);
        assert.doesNotMatch(adopted.output, /nobody declares/);
        assert.equal(writesOf(emulator), 0);
      }
      await quietUp();
      assert.deepEqual(
        domains.map((domain) => zoneLines(emulator, domain)),
        before,
      );
    });
    const page = readFileSync(resolve(__dirname, "../../docs/moving.md"), "utf8");
    for (const [from] of sources) assert.match(page, new RegExp(`pulumi-legacydns convert --from ${from} `));
  });
});
