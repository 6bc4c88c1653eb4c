/** The end of a schedule: everything works again, the user follows the messages, and then nothing is left to do. */
import { ledgerIds } from "./edits";
import type { Resource, Result } from "./engine";
import { inOrder, type Order } from "./order";
import {
  declaredIn,
  identitiesIn,
  isCleaned,
  isIn,
  relativeName,
  type Declared,
  type Program,
} from "./program";
import type { User } from "./user";
import type { Deployment, Kind, Run, Stage, Workload } from "./workload";

/** A retained record may be undeclared for another resource. */
const refreshing = /^ {2}help: .*\bpulumi up --refresh\b|\[live\.retained\]/m;

/** A deleted resource's `ignore` no longer keeps records from another one's `absent`. */
function losesIgnore(before: readonly Resource[], { program, state }: Deployment): boolean {
  const gone = before.filter(({ name }) => !state.resources.some((each) => each.name === name));
  const lost = gone.flatMap(({ inputs }) =>
    inputs["ignore"] === undefined ? [] : [inputs["domains"]].flat(),
  );
  return program.some(
    ({ absent = [], domains }) => absent.length > 0 && domains.some((each) => lost.includes(each)),
  );
}

/** The resource has a record on a line. Another one has the record on the default line, which must come first. */
function waitsForLine(resource: Declared, program: Program): boolean {
  const others = program.filter((each) => each !== resource).flatMap(declaredIn);
  return declaredIn(resource).some(
    ({ domain, spec: { line, name } }) =>
      line !== undefined &&
      others.some(
        (each) => each.domain === domain && each.spec.name === name && each.spec.line === undefined,
      ),
  );
}

/** A refused change has the second text. */
const needsLine = /\[line\.first\][^]*\(dependsOn\)|; declare a record on the default line first/;

export class Ending {
  private readonly admin;
  private readonly dice;
  private readonly domains;
  private readonly observer;

  constructor(
    private readonly stage: Stage,
    private readonly user: User,
    private readonly workload: Workload,
  ) {
    ({ admin: this.admin, dice: this.dice, domains: this.domains, observer: this.observer } = stage);
  }

  /** Everything works again but the open jobs, which stay as they are. */
  async leaveStuck(main: Deployment): Promise<void> {
    const { admin, domains, dice, observer, stage, workload } = this;
    for (const job of admin.jobs()) if (!job.done) admin.pauseJob(job.id);
    stage.calm();
    for (const domain of domains) admin.setDomain(domain, { status: "enable" });
    await this.stage.timeline.wait(400_000);
    if (stage.has("full")) main.settings = { ...main.settings, confirmedDomains: [...domains] };
    observer.log("calm", () => "everything works again, and the open jobs never end");
    main.program = workload.next(dice, main.pool, main.program);
    let done = 0;
    // The job's error ends a run before a program without a manifest has registered its later resources.
    const patience = stage.has("late") ? 12 : 3;
    for (let attempt = 0; attempt < patience || (done > 0 && attempt < 12); attempt += 1) {
      const [{ result }, told] = await this.listen(this.stage.operate(main, "up --refresh", false));
      done = this.user.follow(told, this.keeps(main)) + (this.reorder(main, result, told).isNew ? 1 : 0);
      observer.compare();
      await this.stage.timeline.wait(310_000);
    }
    const open = admin.jobs().flatMap(({ done, items }) => (done ? [] : items));
    const places = open.flatMap(({ domain, records }) =>
      records.map(({ name }) => `${name || "@"} ${domain}`),
    );
    observer.tell("stuck", { program: main.program, open: new Set(places) });
  }

  /** @returns how often the user ran a command until the goal */
  async bringToRest(deployment: Deployment): Promise<number> {
    const { observer, dice } = this;
    let last: readonly string[] = [];
    // A quiet up does not see edits in the console.
    let isToRead = true;
    let round = 0;
    // Resources that exchange records cannot depend on each other. Then the message's other help is left.
    let isCircular = false;
    const heard: string[] = [];
    for (let attempt = 0; attempt < 80 && round <= 8; attempt += 1) {
      // An error stops the engine, so a preview shows the messages of the other resources.
      if (round > 0 && !isToRead) last = [...last, ...(await this.preview(deployment, heard))];
      const before = [...deployment.state.resources];
      const isToldToRefresh = last.some((text) => refreshing.test(text));
      const kind: Kind = isToRead ? "refresh" : isToldToRefresh ? "up --refresh" : "up";
      // A run with "retain" does not follow the advice to delete by a refresh.
      const isUnusual = attempt === 3 && this.stage.has("retain") && dice.chance(0.3);
      const retain = (isCircular || isUnusual) && !isToldToRefresh;
      const [{ result }, told] = await this.listen(this.stage.operate(deployment, kind, false, retain));
      // A run that finds nothing to do confirms the goal.
      if (kind !== "refresh" && (!result.ok || result.changed.length > 0)) round += 1;
      last = [...result.errors.map(({ text }) => text), ...(kind === "refresh" ? [] : told)];
      const followed = this.user.follow(told, this.keeps(deployment));
      this.keepOne(deployment, told);
      heard.push(...last);
      isCircular = this.reorder(deployment, result, heard).isCircular;
      observer.compare();
      isToRead = result.ok ? followed > 0 || losesIgnore(before, deployment) : kind === "refresh";
      // A run that changed nothing left none of these records.
      const isToRefresh =
        result.changed.length > 0 && last.some((text) => /\[live\.(?:undeclared-goes|retained)\]/.test(text));
      if (kind !== "refresh" && result.ok && !isToRead && !isToRefresh) break;
      // A failed login stops all calls for five minutes, so the user waits until they have passed.
      await this.stage.timeline.wait(
        last.some((text) => text.includes("for five minutes")) ? 310_000 : 60_000,
      );
    }
    observer.tell("settled", { stack: deployment.name, rounds: round, last });
    return round;
  }

  private async preview(deployment: Deployment, heard: string[]): Promise<string[]> {
    const [{ result }, told] = await this.listen(this.stage.once(deployment, "preview", false));
    this.user.follow(told, this.keeps(deployment));
    this.reorder(deployment, result, told);
    heard.push(...told);
    this.observer.compare();
    return told;
  }

  /** @returns also the warnings and errors that a user reads */
  private async listen(work: Promise<Run>): Promise<[Run, string[]]> {
    const { messages } = this.observer;
    const heard = messages.length;
    const run = await work;
    this.observer.compare();
    return [run, messages.slice(heard).flatMap(({ level, text }) => (level === "info" ? [] : [text]))];
  }

  /** The user may want to keep a record that the message would delete. */
  private keepOne(deployment: Deployment, told: readonly string[]): void {
    const going = told.filter((text) => text.includes("[live.undeclared-goes]"));
    const lines = going.flatMap((text) => [...text.matchAll(/^ {2}(\S+)\. .*\brecord (\d+)/gm)]);
    // The same command may have deleted it.
    const isLive = (id = "") => this.observer.records.get(Number(id))?.isLive === true;
    const hosts = lines.flatMap(([, host = "", id]) => (isLive(id) ? [host] : []));
    if (hosts.length === 0 || this.dice.chance(0.5)) return;
    const host = this.dice.pick(hosts);
    deployment.program = deployment.program.map((each) => {
      const { domains, ignore = [], undeclared } = each;
      const names = domains.flatMap((domain) => (isIn(host, domain) ? relativeName(host, domain) : []));
      return undeclared === "remove" && names.length > 0
        ? { ...each, ignore: [...new Set([...ignore, ...names])] }
        : each;
    });
  }

  /** The user knows the program, and the records that the stack's state calls created. */
  private keeps({ program, state }: Deployment): (id: number, code: string) => boolean {
    const [created, declared] = [ledgerIds(state.resources, "+"), identitiesIn(program)];
    return (id, code) => {
      if (code === "live.exists") return created.has(id);
      const { domain = "", now } = this.observer.records.get(id) ?? {};
      const what = now?.identity ?? "";
      // The user deletes a record that the stack made for an earlier program.
      if (code === "live.beside") return declared.has(what) || !created.has(id);
      // The program's `absent` may name a record that it retains.
      if (code === "live.retained") return !isCleaned(program, domain, what, false);
      const isGoing = code === "live.left-over" || code === "live.unwanted";
      return isGoing && declared.has(what);
    };
  }

  /** Follows the messages that ask the user to let a resource depend on others (`dependsOn`). */
  private reorder(
    deployment: Deployment,
    { errors }: Result,
    told: readonly string[],
  ): Order & { readonly isNew: boolean } {
    const { program, state } = deployment;
    const texts = errors.map(({ text }) => text);
    const early = errors.filter(({ text }) => needsLine.test(text));
    const last = new Set(early.map(({ resource }) => resource));
    // The user does the same for all resources that such an error would stop.
    const isEarly = (each: Declared) => early.length > 0 && waitsForLine(each, program);
    const rank = (each: Declared) => (last.has(each.name) ? 2 : isEarly(each) ? 1 : 0);
    const sorted = [...program].sort((one, other) => rank(one) - rank(other));
    const order = inOrder(this.observer, [...texts, ...told], sorted, state.resources);
    deployment.program = order.program;
    return { ...order, isNew: deployment.program.some((each, i) => each !== program[i]) };
  }

  async atRest(deployment: Deployment): Promise<void> {
    const { observer } = this;
    const { name, program, state } = deployment;
    // The last program may have taken an `ignore` away from records that `undeclared: "remove"` deletes.
    if (program.some(({ undeclared }) => undeclared === "remove"))
      await this.stage.once(deployment, "up --refresh", false);
    observer.log(name, () => "must be at rest");
    observer.tell("rest", { stack: name, state: state.resources, program });
    const again = await this.stage.once(deployment, "up", false);
    await this.stage.timeline.wait(120_000);
    const refreshed = await this.stage.once(deployment, "up --refresh", false);
    for (const { process, result } of [again, refreshed]) {
      const { ok, changed } = result;
      const errors = result.errors.map(({ text }) => text);
      observer.tell("again", { process, ok, changed, errors, mayCall: process === refreshed.process });
    }
  }
}
