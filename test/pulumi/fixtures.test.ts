/** States and journals that earlier versions wrote, read by this one through the engine: no write, no call, no diff. */
import assert from "node:assert/strict";
import { allFixtures, Fixture, type FixtureStack, stacks } from "../support/fixtures";
import { fails, must, type Story, story } from "../support/story";

const written = process.env["PULUMI_LEGACYDNS_WRITE_FIXTURES"];

async function write(
  fixture: Fixture,
  described: FixtureStack,
  { emulator, stack, up, quietUp }: Story,
): Promise<void> {
  const { programs, prepare, open, refresh } = described;
  for (const [i, program] of programs.entries()) {
    stack.program(program);
    const isLast = i === programs.length - 1;
    if (isLast) prepare?.(emulator.admin);
    if (isLast && open === true) await fails(stack.up());
    else await up();
  }
  if (refresh === true) await up("--refresh");
  emulator.admin.clearFaults();
  for (const { id } of emulator.admin.jobs()) emulator.admin.finishJob(id);
  const { output } = await stack.must("stack", "export", "--show-secrets");
  fixture.write(described, output, String(stack.env["LEGACYDNS_STATE_DIR"]), emulator);
  if (open !== true) await quietUp();
}

async function read(fixture: Fixture, { emulator, stack, quietUp, writes }: Story): Promise<void> {
  const { program, open } = fixture.stack;
  stack.program(program);
  fixture.restoreJournal(String(stack.env["LEGACYDNS_STATE_DIR"]), emulator.url);
  await stack.must("stack", "import", "--file", fixture.stateFile);
  // An open write asks the service once, and is known from then on.
  if (open) await must(stack.up());
  await quietUp();
  const refreshed = await must(stack.up("--refresh", "--expect-no-changes"));
  assert.equal(writes(), 0, refreshed.output);
}

describe("the state, the journal and the ledger", () => {
  if (written !== undefined)
    for (const [name, described] of Object.entries(stacks))
      it(`of a typical stack are written: ${name}`, () =>
        story(described, (told) => write(new Fixture(written, name), described, told)));
  else
    for (const fixture of allFixtures)
      it(`that version ${fixture.version} wrote of a typical stack make no call, no write and no diff: ${fixture.name}`, () =>
        story({ ...fixture.stack, service: fixture.service }, (told) => read(fixture, told)));
});
