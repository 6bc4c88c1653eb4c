/** States and journals that earlier versions wrote, read by this one: no write, no call, no diff. */
import { deepEqual, equal, ok } from "node:assert/strict";
import {
  domainShareType,
  recordBatchType,
  recordType,
  zoneType,
} from "../../provider/frontends/native/types";
import type { Operate } from "../../provider/lifecycle/host";
import type { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { allFixtures, type Stored, stacks } from "../support/fixtures";
import { hostOf, labs } from "../support/lab";
import { writesOf } from "../support/service";

const types = {
  Record: recordType,
  RecordBatch: recordBatchType,
  Zone: zoneType,
  DomainShare: domainShareType,
};

function lifecycleOf({ type }: Stored, operate: Operate): Lifecycle {
  const name = Object.keys(types).find((each) => type.endsWith(`:${each}`)) as keyof typeof types;
  return types[name](operate).lifecycle;
}

/** The dynamic provider stores neither of these. */
function withoutComputed(props: object | undefined): object {
  const { fqdn: _fqdn, zoneText: _zoneText, ...rest } = { ...props } as Record<string, unknown>;
  return rest;
}

describe("the stored states", () => {
  const lab = labs();

  it("are those of ten stacks, at least of the first version", () => {
    const first = allFixtures.filter(({ version }) => version === "0.1.0");
    deepEqual(first.map(({ name }) => name).sort(), Object.keys(stacks).sort());
    equal(first.length, 10);
  });

  for (const fixture of allFixtures)
    it(`of ${fixture.version}/${fixture.name} make no call, no write and no diff`, async () => {
      const { service, stack } = fixture;
      const here = await lab(service, stack.env);
      fixture.restoreJournal(here.settings.stateDir, here.service.url);
      const host = hostOf(here);
      const stored = fixture.resources();
      ok(stored.length > 0);
      for (const resource of stored) {
        const { id, inputs, outputs } = resource;
        const lifecycle = lifecycleOf(resource, (work) => work(host));
        const { inputs: checked, failures = [] } = await lifecycle.check(inputs, inputs);
        deepEqual([checked, failures], [inputs, []]);
        const { replaces = [], changes = false } = await lifecycle.diff(id, outputs, inputs);
        deepEqual([replaces, changes], [[], stack.open]);
      }
      if (!stack.open) deepEqual(here.admin.counts(), {});
      for (const resource of stored) {
        const { id, inputs, outputs } = resource;
        const read = await lifecycleOf(resource, (work) => work(host)).read(id, outputs);
        equal(read.id, id);
        if (!stack.open) {
          deepEqual(withoutComputed(read.props), withoutComputed(outputs));
          deepEqual(read.inputs ?? inputs, inputs);
        }
      }
      equal(writesOf(here.service), 0);
    });
});
