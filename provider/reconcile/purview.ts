/**
 * A domain's purview, kept locally as the service asks (api.md, Domain.Purview): one call per domain, on disk for a day,
 * forgotten when the service refuses a record that it should have allowed.
 */
import { join } from "node:path";
import { z } from "zod";
import type { Client, PurviewEntry } from "../api";
import type { Clock } from "../clock";
import { digest } from "../dns";
import { readPrivateJson, removePrivate, writePrivate } from "../private-file";
import type { Settings } from "../settings";

const kept = z.object({
  at: z.number(),
  domain: z.string(),
  entries: z.array(z.object({ name: z.string(), value: z.union([z.number(), z.boolean(), z.string()]) })),
});

export class PurviewReader {
  private readonly read = new Map<string, Promise<readonly PurviewEntry[]>>();

  constructor(
    private readonly client: Client,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** The domain's purview, no older than `purviewMaxAge`. @throws LegacyDnsError when it must be read and cannot be. */
  get(domain: string): Promise<readonly PurviewEntry[]> {
    const known = this.read.get(domain);
    if (known) return known;
    const reading = this.fromDiskOrService(domain);
    this.read.set(domain, reading);
    reading.catch(() => this.read.delete(domain));
    return reading;
  }

  /** Forgets what is kept: the service has just contradicted it. */
  forget(domain: string): void {
    this.read.delete(domain);
    removePrivate(this.file(domain));
  }

  private async fromDiskOrService(domain: string): Promise<readonly PurviewEntry[]> {
    const now = this.clock.wall();
    const found = kept.safeParse(readPrivateJson(this.file(domain)));
    if (found.success && found.data.domain === domain) {
      const age = now - found.data.at;
      if (age >= 0 && age < this.settings.purviewMaxAge * 1000) return found.data.entries;
    }
    const entries = await this.client.call("Domain.Purview", { domain }, { target: domain });
    writePrivate(this.file(domain), `${JSON.stringify({ at: now, domain, entries })}\n`);
    return entries;
  }

  private file(domain: string): string {
    return join(this.settings.stateDir, "purview", `${digest(`${this.settings.baseUrl}\n${domain}`)}.json`);
  }
}
