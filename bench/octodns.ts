/**
 * For comparison, the time that octoDNS takes to find no change. Optional: `BENCH_OCTODNS_PYTHON` names a
 * Python with octoDNS (`pip install octodns`).
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../cli/files";
import { Lab, largeJobs, median, middle, plainRow, secondsOf, type Row } from "./lab";
import { addressOf, batch } from "./programs";

const rounds = 3;

export async function octoDns(say: (text: string) => void): Promise<Row[]> {
  const python = process.env["BENCH_OCTODNS_PYTHON"];
  if (python === undefined) {
    say("left out: BENCH_OCTODNS_PYTHON names no Python that has octoDNS");
    return [];
  }
  return [...(await compare(python, 10_000, say)), ...(await compare(python, 100_000, say))];
}

async function compare(python: string, count: number, say: (text: string) => void): Promise<Row[]> {
  const name = `${count.toLocaleString("en-US")} records`;
  return Lab.with({ program: batch(0, count), env: largeJobs }, async (lab) => {
    say(`creating ${name}`);
    await lab.create(count);
    return withTemporaryFolder("octodns-", async (folder) => {
      writeConfiguration(folder, count);
      const theirs: number[] = [];
      const ours = [];
      for (let round = 1; round <= rounds; round += 1) {
        say(`${name}, round ${round} of ${rounds}`);
        theirs.push(await noOp(python, folder, lab));
        // A listing of the live zone is part of octoDNS's no-op: so it is of ours.
        ours.push(await lab.measure(() => lab.stack.preview("--refresh")));
      }
      const their = median(theirs);
      return [
        {
          name: `octoDNS, ${name}`,
          command: "octodns-sync, no changes",
          seconds: their,
          note: `median of ${theirs.map((s) => s.toFixed(1)).join(" ")}`,
        },
        plainRow(
          `RecordBatch, ${name}`,
          "preview --refresh, no changes",
          middle(ours),
          `median of ${secondsOf(ours)}; octoDNS takes ${(their / middle(ours).seconds).toFixed(1)} times as long`,
        ),
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
    [
      "providers:",
      `  config: { class: octodns.provider.yaml.YamlProvider, directory: ${folder}, enforce_order: false }`,
      "  live: { class: legacydns_listing.ListingProvider }",
      "zones:",
      "  example.com.: { sources: [config], targets: [live] }",
      "",
    ].join("\n"),
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
  const begun = performance.now();
  const child = spawn(python, ["-m", "octodns.cmds.sync", "--config-file", join(folder, "config.yaml")], {
    env,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((done, failed) => child.on("error", failed).on("close", done));
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0 || !output.includes("No changes were planned"))
    throw new Error(`octodns-sync ended with ${String(code)}:\n${output.slice(-2000)}`);
  return seconds;
}
