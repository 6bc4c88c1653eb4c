/**
 * Asks one name server one question, over UDP. A truncated answer is repeated over TCP (RFC 1035 §4.2, RFC
 * 7766). Recursion is not desired, because the question goes to the domain's own servers.
 */
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import * as dnsPacket from "dns-packet";

/** A name server's address; IPv6 without brackets. */
export interface Server {
  /** The server in messages: its name, or address and port. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
}

export interface Question {
  /** Absolute, without the trailing dot. */
  readonly name: string;
  readonly type: dnsPacket.RecordType;
}

export interface Reply {
  readonly rcode: string;
  readonly answers: readonly dnsPacket.Answer[];
  readonly authorities: readonly dnsPacket.Answer[];
  readonly additionals: readonly dnsPacket.Answer[];
}

export interface AskOptions {
  readonly timeout: number;
  readonly attempts: number;
}

export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Octets: the largest EDNS0 answer without fragments (RFC 6891, DNS Flag Day 2020). */
const payloadSize = 1232;

/** @throws NoAnswer after the last attempt */
export async function ask(server: Server, question: Question, options: AskOptions): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= options.attempts;
    try {
      const reply = await askOnce(server, question, options.timeout);
      // Overload passes; a refusal does not.
      if (reply.rcode !== "SERVFAIL" || last) return reply;
    } catch (error) {
      if (last) throw error;
    }
  }
}

async function askOnce(server: Server, question: Question, timeout: number): Promise<Reply> {
  const id = randomInt(65536);
  const message = dnsPacket.encode({
    type: "query",
    id,
    flags: 0,
    questions: [{ ...question, class: "IN" }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: payloadSize,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  const isOurs = (packet: dnsPacket.DecodedPacket): boolean =>
    packet.id === id && packet.type === "response" && sameQuestion(packet, question);
  const overUdp = await udp(server, message, timeout, isOurs);
  return replyOf(overUdp.flag_tc ? await tcp(server, message, timeout, isOurs) : overUdp);
}

function sameQuestion(packet: dnsPacket.DecodedPacket, { name, type }: Question): boolean {
  const [asked] = packet.questions ?? [];
  // A server that cannot read a question may omit it.
  return asked === undefined || (asked.type === type && asked.name.toLowerCase() === name.toLowerCase());
}

function replyOf(packet: dnsPacket.DecodedPacket): Reply {
  const { answers = [], authorities = [], additionals = [] } = packet;
  return { rcode: rcodeOf(packet), answers, authorities, additionals };
}

function rcodeOf(packet: dnsPacket.DecodedPacket): string {
  return "rcode" in packet && typeof packet.rcode === "string" ? packet.rcode : "NOERROR";
}

function decode(message: Buffer): dnsPacket.DecodedPacket | undefined {
  try {
    return dnsPacket.decode(message);
  } catch {
    return undefined;
  }
}

type IsOurs = (packet: dnsPacket.DecodedPacket) => boolean;

/** Each question has its own socket, because a forger must guess its random port. */
function udp(
  server: Server,
  message: Buffer,
  timeout: number,
  isOurs: IsOurs,
): Promise<dnsPacket.DecodedPacket> {
  return new Promise((done, failed) => {
    const socket = createSocket(isIPv6(server.address) ? "udp6" : "udp4");
    const end = (): void => {
      clearTimeout(timer);
      socket.close();
    };
    const fail = (reason: string): void => {
      end();
      failed(new NoAnswer(reason));
    };
    const timer = setTimeout(() => {
      fail(`no answer within ${timeout / 1000} s`);
    }, timeout);
    socket.on("error", (error) => {
      fail(reasonOf(error));
    });
    socket.on("message", (received) => {
      const packet = decode(received);
      if (packet === undefined || !isOurs(packet)) return;
      end();
      done(packet);
    });
    socket.connect(server.port, server.address, () => {
      socket.send(message);
    });
  });
}

function tcp(
  server: Server,
  message: Buffer,
  timeout: number,
  isOurs: IsOurs,
): Promise<dnsPacket.DecodedPacket> {
  return new Promise((done, failed) => {
    const socket = connect(server.port, server.address);
    let received: Buffer = Buffer.alloc(0);
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const fail = (reason: string): void => {
      end();
      failed(new NoAnswer(`${reason} (over TCP)`));
    };
    const timer = setTimeout(() => {
      fail(`no answer within ${timeout / 1000} s`);
    }, timeout);
    socket.on("error", (error) => {
      fail(reasonOf(error));
    });
    socket.on("end", () => {
      fail("the connection was closed");
    });
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const packet = decode(received.subarray(2, 2 + received.readUInt16BE(0)));
      if (packet === undefined || !isOurs(packet)) {
        fail("the answer cannot be read");
        return;
      }
      end();
      done(packet);
    });
    const prefix = Buffer.alloc(2);
    prefix.writeUInt16BE(message.length);
    socket.write(Buffer.concat([prefix, message]));
  });
}

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ECONNREFUSED" ? "nobody listens there" : error.message;
}
