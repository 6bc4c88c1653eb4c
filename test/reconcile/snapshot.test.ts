import { deepEqual } from "node:assert/strict";
import type { DnsRecord } from "../../provider/dns";
import { Snapshot, type LiveEntry } from "../../provider/reconcile/zones/zone";
import { liveEntry, zoneWith } from "../support/live";

function entry(id: string, name: string, ttl = 600) {
  const record: DnsRecord = { domain: "example.com", name, type: "A", value: "192.0.2.1" };
  return liveEntry(record, id, ttl);
}

const snapshotOf = (...entries: readonly LiveEntry[]) => new Snapshot(zoneWith(entries));

describe("a reading of a zone, merged with later writes,", () => {
  const [www, api] = [entry("1", "www"), entry("2", "api")];
  const made = (entry: LiveEntry) => ({ at: 0, made: true, id: entry.id, entry });
  const changed = (id: string, entry?: LiveEntry) => ({ at: 0, made: false, id, entry });

  it("contains a created record, before and after the merge", () => {
    const snapshot = snapshotOf(www);
    snapshot.lay(made(api));
    deepEqual(snapshot.liveOf(api.key), [api]);
    deepEqual(snapshot.zone.entries, [www, api]);
    deepEqual(snapshot.liveOf(api.key), [api]);
  });

  it("trusts the listing of a created record, and the write of a changed or removed one", () => {
    const snapshot = snapshotOf(www, api);
    snapshot.lay(made({ ...www, ttl: 60 }));
    deepEqual(snapshot.liveOf(www.key), [www]);
    snapshot.lay(changed("2", { ...api, ttl: 60 }));
    deepEqual(snapshot.liveOf(www.key), [www]);
    deepEqual(
      snapshot.zone.entries.map(({ id, ttl }) => `${id} ${ttl}`),
      ["1 600", "2 60"],
    );
    snapshot.lay(changed("1"));
    deepEqual(snapshot.liveOf(www.key), []);
  });

  it("keeps the order of later creations, changes and removals", () => {
    const snapshot = snapshotOf();
    snapshot.lay(made(www));
    snapshot.lay(changed("1", { ...www, enabled: false }));
    snapshot.lay(made(api));
    deepEqual(
      snapshot.liveOf(www.key).map(({ enabled }) => enabled),
      [false],
    );
    deepEqual(snapshot.liveOf(api.key), [api]);
    snapshot.lay(changed("1"));
    deepEqual(snapshot.zone.entries, [api]);
  });

  it("leaves a zone that was handed out as it was", () => {
    const snapshot = snapshotOf(www);
    const { zone } = snapshot;
    snapshot.lay(changed("1"));
    deepEqual(snapshot.zone.entries, []);
    deepEqual(zone.entries, [www]);
  });
});
