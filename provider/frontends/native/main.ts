/** The plugin's program. It prints its port before the service loads. */
import * as module from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { compileCacheFolder } from "./compile-cache";
import type * as Service from "./service";

// Requests that arrive while the service loads wait in the socket.
const server = createServer({ noDelay: true });

function fail(error: unknown): void {
  process.stderr.write(
    `pulumi-resource-legacydns: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
}

function keepCompiled(): void {
  if (!("enableCompileCache" in module) || typeof module.enableCompileCache !== "function") return;
  const folder = compileCacheFolder(process.env);
  if (folder !== undefined) module.enableCompileCache(folder);
}

server.once("error", fail);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  try {
    keepCompiled();
    const service = module.createRequire(__filename)("./service.js") as typeof Service;
    service.serveOn(server, __dirname, process.argv);
  } catch (error) {
    fail(error);
  }
});
