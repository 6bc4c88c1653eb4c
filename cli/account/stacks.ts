/** The stacks of the project, and the domains that their states hold records of. */
import { z } from "zod";
import { CommandError } from "../errors";
import { engineFailure, pulumi, type StackChoice } from "../pulumi";
import { kindOf, parseJson } from "../resources";
import { isInProject } from "../settings";
import type { Terminal } from "../terminal";

const listed = z.array(z.object({ name: z.string() }));
const held = z.object({
  type: z.string(),
  delete: z.boolean().optional(),
  outputs: z.object({ domain: z.unknown(), domains: z.unknown() }).partial().optional(),
});
const exported = z.object({ deployment: z.object({ resources: z.array(held).nullish() }) });

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
  const output = async (stack: string | undefined, ...args: string[]): Promise<unknown> => {
    try {
      const { cwd } = choice;
      const where = { ...(cwd === undefined ? {} : { cwd }), ...(stack === undefined ? {} : { stack }) };
      const run = await pulumi(terminal, where, args);
      if (run.code === 0) return parseJson(run.out);
      throw new CommandError(engineFailure(`pulumi ${args.slice(0, 2).join(" ")}`, run));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push(error);
      return undefined;
    }
  };
  const names =
    choice.stack === undefined
      ? listed.safeParse(await output(undefined, "stack", "ls", "--json")).data?.map(({ name }) => name)
      : [choice.stack];
  for (const name of names ?? []) {
    const state = exported.safeParse(await output(name, "stack", "export")).data;
    for (const domain of domainsIn(state?.deployment.resources ?? []))
      stacks.set(domain, [...(stacks.get(domain) ?? []), name]);
  }
  return names === undefined ? { problems } : { stacks, problems };
}

function domainsIn(resources: readonly z.infer<typeof held>[]): ReadonlySet<string> {
  const domains = resources.flatMap(({ type, delete: leaving, outputs = {} }) =>
    leaving === true || (kindOf(type) === undefined && type !== "legacydns:index:Zone")
      ? []
      : [outputs.domain, outputs.domains].flat(),
  );
  return new Set(domains.filter((domain) => typeof domain === "string"));
}
