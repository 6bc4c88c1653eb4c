/** The operations outside api.md, switched on, with a call of each that succeeds: for the tables of facts about them. */
import type { StartOptions } from "../../emulator";
import { friend, get, list, owner, stranger, token, type Lab, type Params } from "./lab";

/** A laboratory that answers them; without index delay unless it is asked for. */
export const on = (settings: StartOptions["settings"] = {}): StartOptions => ({
  settings: { undocumented: true, indexDelay: 0, ...settings },
});

/** The same with a third person to share with: mate@example.com. */
export const withMate: StartOptions = {
  ...on(),
  accounts: [
    { email: owner, token },
    { email: friend },
    { email: stranger, verified: false },
    { email: "mate@example.com" },
  ],
};

/** Parameters of a Record.Modify that changes nothing of record 501, the A of the apex. */
export const asIs = {
  record_id: "501",
  sub_domain: "@",
  record_type: "A",
  record_line: "默认",
  value: "192.0.2.1",
  ttl: "600",
};

/** A successful call of each operation. A write changes something. */
export const calls: Readonly<Record<string, Params>> = {
  "Record.Modify": { ...asIs, value: "192.0.2.77" },
  "Record.Remove": { record_id: "502" },
  "Batch.Record.Modify": { record_id: "501", change: "ttl", change_to: "900" },
  "Domainshare.Create": { email: friend, mode: "r", sub_domain: "new" },
  "Domainshare.List": {},
  "Domainshare.Remove": { email: friend },
};

/** Record.Modify of record 501, with changed parameters. */
export const modify = (lab: Lab, params: Params): Promise<unknown> =>
  lab.call("Record.Modify", { ...asIs, ...params });

/** The zone's line of a name, as it is now. */
export const live = (lab: Lab, name: string): string[] =>
  lab.emulator.admin.zoneText("example.com").filter((line) => line.startsWith(`${name} `));

/** The entry of Record.List for a name: `600 A 192.0.2.1`, with `off` if disabled. */
export async function listed(lab: Lab, name: string): Promise<string[]> {
  const answer = await lab.call("Record.List", { sub_domain: name });
  return list(answer, "records").map((record) => {
    const text = ["ttl", "type", "value"].map((key) => String(get(record, key))).join(" ");
    return get(record, "enabled") === "1" ? text : `${text} off`;
  });
}
