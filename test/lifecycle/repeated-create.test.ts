/** An engine's hook repeats Create in the same process, after a failure that made some of the records. */
import { deepEqual, rejects } from "node:assert/strict";
import { recordBatchType } from "../../provider/frontends/native/types";
import { batchProvider, create, labTests, watched, type Lab, type Props } from "./lab";

const frontEnds: Readonly<Record<string, typeof batchProvider>> = {
  "the dynamic provider": batchProvider,
  "the plugin": (operate) => recordBatchType(operate).lifecycle,
};

const inputs: Props = {
  domains: ["example.com", "example.net"],
  records: ["com", "net"].map((end) => `www.example.${end}. 600 A 192.0.2.1\n`).join(""),
};
const failed = (error: Error & { readonly id?: string; readonly reasons?: readonly string[] }) =>
  error.id !== undefined && error.reasons !== undefined;

interface Trouble {
  begin(lab: Lab): void;
  end(lab: Lab): void;
  /** Numbers of records that the first Create made. */
  readonly made: readonly [com: number, net: number];
}
const troubles: Readonly<Record<string, Trouble>> = {
  "a locked domain": {
    begin: ({ admin }) => admin.setDomain("example.net", { status: "lock" }),
    end: ({ admin }) => admin.setDomain("example.net", { status: "enable" }),
    made: [1, 0],
  },
  "a lost answer of a job that was carried out": {
    begin: (lab) => lab.loseUnread(create, "after"),
    end: ({ admin }) => admin.clearFaults(),
    made: [1, 1],
  },
  "a lost answer of a job that never began": {
    begin: (lab) => lab.loseUnread(create),
    end: ({ admin }) => admin.clearFaults(),
    made: [0, 0],
  },
};

describe("a Create that is repeated in one process", () => {
  // A second creation of a record would be accepted, and show.
  const { it } = labTests({ settings: { identical: "accept" } }, { jobTimeout: 3 });

  for (const [by, providerBy] of Object.entries(frontEnds))
    for (const [what, trouble] of Object.entries(troubles))
      it(`makes each record once after ${what}, by ${by}`, async (lab) => {
        const { provider } = watched(lab, providerBy);
        const { inputs: checked = {} } = await provider.check({}, inputs);
        const live = () => ["example.com", "example.net"].map((domain) => lab.lines(domain).length);
        trouble.begin(lab);
        await rejects(provider.create(checked), failed);
        lab.finishJobs();
        deepEqual(live(), trouble.made);
        trouble.end(lab);
        const { id, outs } = await provider.create(checked);
        deepEqual(live(), [1, 1]);
        deepEqual(await provider.diff(id, outs, checked), { replaces: [] });
      });
});
