/**
 * What the service tells of a domain's lines. It lists the custom ones alone; of any other, a listing that is filtered by it
 * tells whether the domain has it (api.md, Record.List). Each is asked once.
 */
import type { Client } from "./client";
import { LegacyDnsError, ServiceError } from "./errors";

/** What the service says of a line and a domain. */
type Answer = "has" | "has none" | "does not tell";

type Domain = { readonly domain: string; readonly id: string; readonly grade: string };

export class LineReader {
  private readonly asked = new Map<string, Promise<Answer>>();
  /** Grades with a line that is not a domain's own: other domains of the grade are not asked about it. */
  private readonly had = new Set<string>();
  private readonly listed = new Map<string, Promise<readonly string[] | undefined>>();

  constructor(private readonly client: Client) {}

  /** Whether the service says that the domain has no such line. Where it does not tell, a write will. */
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

  /** The names of the domain's custom lines; undefined where the service does not tell. */
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
        if (!(error instanceof ServiceError)) return "does not tell";
        if (error.noSuch("line")) return "has none";
        return error.noSuch("record") ? "has" : "does not tell";
      },
    );
  }
}
