/** States and journals that earlier versions wrote, read by this one: no write, no call, no diff. */
import { deepEqual, equal, ok } from "node:assert/strict";
import {
  domainShareType,
  recordBatchType,
  recordType,
  zoneType,
} from "../../provider/frontends/native/types";
import type { Operate } from "../../provider/lifecycle/host";
import { allFixtures, type Stored, stacks } from "../support/fixtures";
import { checked, hostOf, labs } from "./lab";
import { writesOf } from "../support/service";

const types = {
  Record: recordType,
  RecordBatch: recordBatchType,
  Zone: zoneType,
  DomainShare: domainShareType,
};

function lifecycleOf({ type }: Stored, operate: Operate) {
  return types[type.split(":").at(-1) as keyof typeof types](operate).lifecycle;
}

/** The dynamic provider stores neither of these. */
function withoutComputed(props: object | undefined) {
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
        deepEqual(await checked(lifecycle, inputs, inputs), inputs);
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
