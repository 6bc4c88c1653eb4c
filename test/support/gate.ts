import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Emulator } from "../../emulator";

export interface GateCall {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
}
type Matches = (call: GateCall) => boolean;

export interface Gate {
  readonly url: string;
  /** `in`: the service does not see the call yet. `out`: it has carried it out. */
  hold(where: "in" | "out", matches: Matches): { held(): number; release(): void };
  onCall: (call: GateCall) => void;
  close(): Promise<void>;
}

/** The calls that are held on their way in or out. */
function holdable(): Pick<Gate, "hold"> & { pass(where: "in" | "out", call: GateCall): Promise<void> } {
  const holds = new Set<{ where: "in" | "out"; matches: Matches; count: number; open: Promise<void> }>();
  return {
    pass: async (where, call) => {
      for (const hold of holds) {
        if (hold.where !== where || !hold.matches(call)) continue;
        hold.count += 1;
        await hold.open;
      }
    },
    hold: (where, matches) => {
      let release = (): void => undefined;
      const open = new Promise<void>((resolve) => (release = resolve));
      const hold = { where, matches, count: 0, open };
      holds.add(hold);
      return {
        held: () => hold.count,
        release: () => {
          holds.delete(hold);
          release();
        },
      };
    },
  };
}

async function closeNow(server: Server): Promise<void> {
  const closed = once(server.close(), "close");
  server.closeAllConnections();
  await closed;
}

export async function openGate(emulator: Emulator): Promise<Gate> {
  const { pass, hold } = holdable();
  // One write at a time, so that what `onCall` sets on the emulator is for that write alone.
  let turn: Promise<unknown> = Promise.resolve();

  const server = createServer((message, reply) => {
    const { url = "", method = "POST", headers } = message;
    const serve = async () => {
      const body = await text(message);
      const call = {
        operation: url.split("/").at(-1) ?? "",
        params: Object.fromEntries(new URLSearchParams(body)),
      };
      await pass("in", call);
      const next = turn.then(() => {
        gate.onCall(call);
        const { "content-type": type = "", "user-agent": agent = "" } = headers;
        const sent = { "content-type": type, "user-agent": agent };
        return fetch(`${emulator.url}${url}`, { method, headers: sent, body });
      });
      turn = next.catch(() => undefined);
      const answer = await next;
      const answered = await answer.text();
      await pass("out", call);
      if (!reply.destroyed)
        reply.writeHead(answer.status, { "content-type": "text/html;charset=UTF-8" }).end(answered);
    };
    serve().catch(() => reply.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const gate: Gate = {
    url: `http://127.0.0.1:${port}`,
    hold,
    onCall: () => undefined,
    close: () => closeNow(server),
  };
  return gate;
}
