/** Refuses requests of pages of other sites. Programs send neither Origin nor Sec-Fetch-Site, and pass. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const version = isIP(host);
  // `::ffff:127.0.0.1` is in the list of IPv4 networks, too.
  return version !== 0 && loopback.check(host, version === 6 ? "ipv6" : "ipv4");
}

/** The reason, or null. @param host the address or name that the emulator listens on */
export function foreign({ headers, method }: IncomingMessage, host: string): string | null {
  const asked = headers.host ?? "";
  if (!isOwnName(asked, host)) return `it asks for the host "${asked}", which is not this emulator's`;
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${asked}`) return `it comes from a page of ${origin}`;
  const site = headers["sec-fetch-site"];
  const opened =
    method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  if (site !== undefined && site !== "same-origin" && site !== "none" && !opened)
    return "it comes from a page of another site";
  return null;
}

/**
 * DNS cannot point an address elsewhere. Off loopback, names without a dot pass: containers use them, and
 * no attacker can register one.
 */
function isOwnName(asked: string, host: string): boolean {
  const name = asked
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (isIP(name) !== 0 || name === "localhost" || name === host.toLowerCase()) return true;
  return !isLoopback(host) && /^[\w-]+$/.test(name);
}
