/** By which settings an up changes and removes records: those of the stack, or of the last up where the program declares nothing any more. */
import { availableParallelism } from "node:os";
import { pulumi, type StackChoice } from "../pulumi";
import type { Terminal } from "../terminal";
import { stateOf } from "../../provider/settings";
import { StoppedRuns } from "../../provider/stopped-runs";
import { kindOf } from "../resources";
import { gateSettings, type MissingOf } from "./gate-notes";
import { lastSettings } from "./pending";
import type { Properties, Step } from "./preview";
import { isOurs } from "./records";
import type { ReportOptions } from "./report";
import type { StackRules } from "./rules";

const variables = {
  undocumentedOperations: "LEGACYDNS_UNDOCUMENTED_OPERATIONS",
  removal: "LEGACYDNS_REMOVAL",
  maxChangeShare: "LEGACYDNS_MAX_CHANGE_SHARE",
  confirmedDomains: "LEGACYDNS_CONFIRMED_DOMAINS",
  baseUrl: "LEGACYDNS_BASE_URL",
  stateDir: "LEGACYDNS_STATE_DIR",
} as const;
const names = ["undocumentedOperations", "removal", "maxChangeShare", "confirmedDomains"] as const;
type Name = keyof typeof variables;

/**
 * What the settings say about records that are no longer declared or declared otherwise; asked for only where there are such.
 * @param steps those that delete what was replaced among them
 * @param state what `pulumi stack export` printed
 */
export async function stackRulesOf(
  terminal: Terminal,
  choice: StackChoice,
  steps: readonly Step[],
  state: string,
): Promise<StackRules & Pick<ReportOptions, "unheard">> {
  const plain = steps.every(
    ({ op, type }) =>
      op === "same" || op === "refresh" || (op === "create" && kindOf(type) !== "DomainShare"),
  );
  const inEnvironment = (name: Name): string => (terminal.env[variables[name]] ?? "").trim();
  const configured = async (name: Name): Promise<string> => {
    const run = await pulumi(terminal, choice, ["config", "get", `legacydns:${name}`]);
    return run.code === 0 ? run.out.trim() : "";
  };
  const last = lastOf(steps, state);
  const setting = async (name: Name): Promise<string> => {
    const set = inEnvironment(name);
    if (set !== "" || plain) return set;
    return last === undefined ? configured(name) : String(last[name] ?? "");
  };
  const full = (await setting("undocumentedOperations")) === "true";
  const removal = await setting("removal");
  const means = { full, removal: removal !== "" ? removal : full ? "delete" : "verify" };
  const unheard =
    last === undefined
      ? []
      : (
          await Promise.all(
            names
              .filter((name) => inEnvironment(name) === "")
              .map(async (name) => ({ name, value: await configured(name) })),
          )
        ).filter(({ name, value }) => value !== String(last[name] ?? ""));
  const told = {
    ...means,
    unheard: unheard.map(({ name, value }) => ({ name, value, variable: variables[name] })),
  };
  if (!full || !steps.some(({ op }) => op.startsWith("delete"))) return told;
  const stack = { baseUrl: await setting("baseUrl"), stateDir: await setting("stateDir") };
  const stopped = (explicit: Properties | undefined): MissingOf => {
    const given = Object.fromEntries(
      Object.entries(explicit ?? stack).filter(([, value]) => value !== "" && value !== undefined),
    );
    const runs = new StoppedRuns(
      stateOf({ config: given, env: terminal.env, explicit: explicit !== undefined }),
      terminal.clock,
    );
    return (domain, left) => runs.missingOf(domain, left);
  };
  return {
    ...told,
    stopped,
    parallel: parallelOf(terminal),
    gates: gateSettings(await setting("maxChangeShare"), await setting("confirmedDomains")),
  };
}

/**
 * The settings of the last up, where those of today do not count: no resource asks for the provider that the stack
 * configures, so the engine deletes by the one that the state holds. The environment counts all the same.
 */
function lastOf(steps: readonly Step[], state: string): Properties | undefined {
  const own = steps.flatMap((step) =>
    isOurs(step) && step.after === undefined && /::default(_[^:]*)?$/.test(step.provider ?? "")
      ? [step.provider ?? ""]
      : [],
  );
  const [provider] = own;
  if (
    provider === undefined ||
    steps.some((step) => step.after !== undefined && own.includes(step.provider ?? ""))
  )
    return undefined;
  return lastSettings(state, provider);
}

/** As the engine has it where the command says nothing: `PULUMI_PARALLEL`, or four for each processor. */
function parallelOf({ env }: Terminal): number {
  const set = Number(env["PULUMI_PARALLEL"]);
  return Number.isInteger(set) && set > 0 ? set : 4 * availableParallelism();
}
