/** Look-ups as the engine's functions. Equal requests are sent once. */
import { LegacyDnsError } from "../provider/api";
import { concealing } from "../provider/api/conceal";
import type { Operate } from "../provider/lifecycle/host";
import type { Props } from "../provider/lifecycle/lifecycle";
import { ArgumentReader, lookUps, problemText } from "../provider/functions/table";
import { errorText } from "../provider/support/text";

export class LookUps {
  private readonly answers = new Map<string, Promise<object>>();

  constructor(private readonly operate: Operate) {}

  /**
   * @param token `legacydns:index:getDomain`
   * @param secrets texts among the arguments that no message may show
   */
  async ask(token: string, args: Props, secrets: readonly string[]): Promise<object> {
    const name = token.split(":").at(-1);
    const found = lookUps.find((each) => each.name === name);
    if (found === undefined)
      throw new Error(
        `there is no function ${token}; the functions are ${lookUps.map((each) => `legacydns:index:${each.name}`).join(", ")}`,
      );
    const reader = new ArgumentReader(found.name, args, found.arguments);
    const question = found.question(reader);
    // The engine prints an empty pair of brackets after the reason of a check failure.
    if (reader.problems.length > 0) throw new Error(problemText(found.name, reader.problems));
    const key = JSON.stringify([found.name, question.request]);
    const answer =
      this.answers.get(key) ?? this.operate(({ client, settings }) => question.ask(client, settings));
    this.answers.set(key, answer);
    try {
      return await answer;
    } catch (error) {
      const hidesText = secrets.length > 0 && error instanceof LegacyDnsError;
      const text = hidesText ? error.withoutServiceText : errorText(error);
      throw new Error(`${found.name}: ${concealing(secrets)(text)}`, { cause: error });
    }
  }
}
