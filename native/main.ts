/**
 * The plugin's program. The engine starts it with its own address as the last argument, and reads the port of the service.
 * It is told at once: what serves (service.ts, a file of its own beside this one) is loaded while the engine connects.
 */
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { cacheFolder, load } from "./compiled";
import type * as Service from "./service";

// What the engine sends before everything is loaded waits in its socket.
const server = createServer({ noDelay: true });

function fail(error: unknown): void {
  process.stderr.write(
    `pulumi-resource-legacydns: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}

server.once("error", fail);
server.listen(0, "127.0.0.1", () => {
  // The first line of standard output is the port (the engine's protocol for plugins).
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  try {
    const cache = cacheFolder(process.env);
    const service = load(
      join(__dirname, "service.js"),
      cache === undefined ? undefined : join(cache, "plugin.code"),
    ) as typeof Service;
    service.serveOn(server, __dirname, process.argv);
  } catch (error) {
    fail(error);
  }
});
