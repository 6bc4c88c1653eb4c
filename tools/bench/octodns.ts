/**
 * For comparison, the time that octoDNS takes to find no change. Optional: `BENCH_OCTODNS_PYTHON` names a
 * Python with octoDNS (`pip install octodns`).
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { withTemporaryFolder } from "../../cli/files";
import { number } from "../../provider/support/text";
import { addressOf, batch } from "./cases";
import { Lab, largeJobs, middle, type Row, type Say } from "./lab";

const rounds = 3;

export async function octoDns(say: Say): Promise<Row[]> {
  const python = process.env["BENCH_OCTODNS_PYTHON"];
  if (python !== undefined)
    return [...(await compare(python, 10_000, say)), ...(await compare(python, 100_000, say))];
  say("left out: BENCH_OCTODNS_PYTHON names no Python that has octoDNS");
  return [];
}

async function compare(python: string, count: number, say: Say): Promise<Row[]> {
  const name = `${number(count)} records`;
  return Lab.with({ program: batch(count), env: largeJobs }, async (lab) => {
    say(`creating ${name}`);
    await lab.update();
    lab.expectLive(count);
    return withTemporaryFolder("octodns-", async (folder) => {
      writeConfiguration(folder, count);
      const theirs: { seconds: number }[] = [];
      const ours = [];
      for (let round = 1; round <= rounds; round += 1) {
        say(`${name}, round ${round} of ${rounds}`);
        theirs.push({ seconds: await noOp(python, folder, lab) });
        // octoDNS lists the live zone, too.
        ours.push(await lab.measure((stack) => stack.preview("--refresh")));
      }
      const [their, our] = [middle(theirs), middle(ours)];
      const note = `octoDNS takes ${(their.seconds / our.seconds).toFixed(1)} times as long`;
      return [
        { subject: `octoDNS, ${name}`, command: "octodns-sync without changes", ...their },
        { subject: `RecordBatch, ${name}`, command: "preview --refresh without changes", ...our, note },
      ];
    });
  });
}

function writeConfiguration(folder: string, count: number): void {
  const records = Array.from(
    { length: count },
    (_, i) => `h${i}:\n  type: A\n  ttl: 600\n  value: ${addressOf(i)}\n`,
  );
  writeFileSync(join(folder, "example.com.yaml"), records.join(""));
  writeFileSync(
    join(folder, "config.yaml"),
    `providers:
  config: { class: octodns.provider.yaml.YamlProvider, directory: ${folder}, enforce_order: false }
  live: { class: legacydns_listing.ListingProvider }
zones:
  example.com.: { sources: [config], targets: [live] }
`,
  );
}

async function noOp(python: string, folder: string, lab: Lab): Promise<number> {
  const env = {
    ...process.env,
    PYTHONPATH: join(__dirname, "octodns"),
    PYTHONDONTWRITEBYTECODE: "1",
    LISTING_URL: lab.emulator.url,
    LISTING_TOKEN: lab.emulator.token,
  };
  const args = ["-m", "octodns.cmds.sync", "--config-file", join(folder, "config.yaml")];
  const begun = performance.now();
  const { stdout, stderr } = await promisify(execFile)(python, args, { env, maxBuffer: 1 << 26 });
  const seconds = (performance.now() - begun) / 1000;
  const output = `${stdout}${stderr}`;
  if (!output.includes("No changes were planned"))
    throw new Error(`octodns-sync found changes:\n${output.slice(-2000)}`);
  return seconds;
}
