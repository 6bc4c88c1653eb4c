/** Broken promises beside something that a law excuses. The law must notice them nevertheless. */
import { heldRecord } from "../../provider/reconcile/zones/own-forms";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { domainsOf } from "../../provider/support/collections";
import { recordKey } from "../../provider/dns";
import { notSent } from "../../provider/reconcile/write/result";
import { plainBreaks, type Break } from "./breaks";
import { secretMark } from "./program";

/** A person changes the remarks of records. A program declares no remarks. */
const remarks: Break["person"] = (user, zones) => {
  for (const [domain, records] of zones)
    for (const { id } of records) user.change(domain, id, { remark: "seen" });
};

const oneRemark: Break["person"] = (user, zones) => {
  for (const [domain, [first]] of zones) if (first) user.change(domain, first.id, { remark: "seen" });
};

const twins: Break["person"] = (user, zones) => {
  for (const [domain, records] of zones)
    for (const { name, type, value } of records)
      if (type === "A") {
        const twin = user.add(domain, { name, type, value }, false);
        user.remove(domain, twin);
      }
};

const elsewhere: Break["person"] = (user, zones) => {
  for (const domain of zones.keys())
    user.add(domain, { name: "elsewhere", type: "A", value: "192.0.2.9" }, false);
};

/** One line of records is left, and the number of the others. */
function shortened(text: string): string {
  const isOne = (line: string) => /^ {2}.*\brecord \d+/.test(line);
  const lines = text.split("\n");
  const [first, ...others] = lines.filter(isOne);
  if (first === undefined || others.length === 0) return text;
  const rest = `  … and ${others.length} more`;
  return lines.flatMap((line) => (line === first ? [line, rest] : isOne(line) ? [] : [line])).join("\n");
}

function but(name: string, change: Partial<Break>): Break {
  const known = plainBreaks[name];
  if (known === undefined) throw new Error(`${name}: no such break`);
  return { ...known, ...change };
}

const excused: Readonly<Record<string, Break>> = {
  "forget the ledger beside a person's edit": but("forget the ledger", { person: remarks }),
  "say that others take over what goes": but("let go in silence", {
    hides: undefined,
    says: (text) =>
      /\[live\.(?:retained|adopted)\]/.test(text) ? "9 records taken over by another resource" : text,
  }),
  "leave records out of a message": {
    caughtBy: "none-forgotten",
    seed: 37,
    with: ["retain"],
    says: shortened,
  },
  "own by text": {
    caughtBy: "own-only",
    seed: 52,
    with: ["full", "console", "strict"],
    reconciler: (reconciler) => {
      const apply = reconciler.apply.bind(reconciler);
      reconciler.apply = async (declaration, before, ledger) => {
        const zones = await reconciler.zones.getAll(domainsOf(before));
        const held = before.flatMap((record) => {
          const [live] = zones.get(record.domain)?.byKey.get(recordKey(record)) ?? [];
          return live ? [heldRecord(live, 0, true)] : [];
        });
        return apply(declaration, before, { ...ledger, held });
      };
    },
  },
  "own by the text of a former program": {
    caughtBy: "own-only",
    seed: 116,
    with: ["full", "console"],
    reconciler: (reconciler) => {
      const apply = reconciler.apply.bind(reconciler);
      reconciler.apply = async (declaration, before, ledger) => {
        const declared = new Set(declaration.records.map((record) => recordKey(record)));
        const former = before.filter((record) => !declared.has(recordKey(record)));
        const zones = await reconciler.zones.getAll(domainsOf(former));
        const own = new Set(ledger.held.map(({ id }) => id));
        const held = former.flatMap((record) => {
          const live = zones.get(record.domain)?.byKey.get(recordKey(record)) ?? [];
          return live.filter(({ id }) => !own.has(id)).map((each) => heldRecord(each, 0, true));
        });
        return apply(declaration, before, { ...ledger, held: [...ledger.held, ...held] });
      };
    },
  },
  "forget the ledger beside a remark and a lost answer": but("forget the ledger", {
    person: remarks,
    with: ["faults"],
  }),
  "delete nothing in a destroy that fails": {
    caughtBy: "destroy-created-only",
    with: ["full"],
    lifecycle: (provider) => {
      let deletions = 0;
      const refused = () => Promise.reject(new Error("another resource fails"));
      return { ...provider, delete: () => ((deletions += 1) === 1 ? refused() : Promise.resolve()) };
    },
  },
  "drop an outcome beside another stack": but("drop an outcome", { with: ["refusals", "second"] }),
  "say nothing of a killed run": {
    caughtBy: "none-forgotten",
    seed: 82,
    with: ["kills"],
    hides: /\[live\.unknown\]/,
  },
  "say nothing of a killed run beside an edited record": {
    caughtBy: "none-forgotten",
    seed: 190,
    with: ["kills", "full"],
    person: oneRemark,
    hides: /\[live\.unknown\]/,
  },
  "call adopted records created beside another stack": but("call adopted records created", {
    seed: 200,
    with: ["full", "second", "jobs"],
  }),
  "remove before making beside a person's edit": but("remove before making", { person: elsewhere }),
  "forget the other resources beside a twin": but("forget the other resources", { person: twins }),
  "chatter with an excuse": but("chatter", {
    host: (host) => {
      host.reporter.warn("waiting up to 60 s for a job whose answer was lost [write.uncertain]");
      return host;
    },
  }),
  "store what a killed run left": {
    caughtBy: "secrets-hidden",
    with: ["secrets", "kills"],
    lifecycle: (provider) => ({
      ...provider,
      read: async (id, props) => {
        const found = await provider.read(id, props);
        const left = `left.example. TXT ${secretMark}-left ; not declared`;
        return {
          ...found,
          props: { ...found.props, records: `${String(found.props?.["records"])}\n${left}` },
        };
      },
    }),
  },
  "stop for ever after a failed login": {
    caughtBy: "goal-reached",
    with: ["login", "clocks"],
    host: (host) => {
      const { stateDir } = host.settings;
      for (const file of readdirSync(stateDir).filter((name) => name.startsWith("login-stopped")))
        writeFileSync(join(stateDir, file), JSON.stringify({ time: "2100-01-01T00:00:00.000Z", code: "-1" }));
      return host;
    },
  },
  "make one record in each run": {
    caughtBy: "goal-reached",
    seed: 12,
    reconciler: ({ writer: { creator } }) => {
      const create = creator.create.bind(creator);
      creator.create = async (records) => {
        const rest = records.slice(1).map((record) => [record, notSent("one record is enough")] as const);
        return new Map([...(await create(records.slice(0, 1))), ...rest]);
      };
    },
  },
};

export const breaks: Readonly<Record<string, Break>> = { ...plainBreaks, ...excused };
