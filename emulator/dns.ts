/** The DNS shell: UDP and TCP on one port. Truncation: RFC 1035 §4.2.1, RFC 6891. */
import { once } from "node:events";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import * as dnsPacket from "dns-packet";
import { answerQuestion } from "./dnsAnswer";
import type { Service } from "./service/service";

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
const ednsSize = 1232;

export async function startDns(service: Service, host: string, port: number) {
  const connections = new Set<Socket>();
  const tcp = createServer((socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    serveTcp(service, socket);
  });
  const udp = await bindBoth(tcp, host, port);
  udp.on("message", (message, from) => {
    const reply = respond(service, message, "udp");
    if (reply !== null) udp.send(reply, from.port, from.address);
  });
  udp.on("error", () => undefined);
  return {
    port: (tcp.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      for (const socket of connections) socket.destroy();
      await Promise.all([closed(tcp), closed(udp)]);
    },
  };
}

async function closed(server: Server | UdpSocket): Promise<void> {
  server.close();
  await once(server, "close");
}

/** A free TCP port may be taken for UDP. */
async function bindBoth(tcp: Server, host: string, port: number): Promise<UdpSocket> {
  for (let attempt = 1; ; attempt += 1) {
    await once(tcp.listen(port, host), "listening");
    const udp = createSocket(host.includes(":") ? "udp6" : "udp4");
    try {
      await once(udp.bind((tcp.address() as AddressInfo).port, host), "listening");
      return udp;
    } catch (error) {
      udp.close();
      await closed(tcp);
      if (port !== 0 || attempt >= 10) throw error;
    }
  }
}

function serveTcp(service: Service, socket: Socket): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const length = pending.readUInt16BE(0);
      const reply = respond(service, pending.subarray(2, 2 + length), "tcp");
      pending = pending.subarray(2 + length);
      if (reply === null) continue;
      const prefix = Buffer.alloc(2);
      prefix.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([prefix, reply]));
    }
  });
}

function respond(service: Service, message: Buffer, transport: "udp" | "tcp"): Buffer | null {
  if (message.length < 12) return null;
  try {
    return replyTo(service, message, transport);
  } catch {
    // A forced record may not fit into a DNS message.
    return dnsPacket.encode({ type: "response", id: message.readUInt16BE(0), flags: rcodes.SERVFAIL });
  }
}

const ownOpt: dnsPacket.Answer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: ednsSize,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

function replyTo(service: Service, message: Buffer, transport: "udp" | "tcp"): Buffer | null {
  let query: dnsPacket.DecodedPacket;
  try {
    query = dnsPacket.decode(message);
  } catch {
    return dnsPacket.encode({ type: "response", id: message.readUInt16BE(0), flags: rcodes.FORMERR });
  }
  if (query.type === "response") return null;
  const asked = (query.flags ?? 0) & (0x7800 | dnsPacket.RECURSION_DESIRED);
  const reply = (rcode: number, more: dnsPacket.Packet = {}): dnsPacket.Packet => ({
    questions: query.questions ?? [],
    ...more,
    type: "response",
    id: query.id ?? 0,
    flags: asked | (more.flags ?? 0) | rcode,
  });
  if (((query.flags ?? 0) & 0x7800) !== 0) return dnsPacket.encode(reply(rcodes.NOTIMP));
  const [question, ...others] = query.questions ?? [];
  if (question === undefined || others.length > 0) return dnsPacket.encode(reply(rcodes.FORMERR));
  if ((question.class ?? "IN") !== "IN") return dnsPacket.encode(reply(rcodes.REFUSED));

  service.settle();
  const answer = answerQuestion(service.world, question.name, question.type);
  const edns = query.additionals?.find((extra) => extra.type === "OPT");
  const opt = edns === undefined ? [] : [ownOpt];
  const whole = reply(rcodes[answer.rcode], {
    flags: answer.authoritative ? dnsPacket.AUTHORITATIVE_ANSWER : 0,
    answers: answer.answers,
    authorities: answer.authorities,
    additionals: [...answer.additionals, ...opt],
  });
  const encoded = dnsPacket.encode(whole);
  const limit = transport === "tcp" ? 65535 : Math.max(512, Math.min(4096, edns?.udpPayloadSize ?? 512));
  if (encoded.length <= limit) return encoded;
  return dnsPacket.encode({
    ...whole,
    flags: (whole.flags ?? 0) | dnsPacket.TRUNCATED_RESPONSE,
    answers: [],
    authorities: [],
    additionals: opt,
  });
}
