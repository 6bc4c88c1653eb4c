/** Every code that a look-up can be refused with (api.md, Errors; service-notes, Common return codes), as its user reads it. */
import assert from "node:assert/strict";
import {
  getBatchJob,
  getCustomLines,
  getDomain,
  getDomains,
  getMonitorHistory,
  getPurview,
  getRecord,
  getRecords,
} from "../../provider/functions";
import { errorOf, withService } from "./support";

const example = { domain: "example.com" };

const ask: Readonly<Record<string, () => Promise<unknown>>> = {
  "Domain.Info": () => getDomain(example),
  "Domain.List": () => getDomains(),
  "Domain.Purview": () => getPurview(example),
  "Record.Info": () => getRecord({ ...example, recordId: 17 }),
  "Record.List": () => getRecords(example),
  "Monitor.Gethistory": () => getMonitorHistory({ monitorId: "m-1" }),
  "Custom.Line.List": () => getCustomLines(example),
  "Batch.Detail": () => getBatchJob({ jobId: 42 }),
};

/** Operation, code, and the whole message. */
const messages: readonly (readonly [operation: string, code: string, message: string])[] = [
  [
    "Domain.Info",
    "6",
    `getDomain: Domain.Info of example.com: the domain ID is wrong (6 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Domain.Info",
    "7",
    `getDomain: Domain.Info of example.com: the caller is not the domain's owner (7 "Said"). Only the main account that owns the domain may do this: use that account's token.`,
  ],
  [
    "Domain.Info",
    "8",
    `getDomain: Domain.Info of example.com: the caller is not the domain's owner (8 "Said"). Only the main account that owns the domain may do this: use that account's token.`,
  ],
  [
    "Domain.Info",
    "13",
    `getDomain: Domain.Info of example.com: the domain is wrong (13 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Domain.List",
    "6",
    `getDomains: Domain.List: the start offset is invalid (6 "Said"). This is a mistake in the paging of this tool: please report it.`,
  ],
  [
    "Domain.List",
    "7",
    `getDomains: Domain.List: the requested number of domains is invalid (7 "Said"). This is a mistake in the paging of this tool: please report it.`,
  ],
  [
    "Domain.Purview",
    "-15",
    `getPurview: Domain.Purview of example.com: the domain is banned (-15 "Said"). The service has banned the domain: ask its support to lift the ban.`,
  ],
  [
    "Domain.Purview",
    "6",
    `getPurview: Domain.Purview of example.com: the domain ID is wrong (6 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Domain.Purview",
    "7",
    `getPurview: Domain.Purview of example.com: the caller is not the domain's owner (7 "Said"). Only the main account that owns the domain may do this: use that account's token.`,
  ],
  [
    "Domain.Purview",
    "8",
    `getPurview: Domain.Purview of example.com: the domain is invalid (8 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Domain.Purview",
    "9",
    `getPurview: Domain.Purview of example.com: the remark is too long (9 "Said"). Shorten the domain's remark in the service's console.`,
  ],
  [
    "Domain.Purview",
    "13",
    `getPurview: Domain.Purview of example.com: the domain is wrong (13 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Domain.Purview",
    "21",
    `getPurview: Domain.Purview of example.com: the domain is locked (21 "Said"). Unlock the domain in the service's console, then run again.`,
  ],
  [
    "Record.Info",
    "6",
    `getRecord: Record.Info of record 17 of example.com: the domain ID is wrong (6 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Record.Info",
    "7",
    `getRecord: Record.Info of record 17 of example.com: the caller is not the domain's owner (or the start offset is invalid) (7 "Said"). Only the main account that owns the domain may do this: use that account's token.`,
  ],
  [
    "Record.Info",
    "8",
    `getRecord: Record.Info of record 17 of example.com: the domain is invalid (8 "Said"). Check the domain's name or id, and that this account holds it. A record id that is unknown can be told this way, too.`,
  ],
  [
    "Record.Info",
    "13",
    `getRecord: Record.Info of record 17 of example.com: the domain is wrong (13 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Record.List",
    "6",
    `getRecords: Record.List of example.com: the domain ID is wrong (6 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Record.List",
    "7",
    `getRecords: Record.List of example.com: the caller is not the domain's owner (or the start offset is invalid) (7 "Said"). Only the main account that owns the domain may do this: use that account's token.`,
  ],
  [
    "Record.List",
    "8",
    `getRecords: Record.List of example.com: the requested number of records or the domain is invalid (8 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Record.List",
    "13",
    `getRecords: Record.List of example.com: the domain is wrong (13 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Record.List",
    "27",
    `getRecords: Record.List of example.com: the line is invalid (27 "Said"). Check the line's name: it must be one of the domain's lines, as the service writes it.`,
  ],
  [
    "Monitor.Gethistory",
    "6",
    `getMonitorHistory: Monitor.Gethistory of monitor m-1: the monitor ID is wrong (6 "Said"). Check the monitor's id in the service's console.`,
  ],
  [
    "Monitor.Gethistory",
    "7",
    `getMonitorHistory: Monitor.Gethistory of monitor m-1: the monitor ID is wrong (7 "Said"). Check the monitor's id in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "7",
    `getCustomLines: Custom.Line.List of example.com: there is no permission on the domain (7 "Said"). Only the main account that owns the domain may do this: use that account's token.`,
  ],
  [
    "Custom.Line.List",
    "40601",
    `getCustomLines: Custom.Line.List of example.com: a parameter is wrong (40601 "Said"). Check the domain's name or id, and that this account holds it.`,
  ],
  [
    "Custom.Line.List",
    "40603",
    `getCustomLines: Custom.Line.List of example.com: the custom line's name is empty (40603 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "40609",
    `getCustomLines: Custom.Line.List of example.com: the custom line's IP range is empty (40609 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "801",
    `getCustomLines: Custom.Line.List of example.com: the available quota is used up (801 "Said"). Upgrade the package or buy an add-on.`,
  ],
  [
    "Custom.Line.List",
    "802",
    `getCustomLines: Custom.Line.List of example.com: the available quota is used up (802 "Said"). Upgrade the package or buy an add-on.`,
  ],
  [
    "Custom.Line.List",
    "77",
    `getCustomLines: Custom.Line.List of example.com: the line is in use and cannot be edited (77 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "40608",
    `getCustomLines: Custom.Line.List of example.com: the line's name is longer than 17 characters (40608 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "40607",
    `getCustomLines: Custom.Line.List of example.com: the line's name contains characters that are not accepted (40607 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "400001",
    `getCustomLines: Custom.Line.List of example.com: the custom line is used by a grouped line and cannot be changed (400001 "Said"). Pause its use and try again.`,
  ],
  [
    "Custom.Line.List",
    "40604",
    `getCustomLines: Custom.Line.List of example.com: it is not a valid IP range (40604 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "40606",
    `getCustomLines: Custom.Line.List of example.com: the IP exists already (40606 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Custom.Line.List",
    "81",
    `getCustomLines: Custom.Line.List of example.com: the line is in use and cannot be deleted (81 "Said"). A message about editing lines, which this tool never does: look at the custom lines in the service's console.`,
  ],
  [
    "Batch.Detail",
    "8",
    `getBatchJob: Batch.Detail of job 42: there is no data: the job was not found (8 "Said"). Check the job's id; old jobs may be forgotten by the service.`,
  ],
  [
    "Domain.Info",
    "-7",
    `getDomain: Domain.Info of example.com: the account has no right to this interface, or its package needs an upgrade (-7 "Said"). Only the main account may call it: use its token, or upgrade the package.`,
  ],
  [
    "Domain.Info",
    "3",
    `getDomain: Domain.Info of example.com: an error that the service itself does not know (3 "Said"). Check baseUrl: a wrong path in it is answered like this. If other calls go well, ask the service's support.`,
  ],
  [
    "Domain.Info",
    "4711",
    `getDomain: Domain.Info of example.com: the service answered with a code that is not documented (4711 "Said"). Its own words above are all there is; the service's support can tell more.`,
  ],
];

describe("the codes of the service, told by look-ups", () => {
  for (const [operation, code, message] of messages) {
    it(
      `${operation} ${code}`,
      withService({}, async (emulator) => {
        emulator.admin.addFault({ kind: "code", operation, code, message: "Said" });
        const error = await errorOf(ask[operation]?.() ?? Promise.resolve());
        assert.equal(error.message, message);
        assert.equal(error.operation, operation);
        assert.equal(error.code, code);
        assert.equal(error.stack, "");
      }),
    );
  }

  for (const code of ["-1", "-8", "83", "85", "10001", "10002", "50"]) {
    it(
      `a login that fails with ${code} is one error for every look-up, and nothing else is sent`,
      withService({}, async (emulator) => {
        emulator.admin.addFault({ kind: "code", code, message: "Said" });
        const first = await errorOf(getDomain(example));
        assert.match(
          first.message,
          /^getDomain: Domain\.Info of example\.com: .* Repeated failures ban the account, so nothing on this machine tries this token for five minutes/,
        );
        assert.doesNotMatch(first.message, new RegExp(emulator.token));
        assert.equal(await errorOf(getRecords(example)), first);
        assert.deepEqual(emulator.admin.counts(), { "Domain.Info": 1 });
      }),
    );
  }

  it("the codes for nothing there are answers, not errors", async () => {
    await withService({ domains: [{ name: "example.com", defaultNs: false }] }, async () => {
      assert.deepEqual((await getRecords(example)).records, []);
      assert.deepEqual((await getDomains({ keyword: "nothing" })).domains, []);
    })();
  });
});
