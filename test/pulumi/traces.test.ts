/**
 * The traces of whole runs, good and bad. They contain neither the token nor a secret value in any form that
 * a program might write. The provider's files are for this user alone.
 */
import { equal, ok, throws } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { planVariable, readEntries, requestText } from "../../provider/lifecycle/plan-file";
import { childrenOf, killAll, until } from "../support/processes";
import {
  fails,
  must,
  noStack,
  type Run,
  type Running,
  says,
  type Stack,
  story,
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

const other = (name: string): string =>
  `new dns.Record("${name}", { domain: "example.com", name: "${name}", type: "TXT", value: secret(3) });`;
const program = (more = ""): string => `
  const secret = (n) => pulumi.secret(process.env["VALUE_" + n]);
  const one = new dns.Record("one", { domain: "example.com", name: "one", type: "TXT", value: secret(0), ttl: 600 });
  const batch = new dns.RecordBatch("batch", { domains: "example.com", records: [
    { name: "two", type: "TXT", value: secret(1), ttl: 600 },
    { name: "three", type: "A", value: secret(2), ttl: 600 },
    { name: "plain", type: "A", value: "192.0.2.1", ttl: 600 } ] });
  ${more}
  exports.value = one.value;
  exports.records = batch.zoneText;`;

/** A text in the forms that a program might write. For base64, the part that does not depend on its neighbours. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const base64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.toString("base64").replace(/=+$/, "");
    return whole.slice(before === 0 ? 0 : before + 1, Math.floor(bytes.length / 3) * 4);
  });
  const escaped = (kind: RegExp): string =>
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

const [, half = ""] = token.split(",");
const [, wrongHalf = ""] = wrongToken.split(",");
const tokenForms = [half, wrongHalf].flatMap(formsOf);
const forbidden = [...tokenForms, ...values.flatMap(formsOf)];

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

const up = ["up", "--yes", "--skip-preview", "--diff"];

/** Runs of a stack whose outputs and processes are collected. */
function watched(stack: Stack) {
  const own = (name: string): string => join(stack.folder, name);
  for (const name of ["tmp", "user"]) mkdirSync(own(name));
  const env = {
    ...Object.fromEntries(values.map((value, n) => [`VALUE_${n}`, value])),
    LEGACYDNS_STATE_DIR: own("state/of/its/own"),
    TMPDIR: own("tmp"),
    HOME: own("user"),
  };
  const commands = new Set<string>();
  const outputs: string[] = [];
  const start = (more: Record<string, string>, ...args: string[]): Running => {
    const running = stack.start({ ...env, ...more }, ...args);
    const timer = setInterval(() => {
      for (const { command } of childrenOf(running.pid)) commands.add(command);
    }, 30);
    void running.ended.finally(() => clearInterval(timer));
    return running;
  };
  const run = async (more: Record<string, string>, ...args: string[]): Promise<Run> => {
    const ended = await start(more, ...args).ended;
    noStack(ended);
    outputs.push(ended.output);
    return ended;
  };
  return { own, commands, outputs, start, run };
}
type Watched = ReturnType<typeof watched>;

async function killedRun({ admin, stack }: Story, { start, outputs, own }: Watched): Promise<void> {
  stack.program(program(other("five")));
  admin.set({ jobStartMs: 600_000 });
  const killed = start({}, ...up);
  await until(
    "the job is at work",
    () => admin.jobs().some(({ done }) => !done),
    () => killed.output(),
  );
  // The engine may still be writing its state: a kill that cuts that file is another story (cut-state.test.ts).
  await sleep(1_000);
  killAll(killed.pid);
  outputs.push((await killed.ended).output);
  await stack.must("cancel", "--yes");
  const journal = below(own("state")).filter((path) => path.includes("journal/"));
  equal(journal.length > 0, true, "the killed run leaves its journal");
}

async function laterRuns({ edit, stack }: Story, { run, outputs, own }: Watched): Promise<void> {
  await must(run({}, "refresh", "--yes", "--skip-preview", "--diff", "--clear-pending-creates"));
  edit("two", { value: values[0] ?? "" }, "TXT");
  writeFileSync(own("entries"), requestText({ urns: [], domains: ["example.com"], drift: false }));
  await must(run({ [planVariable]: own("entries") }, "preview", "--refresh", "--diff"));
  const entries = readFileSync(own("entries"), "utf8");
  ok(
    readEntries(entries).some(({ kind }) => kind === "declared"),
    entries,
  );
  const stranger = await fails(run({ LEGACYDNS_LOGIN_TOKEN: wrongToken }, "preview", "--refresh", "--diff"));
  says(stranger, "the login failed");
  outputs.push(await stack.state());
  await must(run({ LEGACYDNS_REMOVAL: "retain" }, "destroy", "--yes", "--skip-preview"));
}

function filesAreClean(folder: string): void {
  const files = below(folder);
  for (const part of [/login-stopped-/, /purview/]) {
    ok(
      files.some((path) => part.test(path)),
      files.join("\n"),
    );
  }
  ok(
    files.some((path) => path.endsWith(".json.bak")),
    "backups of the state are looked at too",
  );
  for (const path of files) {
    clean("a file's name", path);
    if (lstatSync(path).isFile()) clean(relative(folder, path), readFileSync(path, "utf8"));
  }
}

describe("a whole run", () => {
  it("is searched for a text in every encoding, also in the middle of others", () => {
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

  it("leaves neither the token nor a secret value anywhere", () => {
    const refuse = [{ name: "four", message: `The value ${values[3] ?? ""} of ${token} is not allowed` }];
    const service = { token, settings: { refuse } };
    return story({ program: program(), service }, async (told) => {
      const { stack, ids } = told;
      const watch = watched(stack);
      // At this level, the engine's own log contains every property of the program in plain, secret or not. No property
      // contains the token, so the log must not contain it either.
      const first = await watch.start({}, "up", "--yes", "--diff", "--logtostderr", "-v=9").ended;
      equal(first.code, 0, first.output.slice(-3000));
      says(first, /"level":"INFO"|^I\d{4} /m);
      clean("the engine's log", first.output, tokenForms);
      equal(ids().length, 4);

      stack.program(program(other("four")));
      const failed = await fails(watch.run({}, ...up));
      says(
        failed,
        /\[write\.refused\]\s+four\.example\.com\. TXT \(secret\)\s+not shown, because the call carries a secret value/,
      );
      await killedRun(told, watch);
      await laterRuns(told, watch);

      for (const output of watch.outputs) clean("the output", output);
      ok(
        [...watch.commands].some((command) => /dynamic-provider|dist\/plugin/.test(command)),
        "the host was seen",
      );
      for (const command of watch.commands) clean("a process's arguments", command);
      filesAreClean(stack.folder);
      for (const path of [watch.own("state/of"), ...below(watch.own("state/of"))]) {
        const status = lstatSync(path);
        equal(status.mode & 0o777, status.isDirectory() ? 0o700 : 0o600, relative(stack.folder, path));
      }
    });
  });
});
