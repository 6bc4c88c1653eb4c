import { createServer } from "node:net";

export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer().once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object" ? done(address.port) : failed(new Error("no port")),
      );
    });
  });
}
