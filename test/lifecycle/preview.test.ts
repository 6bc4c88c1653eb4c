/** The summary of a preview, which a single `Record` has only if the engine's diff does not show all. */
import { deepEqual } from "node:assert/strict";
import {
  batchProvider,
  batchOf,
  checked,
  labTests,
  recordProvider,
  up,
  watched,
  type Lab,
  type Props,
} from "./lab";

const { it } = labTests();
const line = "www 600 A 192.0.2.1";
const record = { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 };
const infosIn = ({ reporter }: ReturnType<typeof watched>) =>
  reporter.lines.flatMap(({ level, text }) => (level === "info" ? [text] : []));

async function previewOf(lab: Lab, news: Props, by = recordProvider) {
  const process = watched(lab, by);
  await checked(process.provider, { ...news, __program: { urn: "own", resource: "www" } });
  return infosIn(process);
}

describe("the summary of a single Record's preview", () => {
  it("counts a live record as that of a batch does, if the record is new", async (lab) => {
    lab.add(line);
    const ofBatch = await previewOf(lab, batchOf([line]), batchProvider);
    deepEqual([ofBatch.length, await previewOf(lab, record)], [1, ofBatch]);
  });

  it("does not show the data of a secret that is live", async (lab) => {
    lab.add(line);
    const texts = await previewOf(lab, { ...record, sensitive: true });
    deepEqual([texts.length, texts.join().includes("192.0.2.1")], [1, false]);
  });

  it("is missing if the up creates or updates a record that it owns", async (lab) => {
    deepEqual(await previewOf(lab, record), []);
    const old = await up(watched(lab, recordProvider).provider, record);
    const process = watched(lab, recordProvider);
    const news = { ...record, ttl: 60, __program: { urn: "own" } };
    await process.provider.diff("id", old.outs, await checked(process.provider, news, old.inputs));
    deepEqual(infosIn(process), []);
  });
});
