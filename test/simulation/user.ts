import type { Admin, RecordView } from "../../emulator";
import type { Dice } from "./dice";
import { defined } from "../../provider/support/defined";
import type { Pool, Program, Spec } from "./program";

export function leaveOut(texts: readonly string[]): boolean {
  return texts.some((text) => /… and [\d,]+ more/.test(text));
}

export interface Edits {
  edited(domain: string, id: number, record: RecordView | undefined, what: string): void;
}

const inTheWay = [
  "live.beside",
  "live.exists",
  "live.blocked",
  "live.in-the-way",
  "live.left-over",
  "live.retained",
  "live.unwanted",
];

export class User {
  constructor(
    private readonly admin: Admin,
    private readonly domains: readonly string[],
    private readonly edits: Edits,
  ) {}

  edit(dice: Dice, pool: Pool, program: Program): void {
    const domain = dice.pick(pool.domains);
    const records = this.admin.zone(domain);
    const one = records.length === 0 ? undefined : dice.pick(records);
    try {
      const kind = dice.between(0, 6);
      if (one === undefined || kind === 0) {
        const equal = program.filter(({ domains }) => domains.includes(domain)).flatMap(({ specs }) => specs);
        const other = {
          name: dice.pick(pool.names),
          type: "A" as const,
          value: dice.pick(["192.0.2.1", "192.0.2.9"]),
        };
        const isEqual = equal.length > 0 && dice.chance(0.5);
        const found: Spec = isEqual ? dice.pick(equal) : other;
        this.add(domain, { ...found, ttl: dice.pick([300, 600]) }, dice.chance(0.5));
      } else if (kind <= 2) this.remove(domain, one.id);
      else if (kind === 3) this.change(domain, one.id, { enabled: !one.enabled });
      else if (kind === 4) this.change(domain, one.id, { ttl: dice.pick([300, 600, 1200]) });
      else if (one.type === "A")
        this.change(domain, one.id, { value: dice.pick(["192.0.2.1", "192.0.2.2", "192.0.2.8"]) });
      else this.change(domain, one.id, { remark: "seen" });
    } catch (error) {
      if (!(error instanceof Error) || error.constructor.name !== "Refusal") throw error;
    }
  }

  /** @param keeps a record that the user knows better than the message */
  follow(texts: readonly string[], keeps: (id: number, code: string) => boolean = () => false): number {
    let done = 0;
    const act = (id: number, change: (domain: string) => void) => {
      const domain = this.domains.find((name) => this.admin.zone(name).some((record) => record.id === id));
      if (domain === undefined) return;
      change(domain);
      done += 1;
    };
    const removeAll = (ids: readonly string[]) => {
      for (const id of ids.map(Number)) if (!keeps(id, code)) act(id, (domain) => this.remove(domain, id));
    };
    let code = "";
    for (const line of texts.flatMap((each) => each.split("\n"))) {
      code = /\[([\w.-]+)\]$/.exec(line)?.[1] ?? code;
      const [, id] = /^ {2}\S.* {2}.*\brecord (\d+)/.exec(line) ?? [];
      const [, ttl = ""] = /TTL \d+ live, (\d+) declared/.exec(line) ?? [];
      const [, first, rest = ""] = / {2}records (\d+), ([\d, ]+)$/.exec(line) ?? [];
      if (code === "live.twice" && first !== undefined) removeAll(rest.split(", "));
      if (id === undefined) continue;
      const change = {
        ...(/\bdisabled\b/.test(line) && { enabled: true }),
        ...(ttl && { ttl: Number(ttl) }),
      };
      const isOwn = code === "live.exists" && keeps(Number(id), code);
      if (code === "live.ttl" || code === "live.disabled" || isOwn) {
        if (Object.keys(change).length > 0)
          act(Number(id), (domain) => this.change(domain, Number(id), change));
      } else if (inTheWay.includes(code)) removeAll([id]);
    }
    return done;
  }

  /** @param indexed whether a listing shows it at once */
  add(domain: string, { priority: mx, written: _written, ...spec }: Spec, indexed: boolean): number {
    const made = this.admin.addRecord(domain, { ...spec, ...defined({ mx }) }, { indexed });
    this.note(domain, made.id, "adds");
    return made.id;
  }

  change(domain: string, id: number, change: Parameters<Admin["setRecord"]>[2]): void {
    this.admin.setRecord(domain, id, change, { force: true });
    this.note(domain, id, `sets ${JSON.stringify(change)} of`);
  }

  remove(domain: string, id: number): void {
    this.admin.removeRecord(domain, id);
    this.note(domain, id, "removes");
  }

  private note(domain: string, id: number, what: string): void {
    this.edits.edited(
      domain,
      id,
      this.admin.zone(domain).find((record) => record.id === id),
      what,
    );
  }
}
