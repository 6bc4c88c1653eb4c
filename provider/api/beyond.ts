/**
 * Whether the service has the operations outside api.md. The first call of each goes alone. Where the service does not know
 * it, though it answers documented ones, no further call of it is sent, and only the first error says what to do. Where it does
 * not know a documented one either, the path is wrong most likely.
 */
import { detailsOf, HttpStatusError, type LegacyDnsError, RequestError, ServiceError } from "./errors";
import { untilAborted } from "./login-turn";
import { mayBeMissing, unknownError } from "./meanings";

const lacking = {
  meaning: "the service does not know this operation, though it answers documented ones",
  hint: "So it lacks the undocumented operations: set undocumentedOperations to false (pulumi config set legacydns:undocumentedOperations false; where the environment or a Provider sets it, there).",
};

const wrongPath = (operation: string): Pick<LegacyDnsError, "meaning" | "hint"> => ({
  meaning: "the service does not know this operation at this path, most likely",
  hint: `Check baseUrl: its path is most likely wrong, since the service has answered no call there yet. The path ends where the operation's name begins (…/${operation}). If it is right, ask the service's support.`,
});

export class Beyond {
  private answersDocumented = false;
  private readonly asked = new Set<string>();
  private readonly asking = new Map<string, Promise<void>>();
  /** Operations that the service has answered as its own. */
  private readonly has = new Set<string>();
  private readonly lacks = new Set<string>();
  /** What the error was about that says what to do. */
  private told: string | undefined;

  /** Where it is told what the service lacks, and what to do about it; undefined while it is not known to lack anything. */
  get lacking(): string | undefined {
    return this.told === undefined ? undefined : `see ${this.told}`;
  }

  /** The service has answered a documented operation. */
  answered(): void {
    this.answersDocumented = true;
  }

  /** What an error of a documented operation means: nobody answers with an unknown error to all of them, but at a wrong path. */
  ofDocumented(operation: string, error: unknown): unknown {
    if (this.answersDocumented || !(error instanceof ServiceError) || error.code !== unknownError)
      return error;
    return new ServiceError({ ...error.details, ...wrongPath(operation) });
  }

  /**
   * Sends a call in its turn.
   * @throws RequestError where the service is known to lack the operation; the signal's reason when it is aborted meanwhile
   */
  async ask<Answer>(
    operation: string,
    target: string | undefined,
    signal: AbortSignal,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    for (let asking = this.asking.get(operation); asking !== undefined; asking = this.asking.get(operation))
      await untilAborted(asking, signal);
    if (this.lacks.has(operation))
      throw new RequestError({
        operation,
        target,
        meaning: `not sent, since the service lacks this operation: ${this.lacking ?? ""}`,
        hint: "",
      });
    const end = this.begin(operation);
    try {
      const answer = await send();
      this.has.add(operation);
      return answer;
    } catch (error) {
      throw this.understood(operation, error);
    } finally {
      end();
    }
  }

  /** Others wait while the first is asked. */
  private begin(operation: string): () => void {
    if (this.asked.has(operation)) return () => undefined;
    this.asked.add(operation);
    let over = (): void => undefined;
    this.asking.set(operation, new Promise((resolve) => (over = resolve)));
    return () => {
      this.asking.delete(operation);
      over();
    };
  }

  private understood(operation: string, error: unknown): unknown {
    const isThere = this.has.has(operation);
    if (!isUnknown(error)) {
      if (error instanceof ServiceError) this.has.add(operation);
      return isThere ? ofKnown(error) : error;
    }
    if (isThere) return ofKnown(error);
    if (!this.answersDocumented) return error;
    this.lacks.add(operation);
    if (this.told !== undefined)
      return retold(error, {
        meaning: `the service lacks this operation as well: ${this.lacking ?? ""}`,
        hint: "",
      });
    this.told = error.target ?? operation;
    return retold(error, lacking);
  }
}

type Unknown = ServiceError | HttpStatusError;

/** Whether the service, or what answers in its place, knows no such operation. */
function isUnknown(error: unknown): error is Unknown {
  if (error instanceof HttpStatusError) return error.status === 404 || error.status === 501;
  return error instanceof ServiceError && error.code === unknownError;
}

/** The error of an operation that the service has answered before, without the guess that it may be missing. */
function ofKnown(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !error.hint.startsWith(mayBeMissing)) return error;
  return new ServiceError({ ...error.details, hint: error.hint.slice(mayBeMissing.length).trimStart() });
}

function retold(error: Unknown, said: Pick<LegacyDnsError, "meaning" | "hint">): LegacyDnsError {
  const lacks = { ...said, lacksOperation: true };
  if (error instanceof HttpStatusError)
    return new HttpStatusError({ ...detailsOf(error), ...lacks, status: error.status });
  return new ServiceError({ ...error.details, ...lacks });
}
