import { deepEqual, equal, match, notEqual, ok, rejects, throws } from "node:assert/strict";
import { Box, Refusal, Service, seedSchema, startEmulator } from "../../emulator";
import { a, code, friend, get, inLab, pick, start, token, type Lab } from "./lab";

async function admin(lab: Lab, path: string, body?: object | string) {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const response = await fetch(
    `${lab.emulator.adminUrl}/${path}`,
    text === undefined ? {} : { method: "POST", body: text },
  );
  return { status: response.status, answer: await response.json() };
}

type AdminCall = readonly [status: number, path: string, body?: object | string];

async function answers(lab: Lab, calls: readonly AdminCall[]) {
  for (const [expected, path, body] of calls)
    equal((await admin(lab, path, body)).status, expected, `${path} ${JSON.stringify(body)}`);
}

describe("emulator console over HTTP", () => {
  it("reports the problems of an edit, and accepts it by force", () =>
    inLab({}, async (lab) => {
      const edit = { domain: "plan.example", name: "x", type: "A", value: "192.0.2.300" };
      const { value: _, ...named } = edit;
      equal(get((await admin(lab, "record/add", edit)).answer, "code"), "17");
      await answers(lab, [
        [400, "record/add", edit],
        [200, "record/add", { ...edit, force: true }],
        [400, "record/remove", { domain: "plan.example", id: 1 }],
        [400, "record/remove", { ...named, id: "1" }],
        [200, "record/remove", named],
        [400, "record/add", { domain: "plan.example", type: "A", valu: "x" }],
        [400, "zone?domain=nowhere.example"],
        [404, "nonsense"],
        [400, "settings", "{"],
      ]);
    }));

  it("changes a domain's status, owner and limits", () =>
    inLab({}, async (lab) => {
      const set = (change: object) => admin(lab, "domain/set", { domain: "example.com", ...change });
      await set({ status: "spam", purview: { ns: 3 } });
      equal(get(await lab.call("Domain.Info"), "domain.status"), "spam");
      await set({ status: "enable" });
      deepEqual(get(await lab.call("Domain.Purview"), "purview.1"), { name: "NS记录条数", value: 3 });
      await set({ owner: friend });
      equal(await lab.code("Domain.Info"), "7");
    }));

  it("adds and removes domains, accounts and shares", () =>
    inLab({}, async (lab) => {
      const added = { name: "new.example", owner: "new@example.com" };
      const share = { domain: "plan.example", email: "mate@example.com" };
      await answers(lab, [
        [200, "account/add", { email: "new@example.com" }],
        [200, "domain/add", added],
        [400, "domain/add", added],
        [200, "domain/remove", { domain: "new.example" }],
        [200, "share/add", { ...share, mode: "rw" }],
      ]);
      const shares = async () => (await admin(lab, "shares?domain=plan.example")).answer;
      deepEqual(await shares(), [{ email: share.email, mode: "rw", subDomain: "" }]);
      await admin(lab, "share/remove", share);
      deepEqual(await shares(), []);
    }));

  it("shows and moves the clock", () =>
    inLab({}, async (lab) => {
      const clock = { now: start, iso: "2026-03-01T12:00:00.000Z", offset: 0 };
      deepEqual((await admin(lab, "clock")).answer, clock);
      await admin(lab, "clock", { advanceMs: 60_000 });
      equal(get(await lab.call("Domain.List"), "status.created_at"), "2026-03-01 20:01:00");
    }));

  it("refuses or survives an extreme number in any edit", () =>
    inLab({}, async (lab) => {
      const domain = "example.com";
      const edits = (n: number): (readonly [path: string, body: object])[] => [
        ["clock", { advanceMs: n }],
        ["domain/set", { domain, ttl: n, groupId: n, purview: { ns: n, minTtl: n } }],
        ["record/set", { domain, id: 501, ttl: n, force: true }],
        ["record/set", { domain, id: 503, mx: n, force: true }],
        ["record/add", { domain, type: "A", value: "192.0.2.77", weight: n, id: n, force: true }],
        ["settings", { indexDelay: n, modifyDelay: n, removeDelay: n }],
        ["settings", { jobStartMs: n, jobMs: n, stickAfter: n }],
        ["settings", { maxJobs: n, maxRecordsPerJob: n }],
        ["faults", { kind: "slow", operation: "Record.Info", ms: n }],
      ];
      for (const n of [1e300, 8.64e15, -1, 0.5])
        for (const [path, body] of edits(n)) {
          const { status } = await admin(lab, path, body);
          const shown = `${path} ${JSON.stringify(body)}`;
          ok([200, 400].includes(status), `${status} ${shown}`);
          equal(await lab.code("Record.List"), "1", shown);
          const created = await lab.create([a("n", "192.0.2.9")]);
          lab.tick(60_000);
          ok(code(await lab.detail(created)) !== undefined, shown);
          for (const read of ["clock", "snapshot"]) equal((await admin(lab, read)).status, 200, shown);
        }
    }));

  it("refuses a clock beyond the year 9999, also in steps", () =>
    inLab({}, async (lab) => {
      await answers(lab, [
        [400, "clock", { advanceMs: 1e300 }],
        [200, "clock", { advanceMs: 2e14 }],
        [400, "clock", { advanceMs: 2e14 }],
      ]);
      equal(await lab.code("Domain.List"), "1");
    }));

  it("changes single settings and refuses unknown ones", () =>
    inLab({ settings: { jobMs: 77 } }, async (lab) => {
      const changed = await admin(lab, "settings", { indexDelay: 3, identical: "accept" });
      deepEqual(pick(changed.answer, "indexDelay", "identical", "jobMs"), [3, "accept", 77]);
      const wrong = await admin(lab, "settings", { indexDely: 3 });
      equal(wrong.status, 400);
      match(String(get(wrong.answer, "error")), /indexDely/);
    }));

  it("keeps the latest 20,000 calls or fewer, and counts all of them", () => {
    const box = new Box();
    for (let n = 0; n < 20_001; n += 1) box.begin("Domain.List", { login_token: "x" }).run();
    const kept = box.calls();
    ok(kept.length >= 10_000 && kept.length <= 20_000, String(kept.length));
    deepEqual([kept.at(-1)?.number, box.counts()], [20_001, { "Domain.List": 20_001 }]);
    box.clearCalls();
    deepEqual([box.calls(), box.counts()], [[], {}]);
  });
});

describe("emulator snapshot", () => {
  it("is a state file that restores the same service", () =>
    inLab({}, async (lab) => {
      lab.admin.addRecord("plan.example", { name: "x", type: "A", value: "192.0.2.1", remark: "mine" });
      const first = lab.admin.snapshot();
      const state = seedSchema.parse(JSON.parse(JSON.stringify(first)));
      await inLab({ ...state, token: undefined, seed: 99 }, (again) =>
        deepEqual(again.admin.snapshot(), first),
      );
    }));
});

describe("emulator seed", () => {
  const run = (seed: number) => {
    let now = start;
    const service = new Service({ domains: ["example.com", "other.example"], seed, now: () => now });
    const [account] = service.world.accounts;
    const params = { login_token: account?.token ?? "", format: "json" };
    const domain_id = [...service.world.domains.keys()].join(",");
    const answers: unknown[] = [
      service.answer("Domain.List", params),
      service.answer("Batch.Record.Create", { ...params, domain_id, records: JSON.stringify([a("x,y")]) }),
    ];
    now += 60_000;
    answers.push(service.answer("Record.List", { ...params, domain: "example.com" }));
    return JSON.stringify(answers);
  };

  it("gives the same tokens, ids and answers for the same seed, and others for another one", () => {
    equal(run(7), run(7));
    notEqual(run(7), run(8));
  });

  it("refuses accounts and domains that contradict each other", () => {
    throws(() => new Service({ domains: ["a.example", "a.example"] }), Refusal);
    throws(() => new Service({ domains: [{ name: "a.example", owner: "who@example.com" }] }), Refusal);
    throws(() => new Service({ domains: [{ name: "no spaces here" }] }));
  });
});

describe("emulator start and end", () => {
  it("creates a random token for each account without one at each start", async () => {
    const accounts = [
      { email: "a@example.com", token },
      { email: "b@example.com" },
      { email: "c@example.com" },
    ];
    const created: string[] = [];
    for (const seed of [1, 1]) {
      const emulator = await startEmulator({ accounts, seed });
      const [given, ...others] = emulator.service.world.accounts.map((account) => account.token);
      equal(given, token);
      created.push(...others);
      await emulator.close();
    }
    equal(new Set(created).size, 4);
    for (const each of created) match(each, /^\d+,[0-9a-f]{32}$/);
  });

  it("fails if a port is taken, and leaves nothing open", async () => {
    const first = await startEmulator({ dnsPort: 0 });
    try {
      await rejects(startEmulator({ port: first.port }), { code: "EADDRINUSE" });
      await rejects(startEmulator({ dnsPort: first.dnsPort }), { code: "EADDRINUSE" });
    } finally {
      await first.close();
    }
  });

  it("closes while a call is open", async () => {
    let pending: Promise<string> | undefined;
    await inLab({}, async ({ emulator, raw }) => {
      emulator.admin.addFault({ kind: "slow", ms: 60_000 });
      pending = raw("Domain.List").then(
        () => "answered",
        () => "broken",
      );
      while (emulator.admin.faults()[0]?.hits !== 1) await new Promise((resolve) => setImmediate(resolve));
    });
    equal(await pending, "broken");
  });
});
