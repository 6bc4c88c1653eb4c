import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import * as dnsPacket from "dns-packet";
import { startEmulator, type Emulator, type RecordInput } from "../../emulator";
import { each } from "./lab";

const record = (name: string, type: string, value: string, more: object = {}): RecordInput => ({
  name,
  type,
  value,
  ...more,
});

const records: RecordInput[] = [
  record("@", "A", "192.0.2.1"),
  record("@", "MX", "mail.example.com", { mx: 5 }),
  record("@", "CAA", '0 issue "ca.example"'),
  record("www", "CNAME", "example.com"),
  record("alias", "CNAME", "www.example.com"),
  record("away", "CNAME", "host.elsewhere.example"),
  record("lost", "CNAME", "nothing.example.com"),
  record("loop1", "CNAME", "loop2.example.com"),
  record("loop2", "CNAME", "loop1.example.com"),
  record("v6", "AAAA", "2001:db8::1"),
  record("_sip._tcp", "SRV", "10 5 5060 sip.example.com."),
  record("txt", "TXT", "v=spf1 -all"),
  record("long", "TXT", "x".repeat(600)),
  record("off", "A", "192.0.2.66", { enabled: false }),
  record("sub", "NS", "ns1.sub.example.com"),
  record("ns1.sub", "A", "192.0.2.53"),
  record("*.wild", "A", "192.0.2.70"),
  record("host.wild", "TXT", "here"),
  record("deep.ent.wild", "A", "192.0.2.71"),
  record("geo", "A", "192.0.2.20"),
  record("geo", "A", "192.0.2.21", { line: "电信" }),
  record("bücher", "A", "192.0.2.80"),
  ...Array.from({ length: 60 }, (_, index) => record("many", "A", `198.51.100.${index}`)),
];

function query(name: string, type = "A", size?: number): dnsPacket.Packet {
  const opt = { type: "OPT", name: ".", udpPayloadSize: size, flags: 0, options: [] };
  return {
    type: "query",
    id: 4711,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type: type as dnsPacket.RecordType }],
    additionals: size === undefined ? [] : [opt as unknown as dnsPacket.Answer],
  };
}

async function overUdp(port: number, message: Buffer) {
  const socket = createSocket("udp4");
  socket.send(message, port, "127.0.0.1");
  const [reply] = (await once(socket, "message")) as [Buffer];
  socket.close();
  return dnsPacket.decode(reply);
}

async function overTcp(port: number, message: Buffer) {
  const socket = connect(port, "127.0.0.1");
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(message.length);
  // In two pieces: a shell that reads only whole segments would never answer.
  socket.write(prefix);
  socket.write(message);
  let got = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    got = Buffer.concat([got, chunk]);
    if (got.length >= 2 && got.length >= 2 + got.readUInt16BE(0)) break;
  }
  return dnsPacket.decode(got.subarray(2));
}

const send = { udp: overUdp, tcp: overTcp };

function line(reply: dnsPacket.DecodedPacket) {
  const show = (answer: dnsPacket.Answer) => {
    const data: unknown = "data" in answer ? answer.data : "";
    const text = typeof data === "object" ? Object.values(data ?? {}).join(" ") : String(data);
    return answer.type === "SOA" ? `SOA ${answer.name}` : `${answer.name} ${answer.type} ${text}`;
  };
  const section = (answers: readonly dnsPacket.Answer[] = []) => answers.map(show).join(", ");
  const parts = [section(reply.answers), section(reply.authorities), section(reply.additionals)];
  const rcode = String((reply as { rcode?: string }).rcode);
  return `${rcode}${reply.flag_aa ? " aa" : ""}: ${parts.join(" / ").replace(/( \/ )+$/, "")}`.trim();
}

const noData = " / SOA ~";
const noName = "NXDOMAIN aa:  / SOA ~";
/** Without a code in the reply, it is `NOERROR aa`. */
const rows: [says: string, name: string, reply: string, type?: string][] = [
  ["an A at the apex", "~", "~ A 192.0.2.1"],
  ["the case of the question is kept", "eXample.COM", "eXample.COM A 192.0.2.1"],
  ["the service's own NS", "~", "~ NS ns1.dns-host.example, ~ NS ns2.dns-host.example", "NS"],
  ["a synthesised SOA", "~", "SOA ~", "SOA"],
  ["a CNAME asked for", "www.~", "www.~ CNAME ~", "CNAME"],
  ["a CNAME chased in the zone", "alias.~", "alias.~ CNAME www.~, www.~ CNAME ~, ~ A 192.0.2.1"],
  ["a CNAME that leaves the zone", "away.~", "away.~ CNAME host.elsewhere.example"],
  ["a CNAME to a missing name", "lost.~", "NXDOMAIN aa: lost.~ CNAME nothing.~ / SOA ~"],
  ["a circle of CNAMEs ends", "loop1.~", "loop1.~ CNAME loop2.~, loop2.~ CNAME loop1.~"],
  ["NODATA with SOA for a missing type", "txt.~", noData],
  ["NXDOMAIN with SOA for a missing name", "none.~", noName],
  ["a disabled record is not served", "off.~", noName],
  ["an empty non-terminal exists", "_tcp.~", noData],
  [
    "a delegation is a referral with glue",
    "host.sub.~",
    "NOERROR:  / sub.~ NS ns1.sub.~ / ns1.sub.~ A 192.0.2.53",
  ],
  ["a wildcard", "any.wild.~", "any.wild.~ A 192.0.2.70"],
  ["a wildcard over several labels", "a.b.wild.~", "a.b.wild.~ A 192.0.2.70"],
  ["a wildcard and another type: NODATA", "any.wild.~", noData, "TXT"],
  ["no wildcard for a name that exists", "host.wild.~", noData],
  ["no wildcard for an empty non-terminal", "ent.wild.~", noData],
  ["no wildcard below a closer encloser", "other.ent.wild.~", noName],
  ["the wildcard's own name", "*.wild.~", "*.wild.~ A 192.0.2.70"],
  ["a question for all types is refused", "~", "REFUSED:", "ANY"],
  ["the default line", "geo.~", "geo.~ A 192.0.2.20"],
  ["an IDN as A-labels", "xn--bcher-kva.~", "xn--bcher-kva.~ A 192.0.2.80"],
  ...["example.net", "pause.example", "lock.example", "spam.example"].map((name): (typeof rows)[0] => [
    `the domain ${name}, which is not served`,
    name,
    "REFUSED:",
  ]),
];
const full = (text: string) => text.replaceAll("~", "example.com").trim();

describe("emulator DNS", () => {
  let emulator: Emulator;
  const port = () => emulator.dnsPort ?? 0;
  const ask = (transport: keyof typeof send, name: string, type?: string, size?: number) =>
    send[transport](port(), dnsPacket.encode(query(name, type, size)));
  const shown = async (name: string) => line(await ask("udp", name));

  before(async () => {
    const apex = [record("@", "A", "192.0.2.1")];
    emulator = await startEmulator({
      dnsPort: 0,
      domains: [
        { name: "example.com", records },
        ...(["pause", "lock", "spam"] as const).map((status) => ({
          name: `${status}.example`,
          status,
          records: apex,
        })),
      ],
    });
  });
  after(() => emulator.close());

  for (const transport of ["udp", "tcp"] as const) {
    for (const [says, name, reply, type] of rows) {
      const expected = reply.includes(":") ? reply : `NOERROR aa: ${reply}`;
      it(`${says} (${transport})`, async () =>
        equal(line(await ask(transport, full(name), type)), full(expected)));
    }
  }

  it("splits a TXT of more than 255 bytes", async () => {
    const reply = await ask("tcp", "long.example.com", "TXT");
    deepEqual(each(reply, "answers.0.data", "length"), [255, 255, 90]);
  });

  it("truncates answers above 512 bytes over UDP, but not with EDNS or over TCP", async () => {
    const small = await ask("udp", "many.example.com");
    deepEqual([small.flag_tc, small.answers?.length], [true, 0]);
    const large = await ask("udp", "many.example.com", "A", 4096);
    deepEqual([large.flag_tc, large.answers?.length], [false, 60]);
    ok(large.additionals?.some(({ type }) => type === "OPT"));
    equal((await ask("tcp", "many.example.com")).answers?.length, 60);
  });

  it("shows the console's edits immediately, without an index delay", async () => {
    const { id } = emulator.admin.addRecord("example.com", record("now", "A", "192.0.2.99"));
    equal(await shown("now.example.com"), "NOERROR aa: now.example.com A 192.0.2.99");
    emulator.admin.disableRecord("example.com", id);
    match(await shown("now.example.com"), /^NXDOMAIN/);
    emulator.admin.setRecord("example.com", id, { enabled: true, value: "192.0.2.98" });
    match(await shown("now.example.com"), /192\.0\.2\.98$/);
    emulator.admin.removeRecord("example.com", id);
    match(await shown("now.example.com"), /^NXDOMAIN/);
  });

  it("answers FORMERR to nonsense, and NOTIMP to messages other than queries", async () => {
    const nonsense = Buffer.from([0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 255]);
    match(line(await overUdp(port(), nonsense)), /^FORMERR/);
    const update = dnsPacket.encode({ ...query("example.com", "SOA"), flags: 5 << 11 });
    match(line(await overUdp(port(), update)), /^NOTIMP/);
  });

  it("answers SERVFAIL for a record that fits no message, and keeps running", async () => {
    emulator.admin.addRecord("example.com", record("bad", "A", "nonsense"), { force: true });
    match(await shown("bad.example.com"), /^SERVFAIL/);
    match(await shown("example.com"), /^NOERROR/);
  });

  it("works with another resolver, which repeats truncated answers over TCP", async () => {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${port()}`]);
    deepEqual(await resolver.resolve4("alias.example.com"), ["192.0.2.1"]);
    deepEqual(await resolver.resolve6("v6.example.com"), ["2001:db8::1"]);
    deepEqual(await resolver.resolveMx("example.com"), [{ exchange: "mail.example.com", priority: 5 }]);
    deepEqual(await resolver.resolveTxt("txt.example.com"), [["v=spf1 -all"]]);
    deepEqual(await resolver.resolveSrv("_sip._tcp.example.com"), [
      { name: "sip.example.com", port: 5060, priority: 10, weight: 5 },
    ]);
    deepEqual(await resolver.resolveCaa("example.com"), [{ critical: 0, issue: "ca.example" }]);
    equal((await resolver.resolve4("many.example.com")).length, 60);
    await rejects(resolver.resolve4("none.example.com"), { code: "ENOTFOUND" });
    await rejects(resolver.resolve4("txt.example.com"), { code: "ENODATA" });
    await rejects(resolver.resolve4("example.net"), { code: "EREFUSED" });
  });
});
