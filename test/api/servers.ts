/** Servers of a test on this machine, and transports to them. */
import * as net from "node:net";
import {
  createHttpTransport,
  type HttpTransportOptions,
  type Transport,
  TransportError,
} from "../../provider/api";
import { failureAs, settingsFor } from "./support";

const open: { close(): unknown }[] = [];

/** Closes all servers and transports of a test, and stops listening on its ports. */
export async function closeAll() {
  for (const each of open.splice(0)) await each.close();
}

export function listen(server: net.Server, port = 0) {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return new Promise<number>((resolve) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

export function transportTo(baseUrl: string, options: HttpTransportOptions = {}) {
  const transport = createHttpTransport(settingsFor({ baseUrl, contact: "ops@example.com" }), options);
  open.push(transport);
  return transport;
}

export async function transportOf(server: net.Server, options?: HttpTransportOptions) {
  return transportTo(`http://127.0.0.1:${await listen(server)}`, options);
}

export const request = { operation: "Record.List", body: "login_token=x&format=json", timeoutMs: 3000 };

export const transportFailure = (transport: Transport, changes: Partial<typeof request> = {}) =>
  failureAs(TransportError, transport.send({ ...request, ...changes }));
