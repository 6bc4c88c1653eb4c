/** Only custom lines are listed. A listing filtered by a line shows whether the domain has it (api.md, Record.List). */
import type { Client } from "./client";
import { LegacyDnsError, ServiceError } from "./errors";

type Answer = "has" | "has none" | "unknown";

type Domain = { readonly domain: string; readonly id: string; readonly grade: string };

export class LineReader {
  private readonly asked = new Map<string, Promise<Answer>>();
  /** Grade and line. All domains of a grade have the lines that are not custom. */
  private readonly had = new Set<string>();
  private readonly listed = new Map<string, Promise<readonly string[] | undefined>>();

  constructor(private readonly client: Client) {}

  /** False if the service does not answer; a write then shows it. */
  async isUnknown(domain: Domain, line: string): Promise<boolean> {
    const ofGrade = `${domain.grade} ${line}`;
    if (this.had.has(ofGrade)) return false;
    const key = `${domain.domain} ${line}`;
    const answer = this.asked.get(key) ?? this.ask(domain, line);
    this.asked.set(key, answer);
    if ((await answer) === "has" && (await this.custom(domain))?.includes(line) === false)
      this.had.add(ofGrade);
    return (await answer) === "has none";
  }

  custom({ domain, id }: Omit<Domain, "grade">): Promise<readonly string[] | undefined> {
    const listed =
      this.listed.get(domain) ??
      this.client.call("Custom.Line.List", { domainId: id }, { target: domain }).then(
        ({ lines = [] }) => lines.flatMap(({ name }) => name ?? []),
        () => undefined,
      );
    this.listed.set(domain, listed);
    return listed;
  }

  private ask({ domain, id }: Domain, line: string): Promise<Answer> {
    return this.client.call("Record.List", { domainId: id, line, length: 1 }, { target: domain }).then(
      () => "has",
      (error: unknown) => {
        if (!(error instanceof LegacyDnsError)) throw error;
        if (!(error instanceof ServiceError)) return "unknown";
        if (error.noSuch("line")) return "has none";
        return error.noSuch("record") ? "has" : "unknown";
      },
    );
  }
}
