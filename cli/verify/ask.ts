/**
 * The name servers of a domain, and one question without recursion to one of them, over UDP. A truncated
 * answer is repeated over TCP (RFC 1035 §4.2, RFC 7766).
 */
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup, resolveNs } from "node:dns/promises";
import { on, once } from "node:events";
import { connect, isIP, isIPv6 } from "node:net";
import { InvalidArgumentError } from "commander";
import * as dnsPacket from "dns-packet";
import { ServiceError, type Client } from "../../provider/api";
import { messageOf, reason, type RecordLine } from "../../provider/problems";
import { codeOf, CommandError } from "../errors";

export interface Server {
  readonly name: string;
  readonly address: string;
  readonly port: number;
}

/** Domain → its servers. */
export type Servers = ReadonlyMap<string, readonly Server[]>;

export interface Question {
  readonly name: string;
  readonly type: dnsPacket.RecordType;
}

export interface Reply {
  readonly rcode: string;
  readonly answers: readonly dnsPacket.Answer[];
  readonly authorities: readonly dnsPacket.Answer[];
  readonly additionals: readonly dnsPacket.Answer[];
}

export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The largest EDNS0 answer without fragments (RFC 6891, DNS Flag Day 2020). */
const edns: dnsPacket.OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: 1232,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

const attempts = 3;

export async function ask(server: Server, question: Question, timeout: number): Promise<Reply> {
  for (let left = attempts; ; left -= 1)
    try {
      const reply = await askOnce(server, question, timeout);
      if (reply.rcode !== "SERVFAIL" || left === 1) return reply;
    } catch (error) {
      if (left === 1) throw error;
    }
}

async function askOnce(server: Server, question: Question, timeout: number): Promise<Reply> {
  const { name, type } = question;
  const query: dnsPacket.Packet = {
    type: "query",
    id: randomInt(65536),
    flags: 0,
    questions: [{ name, type, class: "IN" }],
    additionals: [edns],
  };
  const read: Read = (message) => {
    const packet = decode(message);
    if (packet === undefined || packet.id !== query.id || packet.type !== "response") return undefined;
    const [asked] = packet.questions ?? [];
    // A server that cannot read a question may omit it.
    const isSame = asked?.type === type && asked.name.toLowerCase() === name.toLowerCase();
    return asked === undefined || isSame ? packet : undefined;
  };
  const attempt = async (exchange: Exchange, over: string): Promise<dnsPacket.DecodedPacket> => {
    try {
      return await exchange(server, query, read, AbortSignal.timeout(timeout));
    } catch (error) {
      throw new NoAnswer(`${reasonOf(error, timeout)}${over}`);
    }
  };
  const first = await attempt(udp, "");
  const packet = first.flag_tc ? await attempt(tcp, " (over TCP)") : first;
  const rcode = "rcode" in packet && typeof packet.rcode === "string" ? packet.rcode : "NOERROR";
  const { answers = [], authorities = [], additionals = [] } = packet;
  return { rcode, answers, authorities, additionals };
}

function decode(message: Buffer): dnsPacket.DecodedPacket | undefined {
  try {
    return dnsPacket.decode(message);
  } catch {
    return undefined;
  }
}

type Read = (message: Buffer) => dnsPacket.DecodedPacket | undefined;
type Exchange = (
  server: Server,
  query: dnsPacket.Packet,
  read: Read,
  signal: AbortSignal,
) => Promise<dnsPacket.DecodedPacket>;

/** Each question has its own socket, because a forger must guess its port. */
const udp: Exchange = async (server, query, read, signal) => {
  const socket = createSocket(isIPv6(server.address) ? "udp6" : "udp4");
  try {
    socket.connect(server.port, server.address);
    await once(socket, "connect", { signal });
    socket.send(dnsPacket.encode(query));
    for await (const [message] of on(socket, "message", { signal }) as AsyncIterable<[Buffer]>) {
      const packet = read(message);
      if (packet !== undefined) return packet;
    }
    throw new Error("no answer");
  } finally {
    socket.close();
  }
};

const tcp: Exchange = async (server, query, read, signal) => {
  const socket = connect({ port: server.port, host: server.address, signal });
  try {
    socket.write(dnsPacket.streamEncode(query));
    let received: Buffer = Buffer.alloc(0);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0);
      if (received.length < length) continue;
      const packet = read(received.subarray(2, length));
      if (packet === undefined) throw new Error("the answer cannot be read");
      return packet;
    }
    throw new Error("the connection was closed");
  } finally {
    socket.destroy();
  }
};

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError") return `no answer within ${timeout / 1000} s`;
  return "code" in error && error.code === "ECONNREFUSED" ? "nobody listens there" : error.message;
}

const dnsPort = 53;

export function parseServer(text: string): Server {
  const [, bracketed, v6Port, plain, v4Port] =
    /^(?:\[([^\]]+)\](?::(\d{1,5}))?|([^:[\]]+)(?::(\d{1,5}))?)$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const port = Number(v6Port ?? v4Port ?? dnsPort);
  if (isIP(address) === 0 || port < 1 || port > 65535) {
    throw new InvalidArgumentError(
      "write an address such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:5353",
    );
  }
  return { name: text, address, port };
}

/**
 * The domain's own name servers.
 * @param warnings gets a line for each name without an address
 * @throws CommandError if there is none; LegacyDnsError if a call fails
 */
export async function ownServers(
  domain: string,
  client: Client | undefined,
  warnings: string[],
): Promise<Server[]> {
  const unknown: RecordLine[] = [];
  const names =
    client === undefined
      ? await resolveNs(domain).catch((error: unknown) => {
          unknown.push({ text: `the resolver finds none (${codeOf(error)})` });
          return [];
        })
      : await listedNames(domain, client);
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        const { address } = await lookup(name, { verbatim: false });
        return [{ name, address, port: dnsPort }];
      } catch (error) {
        unknown.push({ text: name, note: `no address is found (${codeOf(error)})` });
        return [];
      }
    }),
  );
  const servers = found.flat();
  if (servers.length === 0) throw new CommandError(reason("server.unknown", { domain }, unknown));
  if (unknown.length > 0) warnings.push(messageOf(reason("server.no-address", { domain }, unknown)));
  return servers;
}

/**
 * The names in the header of a listing (api.md, Record.List). If it has none or the zone is empty,
 * Domain.Info has them.
 */
async function listedNames(domain: string, client: Client): Promise<readonly string[]> {
  try {
    const { zone } = await client.call("Record.List", { domain, offset: 0, length: 1 });
    if (zone.nameServers !== undefined) return zone.nameServers;
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.noSuch("record")) throw error;
  }
  return (await client.call("Domain.Info", { domain })).nameServers ?? [];
}
