import assert from "node:assert/strict";
import { Box, Refusal, Service, seedSchema, startEmulator } from "../../emulator";
import { a, code, friend, get, inLab, start, token, type Lab } from "./lab";

/** One admin call over HTTP. */
async function admin(lab: Lab, path: string, body?: object): Promise<{ status: number; answer: unknown }> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${lab.emulator.adminUrl}/${path}`, init);
  return { status: response.status, answer: await response.json() };
}

describe("emulator console over HTTP", () => {
  it("reports the problems of an edit, and accepts it by force", () =>
    inLab({}, async (lab) => {
      const edit = { domain: "plan.example", name: "x", type: "A", value: "192.0.2.300" };
      const refused = await admin(lab, "record/add", edit);
      assert.deepEqual([refused.status, get(refused.answer, "code")], [400, "17"]);
      assert.equal((await admin(lab, "record/add", { ...edit, force: true })).status, 200);
      assert.equal((await admin(lab, "record/remove", { domain: "plan.example", id: 1 })).status, 400);
      const named = { domain: "plan.example", name: "x", type: "A" };
      assert.equal((await admin(lab, "record/remove", { ...named, id: "1" })).status, 400);
      assert.equal((await admin(lab, "record/remove", named)).status, 200);
      assert.equal(
        (await admin(lab, "record/add", { domain: "plan.example", type: "A", valu: "x" })).status,
        400,
      );
      assert.equal((await admin(lab, "zone?domain=nowhere.example")).status, 400);
      assert.equal((await admin(lab, "nonsense")).status, 404);
      const broken = await fetch(`${lab.emulator.adminUrl}/settings`, { method: "POST", body: "{" });
      assert.equal(broken.status, 400);
    }));

  it("changes a domain's status, owner and limits", () =>
    inLab({}, async (lab) => {
      await admin(lab, "domain/set", { domain: "example.com", status: "spam", purview: { ns: 3 } });
      assert.equal(get(await lab.call("Domain.Info"), "domain.status"), "spam");
      await admin(lab, "domain/set", { domain: "example.com", status: "enable" });
      const purview = await lab.call("Domain.Purview");
      assert.deepEqual(get(purview, "purview.1"), { name: "NS记录条数", value: 3 });
      await admin(lab, "domain/set", { domain: "example.com", owner: friend });
      assert.equal(code(await lab.call("Domain.Info")), "7");
    }));

  it("adds and removes domains, accounts and shares", () =>
    inLab({}, async (lab) => {
      assert.equal((await admin(lab, "account/add", { email: "new@example.com" })).status, 200);
      const added = { name: "new.example", owner: "new@example.com" };
      assert.equal((await admin(lab, "domain/add", added)).status, 200);
      assert.equal((await admin(lab, "domain/add", added)).status, 400);
      assert.equal((await admin(lab, "domain/remove", { domain: "new.example" })).status, 200);
      const share = { domain: "plan.example", email: "mate@example.com" };
      await admin(lab, "share/add", { ...share, mode: "rw" });
      const { answer } = await admin(lab, "shares?domain=plan.example");
      assert.deepEqual(answer, [{ email: share.email, mode: "rw", subDomain: "" }]);
      await admin(lab, "share/remove", share);
      assert.deepEqual((await admin(lab, "shares?domain=plan.example")).answer, []);
    }));

  it("shows and moves the clock", () =>
    inLab({}, async (lab) => {
      assert.deepEqual((await admin(lab, "clock")).answer, {
        now: start,
        iso: "2026-03-01T12:00:00.000Z",
        offset: 0,
      });
      await admin(lab, "clock", { advanceMs: 60_000 });
      assert.equal(get(await lab.call("Domain.List"), "status.created_at"), "2026-03-01 20:01:00");
    }));

  it("changes single settings and refuses unknown ones", () =>
    inLab({ settings: { jobMs: 77 } }, async (lab) => {
      const changed = await admin(lab, "settings", { indexDelay: 3, identical: "accept" });
      assert.deepEqual(
        ["indexDelay", "identical", "jobMs"].map((key) => get(changed.answer, key)),
        [3, "accept", 77],
      );
      const wrong = await admin(lab, "settings", { indexDely: 3 });
      assert.equal(wrong.status, 400);
      assert.match(String(get(wrong.answer, "error")), /indexDely/);
    }));

  it("keeps the latest calls within 64 MiB, and counts all of them", () => {
    const box = new Box();
    const value = "x".repeat(1024 * 1024);
    for (let n = 0; n < 100; n += 1) box.begin("Domain.List", { value: `${n}${value}` }).run();
    const kept = box.calls();
    assert.ok(kept.length > 10 && kept.length <= 32, String(kept.length));
    assert.deepEqual([kept.at(-1)?.number, box.counts()], [100, { "Domain.List": 100 }]);
    box.begin("Domain.List", { value: "y".repeat(40 * 1024 * 1024) }).run();
    assert.deepEqual(
      box.calls().map(({ number }) => number),
      [101],
    );
    box.clearCalls();
    assert.deepEqual([box.calls(), box.counts()], [[], {}]);
  });
});

describe("emulator snapshot", () => {
  it("is a state file that restores the same service", () =>
    inLab({}, async (lab) => {
      lab.admin.addRecord("plan.example", {
        name: "x",
        type: "A",
        value: "192.0.2.1",
        remark: "mine",
      });
      const first = lab.admin.snapshot();
      const parsed: unknown = JSON.parse(JSON.stringify(first));
      const again = await startEmulator({ ...seedSchema.parse(parsed), now: () => start, seed: 99 });
      try {
        assert.deepEqual(again.admin.snapshot(), first);
      } finally {
        await again.close();
      }
    }));
});

describe("emulator seed", () => {
  const run = (seed: number): string => {
    let now = start;
    const service = new Service({ domains: ["example.com", "other.example"], seed, now: () => now });
    const [account] = service.world.accounts;
    const params = { login_token: account?.token ?? "", format: "json" };
    const domain_id = [...service.world.domains.keys()].join(",");
    const answers: unknown[] = [
      service.answer("Domain.List", params),
      service.answer("Batch.Record.Create", {
        ...params,
        domain_id,
        records: JSON.stringify([a("x"), a("y")]),
      }),
    ];
    now += 60_000;
    answers.push(service.answer("Record.List", { ...params, domain: "example.com" }));
    return JSON.stringify(answers);
  };

  it("gives the same tokens, ids and answers for the same seed", () => assert.equal(run(7), run(7)));

  it("gives others for another seed", () => assert.notEqual(run(7), run(8)));

  it("refuses accounts and domains that contradict each other", () => {
    assert.throws(() => new Service({ domains: ["a.example", "a.example"] }), Refusal);
    assert.throws(() => new Service({ domains: [{ name: "a.example", owner: "who@example.com" }] }), Refusal);
    assert.throws(() => new Service({ domains: [{ name: "no spaces here" }] }));
  });
});

describe("emulator start and end", () => {
  it("creates a random token for each account without one at each start", async () => {
    const accounts = [
      { email: "a@example.com" },
      { email: "b@example.com" },
      { email: "c@example.com", token },
    ];
    const tokens: string[][] = [];
    for (const seed of [1, 1]) {
      const emulator = await startEmulator({ accounts, seed });
      tokens.push(emulator.service.world.accounts.map((account) => account.token));
      await emulator.close();
    }
    const [first = [], again = []] = tokens;
    assert.equal(new Set([...first, ...again]).size, 5);
    assert.deepEqual([first[2], again[2]], [token, token]);
    for (const made of [...first.slice(0, 2), ...again.slice(0, 2)]) assert.match(made, /^\d+,[0-9a-f]{32}$/);
  });

  it("accept a base path and a token", async () => {
    const emulator = await startEmulator({ basePath: "/api/", token });
    try {
      assert.match(emulator.url, /\/api$/);
      const body = new URLSearchParams({ login_token: token, format: "json" });
      const response = await fetch(`${emulator.url}/Domain.List`, { method: "POST", body });
      assert.equal(code(await response.json()), "1");
    } finally {
      await emulator.close();
    }
  });

  it("fails if a port is taken, and leaves nothing open", async () => {
    const first = await startEmulator({ dnsPort: 0 });
    try {
      await assert.rejects(startEmulator({ port: first.port }), { code: "EADDRINUSE" });
      await assert.rejects(startEmulator({ dnsPort: first.dnsPort }), { code: "EADDRINUSE" });
    } finally {
      await first.close();
    }
  });

  it("closes while a call is open", async () => {
    const emulator = await startEmulator({ token });
    emulator.admin.addFault({ kind: "slow", ms: 60_000 });
    const pending = fetch(`${emulator.url}/Domain.List`, { method: "POST", body: "format=json" }).then(
      () => "answered",
      () => "broken",
    );
    while (emulator.admin.faults()[0]?.hits !== 1) await new Promise((resolve) => setImmediate(resolve));
    await emulator.close();
    assert.equal(await pending, "broken");
  });
});
