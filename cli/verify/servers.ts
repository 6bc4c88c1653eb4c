/** The name servers to ask: those of `--server`, or the domain's own from the service or the resolver. */
import { lookup, resolveNs } from "node:dns/promises";
import { isIP } from "node:net";
import { InvalidArgumentError } from "commander";
import { ServiceError, type Client } from "../../provider/api";
import { messageOf, reason, type RecordLine } from "../../provider/problems";
import { CommandError, systemCode } from "../errors";
import type { Server } from "./ask";

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

function codeOf(error: unknown): string {
  return systemCode(error) ?? String(error);
}
