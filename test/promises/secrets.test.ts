/**
 * Promise 8: no state, output, message or file contains a secret value, even if its record fails or goes
 * stale.
 */
import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { planVariable, readEntries, requestText } from "../../provider/lifecycle/plan-file";
import { childrenOf, killAll, until } from "../support/processes";
import { batch } from "../support/programs";
import {
  byBothFrontEnds,
  fails,
  must,
  noStack,
  type Running,
  says,
  type Stack,
  type Story,
} from "../support/story";

// With every kind of character that an encoding changes.
const token = '13490,t0ken+/=&%"of\\the~account';
const wrongToken = '13490,t0ken+/=&%"that\\is~wrong';
const values = [
  's3cret "of" \\the+record/=&%é',
  "s3cret of; the 'batch'/+",
  "198.51.100.77",
  's3cret/that+is "refused"',
];
const names = ["one", "two", "three", "four"];

const spec = (n: number, type = "TXT") =>
  `name: "${names[n]}", type: "${type}", value: secret(${n}), ttl: 600`;
const [two, three, four] = [1, 2, 3].map((n) => `{ ${spec(n, n === 2 ? "A" : "TXT")} }`);
const program = (records: string, more = "") => `
  const secret = (n) => pulumi.secret(process.env["VALUE_" + n]);
  const one = new dns.Record("one", { domain: "example.com", ${spec(0)} });
  const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [${two}, "plain 600 A 192.0.2.1", ${records}] });
  ${more}
  exports.value = one.value;
  exports.records = batch.zoneText;`;
const all = `${three}, "gone 600 A 192.0.2.9"`;

/** A text in the forms that a program might write. For base64, the part that does not depend on its neighbours. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const base64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.toString("base64").replace(/=+$/, "");
    return whole.slice(before === 0 ? 0 : before + 1, Math.floor(bytes.length / 3) * 4);
  });
  const escaped = (kind: RegExp) =>
    json.replace(kind, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    escaped(/[&<>]/g),
    escaped(/[^\x20-\x7e]/g),
    encodeURIComponent(text),
    new URLSearchParams({ t: text }).toString().slice(2),
    Buffer.from(text).toString("hex"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** Marks that a guess of a secret could produce: plain hashes of its text and of its record. */
const guesses = values.flatMap((value, n) => {
  const text = `${names[n]}.example.com. ${n === 2 ? `A ${value}` : `TXT ${JSON.stringify(value)}`}`;
  return [value, text, `example.com ${text}`].map((guess) =>
    createHash("sha256").update(guess).digest("base64url").slice(0, 8),
  );
});
const tokenForms = [token, wrongToken].flatMap((each) => formsOf(each.split(",")[1] ?? ""));
const texts = [...tokenForms, ...values.flatMap(formsOf)];
const forbidden = [...texts, ...guesses];

function clean(what: string, text: string, forms: readonly string[] = forbidden): void {
  for (const form of forms) {
    const at = text.indexOf(form);
    equal(at, -1, `${form} is in ${what}: …${text.slice(Math.max(0, at - 200), at + 200)}…`);
  }
}

function below(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return lstatSync(path).isDirectory() ? [path, ...below(path)] : [path];
  });
}

const up = ["up", "--yes", "--diff"];

/** Runs of a stack whose outputs and processes are examined. */
function watched(stack: Stack) {
  const own = (name: string) => join(stack.folder, name);
  for (const name of ["tmp", "user"]) mkdirSync(own(name));
  const folders = { LEGACYDNS_STATE_DIR: own("state/of/its/own"), TMPDIR: own("tmp"), HOME: own("user") };
  Object.assign(stack.env, folders, Object.fromEntries(values.map((value, n) => [`VALUE_${n}`, value])));
  const commands = new Set<string>();
  const start = (more: Record<string, string>, ...args: string[]): Running => {
    const running = stack.start(more, ...args);
    const timer = setInterval(() => {
      for (const { command } of childrenOf(running.pid)) commands.add(command);
    }, 30);
    void running.ended.finally(() => clearInterval(timer));
    return running;
  };
  const run = async (more: Record<string, string>, ...args: string[]) => {
    const ended = await start(more, ...args).ended;
    noStack(ended);
    clean("the output", ended.output);
    return ended;
  };
  return { own, commands, start, run };
}
type Watched = ReturnType<typeof watched>;

async function killedRun({ admin, stack }: Story, { start, run, own }: Watched): Promise<void> {
  const five =
    'new dns.Record("five", { domain: "example.com", name: "five", type: "TXT", value: secret(3) });';
  stack.program(program(all, five));
  admin.set({ jobStartMs: 600_000 });
  const killed = start({}, ...up, "--skip-preview");
  await until(
    "the job is at work",
    () => admin.jobs().some(({ done }) => !done),
    () => killed.output(),
  );
  // The engine may still be writing its state: a kill that cuts that file is another story (test/pulumi/cut-state.test.ts).
  await sleep(1_000);
  killAll(killed.pid);
  clean("the output", (await killed.ended).output);
  await stack.must("cancel", "--yes");
  ok(
    below(own("state")).some((path) => path.includes("journal/")),
    "the killed run leaves its journal",
  );
  await must(run({}, "refresh", "--yes", "--skip-preview", "--diff", "--clear-pending-creates"));
  for (const { id } of admin.jobs()) admin.finishJob(id);
  admin.set({ jobStartMs: 0 });
}

const drifted = /\[live\.ttl\]\s+plain\.example\.com\. A 192\.0\.2\.1 +TTL 60 live/;

/** Changes three records in the console, lets the service refuse one, and drops two. */
async function changes({ admin, stack, edit }: Story, { run }: Watched): Promise<void> {
  edit("one", { ttl: 60 }, "TXT");
  edit("two", { enabled: false }, "TXT");
  edit("plain", { ttl: 60 });
  await must(run({}, "refresh", "--yes", "--skip-preview", "--diff"));
  const value = new URLSearchParams({ value: values[3] ?? "" }).toString();
  admin.set({
    refuse: [{ name: "four", message: `${value}, that is ${values[3]}, of ${token} is not allowed` }],
  });
  stack.program(program(four ?? ""));
  says(
    await fails(run({}, ...up, "--continue-on-error")),
    /\[write\.refused\]\s+four\.example\.com\. TXT \(secret\)\s+not shown, because the call carries a secret value/,
    /three\.example\.com\. A \(secret\)/,
    drifted,
    /gone\.example\.com\. A 192\.0\.2\.9 +record \d+/,
  );
  // The next up knows the stale record by its number alone.
  const again = await run({}, ...up, "--skip-preview", "--continue-on-error");
  says(again, drifted, /gone\.example\.com\. A \(secret\)/, /three\.example\.com\. A \(secret\)/);
}

async function laterRuns({ edit, ids, stack }: Story, { run, own }: Watched): Promise<void> {
  edit("two", { value: values[0] ?? "" }, "TXT");
  writeFileSync(own("entries"), requestText({ urns: [], domains: ["example.com"], drift: false }));
  await must(run({ [planVariable]: own("entries") }, "preview", "--refresh", "--diff"));
  const entries = readFileSync(own("entries"), "utf8");
  // Its keys are digests of records. The command `plan` deletes it, too.
  rmSync(own("entries"));
  clean("the entries of a plan", entries, texts);
  ok(
    readEntries(entries).some(({ kind }) => kind === "declared"),
    entries,
  );
  const stranger = await fails(run({ LEGACYDNS_LOGIN_TOKEN: wrongToken }, "preview", "--refresh", "--diff"));
  says(stranger, "the login failed");
  clean("the state", await stack.state());
  stack.program(batch("batch", ["plain 600 A 192.0.2.1"]));
  await fails(run({}, ...up, "--skip-preview", "--continue-on-error"));
  const destroy = ["destroy", "--yes", "--skip-preview", "--continue-on-error"];
  const { output } = await fails(run({}, ...destroy));
  ok(
    ids().some((id) => output.includes(String(id))),
    output,
  );
  await must(run({ LEGACYDNS_REMOVAL: "retain" }, ...destroy));
}

function filesAreClean({ folder }: Stack, { own }: Watched): void {
  const files = below(folder);
  // The last one is a backup of the state.
  for (const part of [/login-stopped-/, /purview/, /\.json\.bak$/])
    ok(
      files.some((path) => part.test(path)),
      files.join("\n"),
    );
  for (const path of files) {
    clean("a file's name", path);
    if (lstatSync(path).isFile()) clean(relative(folder, path), readFileSync(path, "utf8"));
  }
  for (const path of [own("state/of"), ...below(own("state/of"))]) {
    const status = lstatSync(path);
    equal(status.mode & 0o777, status.isDirectory() ? 0o700 : 0o600, relative(folder, path));
  }
}

describe("promise 8: secrets", () => {
  it("are searched for in every encoding, also in the middle of others", () => {
    for (const around of ["", "x", "ab", "abc"]) {
      const text = `${around}${values[0]}${around}`;
      const json = JSON.stringify({ text });
      const left = [
        text,
        json,
        JSON.stringify(json),
        json.replace("é", "\\u00e9"),
        json.replace("&", "\\u0026"),
        encodeURIComponent(text),
        new URLSearchParams({ text }).toString(),
        ...(["hex", "base64", "base64url"] as const).map((form) => Buffer.from(text).toString(form)),
      ];
      for (const each of left) throws(() => clean("a file", each), /is in a file/, each);
    }
    clean("a file", "nothing to see");
  });

  byBothFrontEnds(
    "the token and secret values are in no state, output or file, even if a record is refused or stale",
    { service: { token } },
    async (told) => {
      const { stack, quietUp, lines } = told;
      const watch = watched(stack);
      stack.program(program(three ?? ""));
      await must(watch.run({}, ...up));
      // At this level, the engine's own log contains every property of the program in plain, secret or not. No property
      // contains the token, so the log must not contain it either.
      stack.program(program(all));
      const { output } = await must(watch.start({}, ...up, "--logtostderr", "-v=9").ended);
      says({ code: 0, output }, /"level":"INFO"|^I\d{4} /m);
      clean("the engine's log", output, tokenForms);
      deepEqual(lines(), [
        "gone A 192.0.2.9 600",
        `one TXT ${values[0]} 600`,
        "plain A 192.0.2.1 600",
        `three A ${values[2]} 600`,
        `two TXT ${values[1]} 600`,
      ]);
      await quietUp();
      await killedRun(told, watch);
      await changes(told, watch);
      await laterRuns(told, watch);
      ok(
        [...watch.commands].some((command) => /dynamic-provider|dist\/plugin/.test(command)),
        "the host was seen",
      );
      for (const command of watch.commands) clean("a process's arguments", command);
      filesAreClean(stack, watch);
    },
  );
});
