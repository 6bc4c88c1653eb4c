/** A domain's purview, cached on disk for a day, as the service demands (api.md, Domain.Purview). */
import { hash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../support/clock";
import { readPrivateJson, removePrivate, writePrivate } from "../support/private-file";
import type { Settings } from "../settings";
import type { Client } from "./client";
import type { PurviewEntry } from "./entities";
import { domainText, type DomainKeys } from "./listings";

const maxAge = 86_400_000;

const kept = z.object({
  at: z.number(),
  domain: z.string(),
  entries: z.array(z.object({ name: z.string(), value: z.union([z.number(), z.boolean(), z.string()]) })),
});

export class PurviewReader {
  private readonly read = new Map<string, Promise<readonly PurviewEntry[]>>();

  constructor(
    private readonly client: Client,
    private readonly settings: Pick<Settings, "baseUrl" | "stateDir">,
    private readonly clock: Clock = client.clock,
  ) {}

  get(keys: DomainKeys): Promise<readonly PurviewEntry[]> {
    const name = domainText(keys);
    const known = this.read.get(name);
    if (known) return known;
    const reading = this.fromDiskOrService(name, keys);
    this.read.set(name, reading);
    reading.catch(() => this.read.delete(name));
    return reading;
  }

  /** The service has contradicted the copy. */
  forget(domain: string): void {
    this.read.delete(domain);
    removePrivate(this.file(domain));
  }

  private async fromDiskOrService(name: string, keys: DomainKeys): Promise<readonly PurviewEntry[]> {
    const now = this.clock.wall();
    const found = kept.safeParse(readPrivateJson(this.file(name)));
    if (found.success && found.data.domain === name) {
      const age = now - found.data.at;
      if (age >= 0 && age < maxAge) return found.data.entries;
    }
    const entries = await this.client.call("Domain.Purview", keys, { target: name });
    writePrivate(this.file(name), `${JSON.stringify({ at: now, domain: name, entries })}\n`);
    return entries;
  }

  private file(name: string): string {
    const key = hash("sha256", `${this.settings.baseUrl}\n${name}`).slice(0, 20);
    return join(this.settings.stateDir, "purview", `${key}.json`);
  }
}
