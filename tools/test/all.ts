/** `npm run test:all`: every test. A failed part does not stop the next one. */
import { spawnSync } from "node:child_process";
import { main, root, say, script } from "../support/main";
import { matrixCommand } from "./matrix";

const seed = new Date().toISOString().slice(0, 10).replaceAll("-", "");
/** The stories that `npm test` omits. */
export const stories = "npx mocha 'test/pulumi/*.test.ts' 'test/browser/*.test.ts'";

/** Stories that `npm test` runs with one front end each. */
const promises = "'test/promises/*.test.ts'";

/** Part → its command. */
export const parts: Readonly<Record<string, string>> = {
  "npm test": "npm test",
  "stories with the dynamic provider, and the browser": `PULUMI_LEGACYDNS_TEST_FRONT_END=dynamic ${stories} ${promises}`,
  "stories with the plugin": `PULUMI_LEGACYDNS_TEST_FRONT_END=native ${stories} ${promises} --ignore 'test/browser/**' --ignore 'test/pulumi/native*'`,
  "release workflow": "npx mocha 'test/release/*.test.ts'",
  "version matrix": matrixCommand,
  "simulated schedules": `npm run --silent simulate -- --runs 20000 --seed ${seed}`,
  "simulated schedules in full mode": `npm run --silent simulate -- --runs 5000 --seed ${seed} --always full`,
  "spoilt answers": `MUTATIONS=20000 MUTATION_SEED=${seed} npx mocha --timeout 0 test/size/mutated.test.ts`,
};

function runAll(): void {
  const all = Object.entries(parts);
  const failed = all.filter(([part, command]) => {
    say(`\n== ${part}: ${command}`);
    return spawnSync("bash", ["-c", command], { cwd: root, stdio: "inherit" }).status !== 0;
  });
  say(`\n${all.length - failed.length} of ${all.length} parts passed`);
  for (const [part, command] of failed) say(`failed: ${part}: ${command}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

if (require.main === module)
  main(
    script(
      "test:all",
      "Runs `npm test`, all stories with each front end, the version matrix, 20,000 mixed schedules, 5,000 in full mode and 20,000 spoilt answers.",
    ),
    runAll,
  );
