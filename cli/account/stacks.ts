/** The stacks of the project, and the domains that their states hold records of. */
import { z } from "zod";
import { CommandError } from "../errors";
import { pulumiOutput, type StackChoice } from "../pulumi";
import { kindOf, parseJson, resourcesIn } from "../resources";
import { isInProject } from "../settings";
import type { Terminal } from "../terminal";

const listed = z.array(z.object({ name: z.string() }));

interface ManagingStacks {
  /** Domain → stacks. Undefined outside of a project, and if its stacks are not known. */
  readonly stacks?: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly CommandError[];
}

/** Of all stacks of the project, or of the named one. */
export async function managingStacks(terminal: Terminal, choice: StackChoice): Promise<ManagingStacks> {
  if (!isInProject(choice)) return { problems: [] };
  const stacks = new Map<string, string[]>();
  const problems: CommandError[] = [];
  const output = (of: StackChoice, ...args: string[]): Promise<string> =>
    pulumiOutput(terminal, of, args).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      problems.push(error);
      return "";
    });
  const names =
    choice.stack === undefined
      ? listed
          .safeParse(parseJson(await output(choice, "stack", "ls", "--json")))
          .data?.map(({ name }) => name)
      : [choice.stack];
  for (const name of names ?? []) {
    const state = await output({ ...choice, stack: name }, "stack", "export");
    for (const domain of domainsIn(state)) stacks.set(domain, [...(stacks.get(domain) ?? []), name]);
  }
  return names === undefined ? { problems } : { stacks, problems };
}

function domainsIn(state: string): ReadonlySet<string> {
  const domains = (resourcesIn(state) ?? []).flatMap(({ type, delete: leaving, outputs }) =>
    leaving || kindOf(type) === undefined ? [] : [outputs.domain, outputs.domains].flat(),
  );
  return new Set(domains.filter((domain) => typeof domain === "string"));
}
